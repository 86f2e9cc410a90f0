from roboto import start

start.run()
