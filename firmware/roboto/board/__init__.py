"""Everything that touches the hardware. The only room of the firmware that imports machine."""

from ..unload import unload


class Board:
    """The parts of the robot, made once, in the order in which they must be quiet.

    data, voice: folders, of recordings and of voice packs. fault: a line for the log, or None.
    """

    def __init__(self) -> None:
        from .flash import Flash
        from .guard import Guard
        from .inputs import Inputs
        from .lights import Lights
        from .microphone import Microphone
        from .power import Power
        from .speaker import Speaker

        self.guard = Guard()
        self.speaker = Speaker(self.guard)  # first: its amplifier must be off
        self.lights = Lights()
        self.microphone = Microphone(self.guard)
        self.inputs = Inputs()
        flash = Flash()
        self.data, self.voice, self.fault = flash.data, flash.voice, flash.note
        if flash.chip is None:
            self.power = Power()
            unload("roboto.board.flash")
        else:
            self.power = Power(flash)

    def quiet(self) -> None:
        """Switch off all that makes a sound, shines, or moves memory behind the CPU's back."""
        self.speaker.close()
        self.microphone.warm(False)
        self.lights.record(False)
        self.lights.talk(0)
