"""Switches a new version of the firmware in, all of it or nothing.

A computer lays the new files down in the folder next/, beside what is in use, and checks them.
Last comes next/commit, which says what goes where. From then on the version counts as there: the
files are renamed into place, and when the power goes meanwhile, the rest is at the next boot.
Without a commit next/ is ignored.

next/unfit says that the version in use is no longer whole, because there was no room for a voice
pack twice: then nothing starts until the computer has come back and finished.

This module must not import anything of the firmware: it may be half replaced.
"""

import json
import os

FOLDER = "next"
COMMIT = FOLDER + "/commit"
UNFIT = FOLDER + "/unfit"


def ready():
    """At boot: completes what was committed. False when the firmware must not be started."""
    finish()
    if _exists(UNFIT):
        print("roboto: an update was interrupted: run `roboto flash` again")
        return False
    return True


def finish():
    """Carries out the commit, if there is one; again and again does no harm. Raises OSError."""
    try:
        with open(COMMIT) as file:
            plan = json.load(file)
    except OSError:
        return False
    for name, path in plan["move"]:
        folder = ""
        for part in path.split("/")[:-1]:
            folder += part
            if not _exists(folder):
                os.mkdir(folder)
            folder += "/"
        if _exists(FOLDER + "/" + name):  # else it was moved before the power went
            os.rename(FOLDER + "/" + name, path)
    for path in plan["remove"]:
        if _exists(path):
            os.remove(path)
    if _exists(UNFIT):
        os.remove(UNFIT)
    os.remove(COMMIT)
    return True


def _exists(path):
    try:
        os.stat(path)
        return True
    except OSError:
        return False
