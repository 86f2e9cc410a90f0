from roboto import switch_in

if switch_in.ready():
    from roboto import start

    start.run()
