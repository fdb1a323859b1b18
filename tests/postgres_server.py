"""A real PostgreSQL server of one's own, where the binaries are: for tests and benchmarks."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


def binaries() -> Path | None:
    """Return the folder of the server's programs, or None where it is not installed."""
    found = shutil.which("initdb")
    places = [Path(found).parent] if found else []
    places += sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    return next((p for p in places if (p / "initdb").exists() and (p / "postgres").exists()), None)


def _as_user() -> tuple[list[str], int]:
    """Return how to run a program, and as whom: the server refuses to run as root."""
    if os.getuid() != 0:
        return [], os.getuid()
    user = next(u for u in ("postgres", "nobody") if u in {p.pw_name for p in pwd.getpwall()})
    found = pwd.getpwnam(user)
    groups = ["setpriv", f"--reuid={found.pw_uid}", f"--regid={found.pw_gid}", "--clear-groups"]
    return groups, found.pw_uid


@contextmanager
def running_server(*, fsync: bool = False) -> Iterator[str]:
    """Give the URL of an empty database of a server that ends with the block.

    Nothing listens but a socket in a folder of its own. Without ``fsync`` a power cut could harm
    it; killed clients cannot.
    """
    programs = binaries()
    assert programs is not None
    prefix, owner = _as_user()
    folder = Path(tempfile.mkdtemp(prefix="pathveil-pg-"))
    os.chown(folder, owner, -1)
    data = folder / "data"
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "cwd": "/"}
    server = None
    try:
        made = [*prefix, programs / "initdb", "-D", data, "-U", "pathveil", "-A", "trust", "-N"]
        subprocess.run(made, check=True, **quiet)  # type: ignore[call-overload]
        command = [*prefix, programs / "postgres", "-D", data, "-k", folder, "-h", ""]
        command += ["-c", f"fsync={'on' if fsync else 'off'}", "-c", "max_connections=40"]
        server = subprocess.Popen(command, **quiet)  # type: ignore[call-overload]
        url = f"postgresql://pathveil@/postgres?host={folder}"
        _wait_for(url, server)
        yield url
    finally:
        if server is not None:
            server.terminate()
            server.wait()
        shutil.rmtree(folder, ignore_errors=True)


def _wait_for(url: str, server: subprocess.Popen[bytes]) -> None:
    import psycopg

    for _ in range(600):
        try:
            psycopg.connect(url).close()
        except psycopg.OperationalError:
            assert server.poll() is None, "the server ended at once"
            time.sleep(0.1)
        else:
            return
    raise AssertionError("the server did not come up in a minute")


@contextmanager
def fresh_database(url: str) -> Iterator[str]:
    """Give the URL of one more empty database on a running server."""
    import psycopg

    name = f"db{os.getpid()}_{time.monotonic_ns()}"
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(f'CREATE DATABASE "{name}"'.encode())
    yield url.replace("/postgres?", f"/{name}?")
