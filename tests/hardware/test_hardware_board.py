"""board.toml keeps the RP2040's rules, and each rule notices when it is broken."""

import re

import pytest

from hardware import board, generate_pins, rules


def test_the_board_keeps_all_rules(table):
    assert rules.complaints(table) == []


def test_pins_py_is_what_board_toml_says(table):
    assert generate_pins.PINS_PY.read_text(encoding="utf-8") == generate_pins.text(table)


def test_pins_py_is_plain_constants(table):
    names: dict[str, int] = {}
    exec(generate_pins.text(table), names)
    assert names["RECORD"] == 2 and names["BATTERY"] == 29
    assert (names["MIC_I2S"], names["AMP_I2S"], names["FLASH_SPI"]) == (0, 1, 0)


@pytest.mark.parametrize("page", ["build.md", "build.es.md"])
def test_each_pin_has_its_number_in_the_books(table, page):
    rows = re.findall(
        r"^\| ([A-Z_\d]+) \| GP(\d+) \|", (board.REPO / "docs" / page).read_text("utf-8"), re.M
    )
    assert len(rows) == len(dict(rows))
    assert {name: int(gpio) for name, gpio in rows} == {
        name: pin["gpio"] for name, pin in table["gpio"].items()
    }


@pytest.mark.parametrize(("file", "part"), [("ear", "AMP"), ("mouth", "MIC")])
def test_the_jig_is_at_the_robots_lines(table, file, part):
    """Its assembler cannot read pins.py; everything else in it does."""
    source = (board.REPO / "tests" / "hil" / "jig" / f"{file}.py").read_text(encoding="utf-8")
    words = {"SCK": f"{part}_SCK", "WS": f"{part}_WS", "SD": f"{part}_SD"}
    found = re.search(r"^SCK, WS, SD = (\d+), (\d+), (\d+)$", source, re.M)
    assert found is not None
    told = dict(zip(words, map(int, found.groups())))
    assert told == {word: table["gpio"][name]["gpio"] for word, name in words.items()}
    assert set(map(int, re.findall(r"wait\([01], gpio, (\d+)\)", source))) == {
        told["SCK"],
        told["WS"],
    }


def test_the_jig_cuts_the_power_by_a_pin_that_the_robot_has_free(table):
    source = (board.REPO / "tests" / "hil" / "jig" / "main.py").read_text(encoding="utf-8")
    found = re.search(r"^CUT = (\d+)", source, re.M)
    assert found is not None
    assert int(found[1]) not in {pin["gpio"] for pin in table["gpio"].values()}


def _spoil(table, name, **changes):
    table["gpio"][name].update(changes)
    return " ".join(rules.complaints(table))


@pytest.mark.parametrize(
    ("name", "changes", "word"),
    [
        ("RECORD", {"gpio": 3}, "already"),
        ("RECORD", {"gpio": 23}, "inside the Pico"),
        ("RECORD", {"gpio": 30}, "0 to 29"),
        ("RECORD", {"pull": "down"}, "pull up"),
        ("RECORD", {"wake": True}, "wakes"),
        ("PLATE", {"wake": False}, "wakes"),
        ("MIC_WS", {"gpio": 0}, "after sck"),
        ("AMP_WS", {"gpio": 26}, "after sck"),
        ("FLASH_SCK", {"gpio": 28}, "only be GPIO"),
        ("FLASH_MISO", {"gpio": 1}, "only be GPIO"),
        ("BATTERY", {"gpio": 25}, "measure a voltage"),
        ("AMP_SHUTDOWN", {"asleep": "open"}, "asleep"),
        ("TALK_LED", {"gpio": 27}, "shares PWM slice 5"),
    ],
)
def test_a_broken_pin_rule_is_noticed(table, name, changes, word):
    assert word in _spoil(table, name, **changes)


@pytest.mark.parametrize("name", ["RECORD", "REPLAY", "VOLUME", "WIN", "MODE", "PLATE"])
@pytest.mark.parametrize("gpio", [8, 18, 26, 28])
def test_a_button_above_gpio_7_is_noticed(table, name, gpio):
    assert f"[gpio] {name}: a button must be GPIO 0 to 7" in _spoil(table, name, gpio=gpio)


def test_the_buttons_that_must_be_latched_are_the_drivers(table):
    from host_tools.desktop import firmware
    from sim.machine import modules

    with firmware.standing_in(modules.modules()):
        from roboto.board.inputs import CONTROLS

    assert set(rules._LATCHED) == {control.upper() for control in CONTROLS}


def test_two_buses_on_one_unit_are_noticed(table):
    table["bus"]["AMP_I2S"]["id"] = 0
    assert "i2s 0 is MIC_I2S already" in " ".join(rules.complaints(table))


def test_shared_clocks_are_noticed(table):
    table["bus"]["AMP_I2S"]["sck"] = "MIC_SCK"
    assert "its own clocks" in " ".join(rules.complaints(table))


def test_a_pin_to_nowhere_is_noticed(table):
    board.part(table, "R3")["pins"]["1"] = "LED_B"
    text = " ".join(rules.complaints(table))
    assert "LED_B: not declared" in text and "LED_A: only" in text


def test_a_part_without_spanish_name_is_noticed(table):
    del board.part(table, "C3")["es"]
    assert "C3: es is missing" in " ".join(rules.complaints(table))


def test_the_circuit_is_what_the_data_sheets_ask_for(table):
    nets = board.nets(table)
    # microphone: fed by a GPIO, left channel, data held to ground by 100 kohm
    assert ("MK1", "3V") in nets["MIC_VDD"] and ("MK1", "SEL") in nets["GND"]
    assert board.pins_of(table, "R16") == {"1": "MIC_POWER", "2": "MIC_VDD"}
    assert board.part(table, "R1")["value"] == "100k"
    assert {("R1", "1")} <= nets["MIC_SD"] and {("R1", "2")} <= nets["GND"]
    # amplifier: from the battery rail, held off by a GPIO and 10 kohm (SD below 0.08 V with 1 Mohm
    # from VIN on the module), no wire of the speaker to ground
    assert ("U2", "VIN") in nets["VSYS"] and ("U2", "SD") in nets["AMP_SHUTDOWN"]
    assert board.part(table, "R2")["value"] == "10k"
    for ref in ("C1", "C2"):
        assert set(board.pins_of(table, ref).values()) == {"VSYS", "GND"}
    # USB allows 10 uF at plug-in: the large capacitor lies before the diode, and a diode the other
    # way round keeps reversed cells from it
    assert set(board.pins_of(table, "C3").values()) == {"VBAT", "GND"}
    assert board.pins_of(table, "D6") == {"1": "VBAT", "2": "GND"}
    assert nets["SPK_P"] == {("U2", "OUT+"), ("LS1", "1")}
    # nothing is shared between the two I2S units
    assert not (nets["MIC_SCK"] & nets["AMP_SCK"]) and not (nets["MIC_WS"] & nets["AMP_WS"])
    # the switch cuts the cells; USB and cells meet behind the diode
    assert board.pins_of(table, "D1") == {"1": "VSYS", "2": "VBAT"}
    assert not any(ref in ("U1", "U2", "D1") for ref, _ in nets["BAT"] | nets["BAT_FUSED"])


def test_the_slide_switch_works_with_both_kinds(table):
    """Leg 3 common, or the slider joins neighbours: off cuts, try-me and on feed, try-me grounds
    its pin."""
    pins = board.pins_of(table, "SW7")
    for joined in (
        {
            "off": [("3", "1"), ("7", "5")],
            "try": [("3", "2"), ("7", "6")],
            "on": [("3", "4"), ("7", "8")],
        },
        {
            "off": [("1", "2"), ("5", "6")],
            "try": [("2", "3"), ("6", "7")],
            "on": [("3", "4"), ("7", "8")],
        },
    ):  # fmt: skip
        met = {
            position: {frozenset((pins.get(a), pins.get(b))) for a, b in pairs}
            for position, pairs in joined.items()
        }
        feeds, grounds = frozenset(("BAT_FUSED", "VBAT")), frozenset(("GND", "TRY_W"))
        assert [p for p in met if feeds in met[p]] == ["try", "on"]
        assert [p for p in met if grounds in met[p]] == ["try"]


def test_every_wire_that_leaves_the_board_has_a_resistor(table):
    """A plug beside its place, or a wire on a supply, must not kill the Pico: no header joins a
    GPIO itself, and no supply of the cells lies beside a signal."""
    supplies = {"BAT", "BAT_FUSED", "VBAT", "VSYS"}
    for ref in ("J2", "J4", "J5", "J6"):
        pins = board.pins_of(table, ref)
        assert not set(pins.values()) & set(table["gpio"]), ref
        for number in map(int, pins):
            beside = {pins.get(str(number - 1)), pins.get(str(number + 1))} - {None, "GND"}
            if pins[str(number)] in supplies:
                assert beside <= supplies, f"{ref} pin {number}"


def test_no_gpio_drives_more_than_it_may(table):
    """12 mA is the RP2040's strongest setting; the talk LEDs together go through Q1."""
    assert board.pins_of(table, "R7")["1"] == "TALK_LED"
    assert (3.3 - 2.0) / float(board.part(table, "R3")["value"]) * 1000 < 4.0
