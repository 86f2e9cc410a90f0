"""The way in for a computer when the robot does not let it: hold red while power comes.

Then nothing of the robot runs and a prompt answers. It must be a computer's power, by USB: on
batteries nobody could get in, so the robot waits until red is let go and starts as ever. A restart
is no power-on: whoever wakes the robot with a finger on the red button wants to record.
"""

from time import sleep_ms

from machine import PWRON_RESET, Pin, reset_cause

from .pins import RECORD, USB_PRESENT

_SETTLE_MS = 2  # a pull-up against the cable to the button
_LOOK_MS = 20


def wanted() -> bool:
    """Return whether the robot must not be started."""
    if reset_cause() != PWRON_RESET:
        return False
    red = Pin(RECORD, Pin.IN, Pin.PULL_UP)
    usb = Pin(USB_PRESENT, Pin.IN)
    sleep_ms(_SETTLE_MS)
    while not red.value():
        if usb.value():
            print("roboto: red was held, so nothing was started")
            return True
        sleep_ms(_LOOK_MS)
    return False
