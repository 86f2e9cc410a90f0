"""All sizes of the body in mm. Change one, run python -m hardware.build body, and the checks say
whether it still fits.

Axes of the assembled robot: x to the right as one looks at its face, y from the face to the back,
z up from the table.
"""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Sizes:
    # the whole
    width: float = 112.0
    depth: float = 76.0
    body_height: float = 118.0
    head_height: float = 46.0
    wall: float = 2.4  # six lines of a 0.4 mm nozzle
    bottom_radius: float = 8.0
    top_radius: float = 2.0
    head_radius: float = 10.0
    fit: float = 0.3  # room on each side between parts that slide or drop in

    # M3: self-tapping hole, hole with play, head
    tap: float = 2.6
    pass_through: float = 3.4
    post: float = 8.0
    screw_head: float = 6.4

    # carrier board, behind the face
    board_bottom: float = 11.0  # z of its lower edge
    board_thickness: float = 1.6
    button_height: float = 7.3  # of the tactile button above the board
    button_travel: float = 0.35
    cap: float = 13.0
    cap_flange: float = 16.0
    cap_flange_thickness: float = 1.2
    cap_out: float = 1.9  # how far a cap stands out of the face
    cap_play: float = 0.3  # between flange and face
    cap_key: tuple[float, float] = (2.4, 0.9)  # a rib that keeps a cap from turning: wide, out
    icon_mm: float = 0.44  # of a step of the signs on the caps
    icon_line: float = 1.3
    icon_high: float = 0.6  # how far a sign stands out of its cap
    record_led: float = 5.4
    usb_high: float = 10.0
    usb_wide: float = 14.0
    # middle of the plug above the carrier: socket 8.5, header 2.5, Pico 1, half a USB socket
    usb_above_board: float = 13.3

    # speaker and microphone
    speaker: float = 41.0
    speaker_z: float = 92.0
    speaker_deep: float = 22.0
    grille_hole: float = 2.6
    grille_pitch: float = 4.6
    microphone_x: float = -38.0
    microphone_z: float = 75.0
    microphone_pocket: tuple[float, float] = (18.0, 15.0)
    microphone_hole: float = 1.6

    # back: battery holder 58 x 49 x 17, slide switch
    holder: tuple[float, float, float] = (59.0, 50.0, 18.0)
    holder_z: float = 38.0
    holder_lip: float = 4.0
    door_edge: float = 6.0  # how far the door covers the back around its opening
    # the door: heat-set inserts in the back, and screws that an O-ring keeps in the door
    door_thickness: float = 3.0
    door_screw: float = 10.0  # M3, pan head
    insert: tuple[float, float] = (4.0, 5.7)  # M3: the hole it is melted into, its length
    insert_wall: float = 1.6  # of plastic around it, at least
    o_ring: tuple[float, float] = (2.5, 1.0)  # inside, thick
    o_ring_pocket: tuple[float, float] = (5.4, 1.4)  # across, deep
    switch_z: float = 92.0
    switch_slot: tuple[float, float] = (13.0, 5.5)
    switch_screws: tuple[float, float] = (
        15.0,
        20.0,
    )  # the holes are slots for any distance between
    switch_body: tuple[float, float, float] = (22.0, 10.0, 12.0)

    # head: eyes, mouth
    eye: float = 12.0
    eye_x: float = 24.0
    eye_z: float = 27.0  # above the head's lower edge
    mouth: tuple[float, float] = (26.0, 9.0)
    mouth_z: float = 12.0
    pipe_flange: float = 4.0  # wider than the hole, in all
    pipe_out: float = 1.5
    led: float = 5.2

    # tray
    card: tuple[float, float] = (87.0, 56.0)
    card_room: float = 2.2
    tray_wall: float = 2.0
    tray_floor: float = 3.0
    tray_height: float = 15.0
    finger: tuple[float, float] = (34.0, 24.0)  # notches in the long and the short sides
    tray_gap: float = 2.8  # from the tray to the deck at rest: the gauge's thickness sets it
    tray_stop: float = 0.75  # a ring under the tray's middle lands so much before the rim would
    tray_stop_ring: float = 18.0  # across
    guide: tuple[float, float] = (40.0, 25.0)  # of the four screws from the middle
    well: float = 7.0  # room for a spring, across
    well_deep: float = 15.5
    spring_n_per_mm: float = 0.25  # a ballpoint pen's, cut to spring_free
    spring_free: float = 21.1

    # the trigger: a plug in the tray's middle that holds a countersunk M3 screw over the switch's
    # lever. The screw turns in a captured nut, low enough that its head stays below the cards
    # whatever the switch's operating position is.
    trigger_screw: float = 12.0
    trigger_sunk: float = 1.0  # of the head below the floor, with a switch that is in the middle
    trigger_seat: float = 3.7  # depth of the screw's seat: here it can be turned no further
    trigger_plug: float = 14.0  # across, where it shows in the floor
    trigger_barrel: tuple[float, float] = (9.0, 3.75)  # below the stop ring: across, long
    trigger_travel: float = 1.0  # to the click: two turns of the screw
    trigger_set_within: float = 0.125  # a quarter turn
    countersink: float = 1.7
    nut: tuple[float, float] = (5.5, 2.4)  # M3: across flats, high

    # tray switch: Omron SS-5GL; its data sheet counts from the line through the screw holes
    lever_works_at: float = 8.8  # operating position OP
    lever_works_within: float = 0.8  # its tolerance
    lever_overtravel: float = 1.2  # OT, at least so much
    lever_differential: float = 0.8  # MD, at most so much
    lever_tip_x: float = 7.0  # from the middle of the holes to the lever's end, less 2
    switch_hole: float = 2.3
    switch_pitch: float = 9.5
    microswitch: tuple[float, float, float] = (20.0, 6.4, 10.2)
    hole_above_bottom: float = 2.9
    bracket_thickness: float = 3.0

    bed: tuple[float, float, float] = (180.0, 180.0, 180.0)
    thinnest: float = 1.2

    @property
    def standoff(self) -> float:
        """Return how far it is from the inner side of the face to the carrier board, so that a
        cap's flange has just its play."""
        return self.button_height + self.cap_flange_thickness + self.cap_play

    @property
    def board_front(self) -> float:
        """Return y of the side of the board with the buttons."""
        return self.wall + self.standoff

    @property
    def deck(self) -> float:
        """Return z of the head's upper side."""
        return self.body_height + self.head_height

    @property
    def tray_inner(self) -> tuple[float, float]:
        return self.card[0] + 2 * self.card_room, self.card[1] + 2 * self.card_room

    @property
    def tray_outer(self) -> tuple[float, float]:
        inner = self.tray_inner
        return inner[0] + 2 * self.tray_wall, inner[1] + 2 * self.tray_wall

    @property
    def trigger_tip(self) -> float:
        """Return how far below the tray's floor (where the cards lie) the trigger screw ends."""
        return self.trigger_sunk + self.trigger_screw

    @property
    def switch_line(self) -> float:
        """Return how far below the deck's lower side the tray switch's holes lie: a lever in the
        middle of its tolerance works after trigger_travel."""
        tip_below_deck = self.trigger_tip - self.tray_floor - self.tray_gap - self.wall
        return tip_below_deck + self.lever_works_at + self.trigger_travel


def on_face(sizes: Sizes, table: dict[str, Any], spot: list[float]) -> tuple[float, float]:
    """Return the robot's x and z of a spot on the carrier board; board.toml counts from the top
    left as seen from behind."""
    width, height = table["board"]["size_mm"]
    return width / 2 - spot[0], sizes.board_bottom + height - spot[1]
