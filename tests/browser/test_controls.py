"""Buttons under mouse, fingers, keys and screen readers; none ever sticks."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from . import tools
from .conftest import pages

Open = Callable[..., Any]


@pytest.fixture(scope="module")
def server() -> Iterator[tools.RobotServer]:
    """One robot, switched off: what is pressed is traced all the same."""
    robot = tools.RobotServer()
    yield robot
    robot.stop()


@pytest.fixture(scope="module")
def one_page(browser: Any, server: tools.RobotServer) -> Iterator[Any]:
    with pages(browser) as open_it:
        yield open_it(server, has_touch=True)


@pytest.fixture
def page(one_page: Any) -> Any:
    one_page.evaluate("() => document.activeElement.blur()")
    return one_page


@pytest.fixture
def seen(page: Any, server: tools.RobotServer) -> Callable[[Any, int], list[str]]:
    """seen(page, n): the next n presses and releases since the test began."""
    before = -1
    while before < len(_moves(server)):  # on a busy machine the test before may still end
        before = len(_moves(server))
        page.wait_for_timeout(300)

    def wait(page: Any, n: int) -> list[str]:
        for _ in range(200):
            moves = _moves(server)[before:]
            if len(moves) >= n:
                assert len(moves) == n, moves
                return moves
            page.wait_for_timeout(25)
        raise AssertionError(f"only {_moves(server)[before:]}")

    return wait


def _moves(server: tools.RobotServer) -> list[str]:
    return [
        f"{event['event']} {event['control']}"
        for event in server.trace()
        if event["event"] in ("press", "release")
    ]


def test_each_button_by_mouse(page: Any, seen: Any) -> None:
    controls = ["plate", "record", "replay", "volume", "win", "mode"]
    for control in controls:
        tools.press(page, control)
    assert seen(page, 12) == [f"{what} {c}" for c in controls for what in ("press", "release")]


def test_held_keys_are_held_buttons(page: Any, seen: Any) -> None:
    page.keyboard.down("1")
    page.keyboard.down("1")  # the keyboard repeats
    assert seen(page, 1) == ["press record"]
    page.keyboard.down("Space")
    page.keyboard.up("Space")
    page.keyboard.up("1")
    assert seen(page, 4)[1:] == ["press plate", "release plate", "release record"]


def test_keys_on_a_focused_button_and_in_a_text_field(page: Any, seen: Any) -> None:
    page.locator("button[data-control=win]").focus()
    page.keyboard.press("Enter", delay=50)
    assert seen(page, 2) == ["press win", "release win"]
    page.locator("summary").first.focus()
    page.keyboard.press("Space")  # opens the inside, and presses nothing
    page.wait_for_function("() => document.getElementById('inside').open")
    assert len(seen(page, 2)) == 2


def test_mouse_released_elsewhere(page: Any, seen: Any) -> None:
    page.locator("button[data-control=record]").hover()
    page.mouse.down()
    page.mouse.move(2, 2)
    page.mouse.up()
    assert seen(page, 2) == ["press record", "release record"]


def test_focus_lost_while_held(page: Any, seen: Any) -> None:
    page.locator("button[data-control=record]").hover()
    page.mouse.down()
    page.keyboard.down("3")
    page.evaluate("() => dispatchEvent(new Event('blur'))")
    assert sorted(seen(page, 4)[2:]) == ["release record", "release volume"]
    page.mouse.up()
    page.keyboard.up("3")
    assert len(seen(page, 4)) == 4
    assert not page.locator(".down").count()


def test_second_finger(page: Any, seen: Any) -> None:
    box = page.locator("button[data-control=plate]").bounding_box()
    assert box
    fingers = page.context.new_cdp_session(page)
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def touch(kind: str, *places: int) -> None:
        points = [{"x": x + 30 * i, "y": y, "id": i} for i in places]
        fingers.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    touch("touchStart", 0)
    touch("touchStart", 0, 1)
    touch("touchEnd", 1)  # one finger is lifted, the other stays
    touch("touchEnd")
    assert seen(page, 2) == ["press plate", "release plate"]
    touch("touchStart", 0)
    touch("touchCancel")
    assert seen(page, 4)[2:] == ["press plate", "release plate"]


def test_screen_reader_clicks(page: Any, seen: Any) -> None:
    page.evaluate("() => document.querySelector('[data-control=volume]').click()")
    assert seen(page, 2) == ["press volume", "release volume"]
    red = page.locator("button[data-control=record]")
    red.evaluate("button => button.click()")
    assert red.get_attribute("aria-pressed") == "true"
    assert seen(page, 3)[2] == "press record"
    red.evaluate("button => button.click()")
    assert seen(page, 4)[3] == "release record"


def test_tray_gives_when_pressed(page: Any) -> None:
    moving = page.locator(".tray .moving")
    before = moving.bounding_box()["y"]
    page.locator("button[data-control=plate]").hover()
    page.mouse.down()
    page.wait_for_function(
        "y => document.querySelector('.tray .moving').getBoundingClientRect().y > y + 4",
        arg=before,
    )
    page.mouse.up()


def test_table_mode(page: Any, seen: Any) -> None:
    tray = page.locator("button[data-control=plate]")
    before = tray.bounding_box()
    page.locator("#table").click()
    page.wait_for_selector("body.at-table")
    assert page.evaluate("() => document.fullscreenElement !== null")
    assert tray.bounding_box()["height"] > 1.5 * before["height"]
    assert not page.locator("#timeline").is_visible()
    tools.press(page, "plate")
    assert seen(page, 2) == ["press plate", "release plate"]
    page.locator("#leave-table").click()
    page.wait_for_function("() => !document.fullscreenElement")
    assert page.locator("#timeline").is_visible()


_SCREENS = ((320, 568), (360, 740), (568, 320), (740, 360), (1024, 768), (1280, 800), (3840, 2160))


@pytest.mark.parametrize("width, height", _SCREENS)
def test_at_the_table_all_that_is_pressed_has_a_place_of_its_own(
    open_page: Open, server: Any, width: int, height: int
) -> None:
    page = open_page(server, viewport={"width": width, "height": height})
    page.locator("#table").click()
    page.wait_for_selector("body.at-table")
    boxes = {
        name: page.locator(name).bounding_box()
        for name in ("#leave-table", "#switch", "[data-control=plate]", ".knob.mode", ".bubble")
    }
    names = list(boxes)
    for i, name in enumerate(names):
        box = boxes[name]
        assert box["x"] >= 0 and box["x"] + box["width"] <= width, name
        assert box["y"] >= 0 and box["y"] + box["height"] <= height, name
        for other in names[i + 1 :]:
            assert _apart(box, boxes[other]), (name, other)
    tray = boxes["[data-control=plate]"]
    assert tray["width"] * tray["height"] > 0.1 * width * height


def _apart(a: dict[str, float], b: dict[str, float]) -> bool:
    across = a["x"] + a["width"] <= b["x"] or b["x"] + b["width"] <= a["x"]
    return across or a["y"] + a["height"] <= b["y"] or b["y"] + b["height"] <= a["y"]


def test_wav_on_the_red_button(page: Any, server: Any) -> None:
    tools.switch_on(page)
    tools.wait_for_state(page, "names")
    tools.drop_wav(page, (tools.DEMO / "lucia.wav").read_bytes())
    page.wait_for_selector("#names input")
    assert server.trace()[-1]["event"] != "fault"
    tools.drop_wav(page, b"no sound at all")
    page.wait_for_selector("#trouble:not([hidden])")
    assert "not a WAV file" in page.locator("#trouble").inner_text()


def test_page_closed_while_held(page: Any, seen: Any, server: Any, open_page: Open) -> None:
    page.keyboard.down("2")
    assert seen(page, 1) == ["press replay"]
    page.close()  # so this is the file's last test
    assert seen(open_page(server), 2)[1] == "release replay"
