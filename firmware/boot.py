"""Makes the firmware's modules importable, whoever asks: main.py, or a computer at the prompt."""

# By their full names: what is imported so leaves nothing in here that would stay in the heap.
import roboto.switch_in

roboto.switch_in.ready()

import roboto.bundle  # noqa: E402 - not before its files are those they should be

roboto.bundle.mount()
