"""Everything that touches the hardware. The only room of the firmware that imports machine."""


class Board:
    """The parts of the robot, made once, in the order in which they must be quiet."""

    def __init__(self):
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
        self.power = Power()
