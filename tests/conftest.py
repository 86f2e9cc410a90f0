"""What all tests share: the rule for tests that need something which may not be installed."""

import importlib.util
import os
import shutil
import sys
from pathlib import Path

import pytest

from tests.tiers import of_tier


def need(what: str, how_to_get_it: str, found: object = None) -> str:
    """Skip the test, with one line, when `what` is missing; fail it when REQUIRE=all is set.

    `what` is a command or a Python module; returns the command's path or the module's name.
    For anything else, such as a board, pass what was found, or a false value, as `found`.
    """
    if found is None:
        found = _find(what)
    if found:
        return str(found)
    line = f"{what} is missing: {how_to_get_it}"
    if os.environ.get("REQUIRE") == "all":
        pytest.fail(line + " (REQUIRE=all)", pytrace=False)
    pytest.skip(line)


def _find(what: str) -> str | None:
    beside_python = Path(sys.executable).parent
    path = shutil.which(what) or shutil.which(what, path=str(beside_python))
    if path:
        return path
    module = what.replace("-", "_")
    return module if importlib.util.find_spec(module) else None


def pytest_addoption(parser):
    parser.addoption(
        "--tier",
        choices=("all", "quick", "rest"),
        default="all",
        help="quick: what `make quick` runs (tests/tiers.py); rest: all but that",
    )


def pytest_collection_modifyitems(config, items):
    tier = config.getoption("--tier")
    if tier == "all":
        return
    mine, others = of_tier(tier, items)
    config.hook.pytest_deselected(items=others)
    items[:] = mine


def pytest_sessionfinish(session):
    """A tier may have nothing of what ARGS asks for; the other one has it then."""
    if session.exitstatus == pytest.ExitCode.NO_TESTS_COLLECTED:
        if session.config.getoption("--tier") != "all":
            session.exitstatus = pytest.ExitCode.OK


def pytest_terminal_summary(terminalreporter):
    """Figures that tests have measured: record_property("figure", "one line")."""
    reports = [r for name in ("passed", "failed") for r in terminalreporter.getreports(name)]
    lines = [v for r in reports if r.when == "call" for k, v in r.user_properties if k == "figure"]
    if lines:
        terminalreporter.section("figures")
        for line in lines:
            terminalreporter.line(line)


def _strict(report):
    """Under REQUIRE=all whatever was skipped has failed: a machine that should run all does."""
    if os.environ.get("REQUIRE") == "all" and report.skipped and not hasattr(report, "wasxfail"):
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longrepr
        report.outcome = "failed"
        report.longrepr = f"{reason} (REQUIRE=all)"
    return report


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport():
    return _strict((yield))


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report():
    return _strict((yield))
