"""Switches a new version of the firmware in, all of it or nothing.

A computer lays the new files down in the folder next/, beside what is in use, and checks them.
Last comes next/commit, which says what goes where. From then on the version counts as there: the
files are renamed into place, and when the power goes meanwhile, the rest is at the next boot.
Without a commit next/ is ignored.

Voice packs on the SPI flash cannot be renamed out of next/: it is another file system, which is
mounted only later. They wait in its own next/, and the commit brings a second one into being,
next/then, which board/flash.py carries out once it has mounted that flash.

next/unfit says that the version in use is no longer whole, because there was no room for a voice
pack twice: then nothing starts until the computer has come back and finished.

This module must not import anything of the firmware: it may be half replaced.
"""

import json
import os

FOLDER = "next"
COMMIT = FOLDER + "/commit"
THEN = FOLDER + "/then"
UNFIT = FOLDER + "/unfit"


def ready():
    """At boot: completes what was committed. False when the firmware must not be started."""
    finish()
    if _exists(UNFIT):
        print("roboto: an update was interrupted: run `roboto flash` again")
        return False
    return True


def finish(commit=COMMIT):
    """Carries out a commit, if there is one; again and again does no harm. Raises OSError."""
    try:
        with open(commit) as file:
            plan = json.load(file)
    except (OSError, ValueError):  # none, or flash that lost it: what is in use stays
        return False
    folder = plan.get("from", FOLDER)
    for name, path in plan["move"]:
        _make_folders(path)
        if _exists(folder + "/" + name):  # else it was moved before the power went
            os.rename(folder + "/" + name, path)
    for path in plan["remove"]:
        if _exists(path):
            os.remove(path)
    if commit == COMMIT and _exists(UNFIT):
        os.remove(UNFIT)
    os.remove(commit)
    return True


def _make_folders(path):
    at = path.find("/", 1)
    while at > 0:
        if not _exists(path[:at]):
            os.mkdir(path[:at])
        at = path.find("/", at + 1)


def _exists(path):
    try:
        os.stat(path)
        return True
    except OSError:
        return False
