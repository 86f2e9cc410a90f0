"""The command `roboto` with the simulator in it: what pip, pipx and uv install.

The tools know nothing of the simulator, so it is the simulator that adds itself to them here.
`roboto sim …` is `python -m sim …`, and `roboto play` is `roboto sim play`.
"""

from __future__ import annotations

import typer

from host_tools import cli

from .__main__ import main as simulate

# All that stands after these words is the simulator's own, -h as well.
_AS_IT_IS = {"allow_extra_args": True, "ignore_unknown_options": True, "help_option_names": []}


@cli.app.command("sim", context_settings=_AS_IT_IS, add_help_option=False)
def sim(context: typer.Context) -> None:
    """Run the robot on this computer: sim play, sim run FILE.toml, sim table."""
    raise typer.Exit(simulate(context.args, "roboto sim"))


@cli.app.command("play", context_settings=_AS_IT_IS, add_help_option=False)
def play(context: typer.Context) -> None:
    """Play with the robot in the browser."""
    raise typer.Exit(simulate(["play", *context.args], "roboto sim"))


@cli.app.command("print", context_settings=_AS_IT_IS, add_help_option=False)
def on_paper(context: typer.Context) -> None:
    """Print the leaflet, House Rule cards and stickers."""
    raise typer.Exit(simulate(["print", *context.args], "roboto sim"))


def main() -> None:
    """Run the command `roboto`."""
    cli.main()


if __name__ == "__main__":
    main()
