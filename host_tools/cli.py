"""The command `roboto`: what runs on the maker's computer. Each tool brings a typer app."""

import sys
from typing import Annotated

import typer
from typer.exceptions import TyperException

from host_tools.maker import cli as maker_cli
from host_tools.places import VERSION
from host_tools.plain_file import one_line
from host_tools.voice.cli import app as voice_app

app = typer.Typer(
    name="roboto",
    help="Tools for Roboto, the talking robot of the card table.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
_STOPPED = 130  # what typer makes of Ctrl-C
app.add_typer(voice_app, name="voice")
maker_cli.add_to(app)


def _show_version(wanted: bool) -> None:
    if wanted:
        print(f"roboto {VERSION}")
        raise typer.Exit()


@app.callback()
def _root(
    _version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_show_version, is_eager=True, help="Show the version, and end."
        ),
    ] = False,
) -> None:
    """Take the options that belong to no command."""


def main() -> None:
    """Runs the command; what a person can put right is one line and exit status 2."""
    try:
        status = app(prog_name="roboto", standalone_mode=False)
    except (ValueError, RuntimeError, OSError, TyperException) as error:
        if told := _told(error):
            print(one_line(told), file=sys.stderr)
        sys.exit(2)
    if status == _STOPPED:
        print("roboto: stopped", file=sys.stderr)
    sys.exit(status if isinstance(status, int) else 0)


def _told(error: Exception) -> str:
    """What a person reads of an error."""
    if isinstance(error, TyperException):  # the words of the command were wrong
        message = error.format_message()  # pyright: ignore[reportAttributeAccessIssue]
        if not message:  # no words at all: the help was shown
            return ""
        context = getattr(error, "ctx", None)
        hint = f". See {context.command_path} -h" if context else ""
        return f"roboto: {message.rstrip('.')}{hint}"
    if isinstance(error, OSError) and error.filename:
        return f"roboto: {error.filename}: {error.strerror}"
    return f"roboto: {error}"


if __name__ == "__main__":
    main()
