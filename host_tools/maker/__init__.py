"""From a bare Pico to a talking robot: image, flash, clips, doctor, log, set, console."""
