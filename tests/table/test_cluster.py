"""The same run on a Dask cluster: the same report, whatever becomes of its workers."""

import json
import os
import signal
import socket
import sys

import pytest

from sim.table import cli, executors
from sim.table.executors import WorkersError
from sim.table.runner import Settings, run
from tests.conftest import need

SETTINGS = Settings(games=120, players=(2, 5), rules=("classic",), scoring="winner", seed=4)


@pytest.fixture(scope="module")
def cluster():
    """Start two workers in processes of their own, without a dashboard."""
    need("distributed", "pip install distributed")
    from distributed import LocalCluster

    with LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=":0", silence_logs=50
    ) as them:
        yield them


def as_json(tallies):
    return {key: tally.to_json() for key, tally in sorted(tallies.items())}


def test_the_same_report_though_a_worker_dies_on_the_way(cluster, tmp_path):
    """It is ended by the kernel while parts are with it; they are played again elsewhere."""
    file = tmp_path / "run.jsonl"
    ended = []

    def end_one(done):
        if done >= 20 and not ended:
            worker = next(iter(cluster.workers.values()))
            ended.append(worker.pid)
            os.kill(worker.pid, signal.SIGKILL)

    address = cluster.scheduler_address
    tallies = run(SETTINGS, on=address, part_size=2, progress=end_one, save=file)
    assert ended
    assert as_json(tallies) == as_json(run(SETTINGS))
    assert as_json(run(SETTINGS, save=file)) == as_json(tallies)


def test_a_party_with_the_robot_on_the_cluster(cluster, capsys):
    need("py_nanotts", "pip install py-nanotts")
    args = ["--players", "2", "--games", "2", "--json"]
    assert cli.main([*args, "--on", cluster.scheduler_address]) == 0
    there = json.loads(capsys.readouterr().out)
    assert cli.main(args) == 0
    assert json.loads(capsys.readouterr().out) == there


def test_an_error_in_a_game_comes_back(cluster):
    broken = Settings(games=2, kinds=("nobody",))
    with pytest.raises(ValueError, match="no player is called 'nobody'"):
        run(broken, on=cluster.scheduler_address)


def test_workers_with_other_code_refuse(cluster, monkeypatch):
    monkeypatch.setattr(executors, "code_digest", lambda: "other")
    with pytest.raises(WorkersError, match="other code"):
        run(SETTINGS, on=cluster.scheduler_address)


@pytest.mark.parametrize(
    "address",
    ["tcp://127.0.0.1:1", "127.0.0.1:99999", "nowhere", "tcp://", "http://[", "x" * 900, "",
     "a\nb:1", "tcp://[::1]:1", "tcp://no.such.host.invalid:8786", "tcp://%zz:8786", "LOCAL"],
)  # fmt: skip
def test_no_scheduler_there(address, monkeypatch, capsys):
    need("distributed", "pip install distributed")
    monkeypatch.setattr(executors, "CONNECT_S", 1)
    assert cli.main(["--no-robot", "--games", "5", "--on", address]) == 2
    err = capsys.readouterr().err
    assert err.startswith("table: --on") and err.count("\n") == 1


def test_something_else_listens_there(monkeypatch, capsys):
    need("distributed", "pip install distributed")
    monkeypatch.setattr(executors, "CONNECT_S", 1)
    with socket.create_server(("127.0.0.1", 0)) as other:
        args = ["--no-robot", "--games", "5", "--on", f"127.0.0.1:{other.getsockname()[1]}"]
        assert cli.main(args) == 2
    err = capsys.readouterr().err
    assert "no scheduler answers" in err and err.count("\n") == 1


def test_without_dask_it_says_what_to_install(monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "distributed", None)
    assert cli.main(["--no-robot", "--games", "5", "--on", "tcp://127.0.0.1:1"]) == 2
    assert "pip install" in capsys.readouterr().err


def test_a_scheduler_without_workers(monkeypatch, capsys):
    need("distributed", "pip install distributed")
    from distributed import LocalCluster

    monkeypatch.setattr(executors, "CONNECT_S", 1)
    with LocalCluster(n_workers=0, dashboard_address=":0", silence_logs=50) as empty:
        args = ["--no-robot", "--games", "5", "--on", empty.scheduler_address]
        assert cli.main(args) == 2
    err = capsys.readouterr().err
    assert "no worker" in err and err.count("\n") == 1


def test_local_is_the_cores_of_this_machine(capsys):
    args = ["--no-robot", "--games", "400", "--json"]
    assert cli.main([*args, "--on", "local"]) == 0
    there = json.loads(capsys.readouterr().out)
    assert cli.main(args) == 0
    assert json.loads(capsys.readouterr().out) == there
