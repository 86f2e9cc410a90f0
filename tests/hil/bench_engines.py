"""Robots on a bench that another engine hands out: --device labgrid:TARGET and --device
jumpstarter.

See tests/hil/benches/ for the configurations.
"""

from __future__ import annotations

import contextlib
import os

import pytest

from host_tools.maker.errors import BoardError


def port_of(device: str, config: pytest.Config, stack: contextlib.ExitStack) -> str:
    """A port for board.connect(); it stays good until the stack is closed. Other devices are
    handed through. Raises BoardError."""
    if device.startswith("labgrid:"):
        return _labgrid(device.partition(":")[2], config)
    if device == "jumpstarter":
        return _jumpstarter(stack)
    return device


def _labgrid(name: str, config: pytest.Config) -> str:
    try:
        from labgrid import Environment
        from labgrid.util.proxy import proxymanager
    except ImportError as error:
        raise BoardError("labgrid is not installed: pip install labgrid") from error
    file = config.getoption("--lg-env", default=None) or os.environ.get("LG_ENV")
    if not file:
        raise BoardError("which environment? --lg-env FILE")
    target = Environment(file).get_target(name)
    if target is None:
        raise BoardError(f"{file} has no target {name}")
    for kind in ("RawSerialPort", "USBSerialPort"):
        resource = target.get_resource(kind, wait_avail=False) if _has(target, kind) else None
        if resource:
            target.await_resources([resource])
            return resource.port
    resource = target.get_resource("NetworkSerialPort")
    host, port = proxymanager.get_host_and_port(resource)
    scheme = "socket" if resource.protocol == "raw" else "rfc2217"
    return f"{scheme}://{host}:{port}"


def _has(target, kind: str) -> bool:
    return any(type(resource).__name__ == kind for resource in target.resources)


def _jumpstarter(stack: contextlib.ExitStack) -> str:
    try:
        from jumpstarter.utils.env import env
        from jumpstarter_driver_network.adapters import TcpPortforwardAdapter
    except ImportError as error:
        raise BoardError(
            "Jumpstarter is not installed: pip install jumpstarter-cli jumpstarter-driver-pyserial"
        ) from error
    if "JUMPSTARTER_HOST" not in os.environ:
        raise BoardError(
            "run this within `jmp shell --exporter-config FILE -- python -m pytest …`"
        )
    client = stack.enter_context(env())
    host, port = stack.enter_context(TcpPortforwardAdapter(client=client.serial))
    return f"socket://{host}:{port}"
