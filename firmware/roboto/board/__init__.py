"""Everything that touches the hardware. The only room of the firmware that imports machine."""


class Board:
    """The parts of the robot, made once, in the order in which they must be quiet."""

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
        self.flash = Flash()
        self.power = Power(self.flash)

    def quiet(self) -> None:
        """Switch off all that makes a sound, shines, or moves memory behind the CPU's back."""
        self.speaker.close()
        self.microphone.warm(False)
        self.lights.record(False)
        self.lights.talk(0)
