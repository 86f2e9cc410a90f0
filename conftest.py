"""Brings the options for tests on a board (--device …) into every run. See tests/hil/plugin.py."""

pytest_plugins = ["tests.hil.plugin"]
