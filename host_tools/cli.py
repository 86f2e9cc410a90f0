"""The command `roboto`: what runs on the maker's computer. Each tool brings a typer app."""

import sys

import typer

from host_tools.maker import cli as maker_cli
from host_tools.voice.cli import app as voice_app

app = typer.Typer(
    name="roboto",
    help="Tools for Roboto, the talking robot of the card table.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.add_typer(voice_app, name="voice")
maker_cli.add_to(app)


@app.callback()
def _root() -> None:
    """Keeps `roboto voice …` a group even while it is the only one."""


def main() -> None:
    """Runs the command; what a person can put right is one line and exit status 2."""
    try:
        app()
    except (ValueError, RuntimeError, OSError) as error:
        print(f"roboto: {error}", file=sys.stderr)
        sys.exit(2)


if __name__ == "__main__":
    main()
