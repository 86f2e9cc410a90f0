"""What lies in the watchdog's scratch registers, which survive restarts but not a power cut.

Constants alone: host_tools/maker/board.py writes SCRATCH0 before it restarts the board.
"""

SCRATCH0 = 0x4005800C
OFFER_GAME = 0x0B070  # "offer the game that you interrupted": see Power.interrupted

SCRATCH1 = 0x40058010
SLEPT = 0x51EE9  # the self-test put the board to sleep, and it has woken up
