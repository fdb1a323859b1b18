"""``python -m tests.installing``: wheel and sdist, built, installed in clean environments, tried.

For every interpreter from 3.11 on that this machine has, without extras and with each one, outside
the checkout; and the CPU seconds of each command's first use there, nothing compiled before. Prints
one line for each; ends with 1 if one fails. Takes some minutes, so it is no part of the tests.
"""

from __future__ import annotations

import os
import resource
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).parents[1]
INTERNAL = {"test", "dev", "bench"}
_TRY = """
import pathveil as pv
network, walk = pv.Network.parse("ab bc cd de ef bd"), pv.Walk("abcdef")
assert pv.reconstruct(pv.publish(network, walk), network).walk == walk
assert "site-packages" in pv.__file__, pv.__file__
"""


INSTALL = ("install", "-qqq", "--disable-pip-version-check")
FIRST_USES = """\
publish net.csv walk.txt -o a.veil.json
reconstruct a.veil.json net.csv
inspect a.veil.json net.csv walk.txt
verify a.veil.json net.csv walk.txt
attack a.veil.json net.csv --lacking v02 v03
draw a.veil.json -o a.svg
plan net.csv --walks 3 --length 4
batch net.csv walks.txt -o out --policy balanced
group net.csv -o groups.json --classes 17
network clean net.csv -o clean.csv
policies
lab audit net.csv walk.txt --lacking v02 v03 --samples 2000"""


def first_uses(venv: Path, folder: Path) -> Iterator[tuple[float, str]]:
    """Yield the CPU seconds of each command that needs no extra, run for the first time."""
    names = [f"v{i:02d}" for i in range(40)]
    links = [f"{names[i]},{names[(i + step) % 40]}\n" for i in range(40) for step in (1, 7)]
    (folder / "net.csv").write_text("source,target\n" + "".join(links))
    (folder / "walk.txt").write_text("\n".join(names[:8]))
    (folder / "walks.txt").write_text("v00,v01,v02\n")
    for words in FIRST_USES.splitlines():
        shutil.rmtree(folder / "kernels", ignore_errors=True)
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        run(venv / "bin/pathveil", *words.split(), folder=folder)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        yield after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, words


def interpreters() -> Iterator[str]:
    """Yield an interpreter of every version from 3.11 on."""
    pyenv = Path.home() / ".pyenv" / "versions"
    for minor in range(11, 20):
        known = sorted(pyenv.glob(f"3.{minor}.*/bin/python3"))
        path = str(known[-1]) if known else shutil.which(f"python3.{minor}")
        if path:
            yield path


def run(*words: str | Path, folder: Path) -> str:
    """Run a command in a folder, without this checkout on the path; return what it prints."""
    keep = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    keep["NUMBA_CACHE_DIR"] = str(folder / "kernels")
    done = subprocess.run(
        list(map(str, words)), cwd=folder, env=keep, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise RuntimeError(done.stderr.strip()[-300:])
    return done.stdout


def tried(python: str, archive: Path, extra: str, folder: Path) -> str:
    """Return what became of one installation, in a folder of its own."""
    with TemporaryDirectory(dir=folder) as place:
        here, venv = Path(place), Path(place) / "venv"
        try:
            run(python, "-m", "venv", venv, folder=here)
            wanted = f"{archive}[{extra}]" if extra else str(archive)
            run(venv / "bin/pip", *INSTALL, wanted, folder=here)
            run(venv / "bin/python", "-c", _TRY, folder=here)
            run(venv / "bin/pathveil", "demo", folder=here)
            if not extra and archive.suffix == ".whl":
                for seconds, words in first_uses(venv, here):
                    print(f"  {seconds:5.2f} s  pathveil {words}", flush=True)  # noqa: T201
        except RuntimeError as error:
            return f"FAILED: {error}"
    return "works"


def main() -> int:
    """Return 1 if an installation fails."""
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"][
        "optional-dependencies"
    ]
    failed = 0
    with TemporaryDirectory() as place:
        folder = Path(place)
        wheel = ("pip", "wheel", "-qqq", "--no-deps", "-w", folder, ROOT)
        run(sys.executable, "-m", *wheel, folder=folder)
        archives = list(folder.glob("*.whl"))
        run(sys.executable, "-m", "venv", folder / "building", folder=folder)
        build = folder / "building/bin/python"
        run(build, "-m", "pip", *INSTALL, "build", folder=folder)
        run(build, "-m", "build", "-s", "-o", folder, ROOT, folder=folder)
        archives += list(folder.glob("*.tar.gz"))
        for python in interpreters():
            version = run(python, "-V", folder=folder).strip()
            for archive in archives:
                wanted = ["", *sorted(set(extras) - INTERNAL)] if archive.suffix == ".whl" else [""]
                for extra in wanted:
                    said = tried(python, archive, extra, folder)
                    failed += said != "works"
                    print(f"{version}  {archive.name}[{extra}]  {said}", flush=True)  # noqa: T201
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
