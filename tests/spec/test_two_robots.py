"""Several robots in one process do not know of each other."""


def test_a_robot_that_nobody_listens_to_silences_no_other(table):
    heard = table("heard", listen=True, start=False)
    unheard = table("unheard", listen=False, start=False)
    for _ in range(40):  # by turns, half a second each
        for t in (heard, unheard):
            t.wait(0.5)
    assert abs(heard.samples()).max() > 0.1
    greetings = [[e for e in t.events if e["event"] in ("say", "quiet")] for t in (heard, unheard)]
    assert greetings[0] == greetings[1]
