"""How the layering kernels are run: as plain Python, or compiled by Numba, with the same result.

Kernels are plain functions on arrays and integers, written in the part of Python that Numba
understands. They use integers only and draw their own pseudo-random numbers from a 32-bit
generator, so that no rounding, library or machine can change a result; whether a kernel runs
compiled or not is a matter of time alone.

Rent or buy, for each kernel by itself: compiling takes a time in proportion to the code, from a
tenth of a second to four seconds, and a compiled kernel is about a hundred times as fast. So a
kernel is run in plain Python until its plain work adds up to what compiling it costs; then it is
compiled. Nobody waits more than twice as long as he who knew beforehand how much was to come, and a
graph of fifty vertices is layered on a fresh machine without compiling anything. Compiled code is
kept on disk. Where it is found there, only the import of Numba has to be earned.

Compiling announces itself to whoever asked (:func:`watch_compiling`), so that a screen need not
stand still. Where compiled code cannot be kept (a read-only installation of a user without a home,
a full disk) it is compiled for this process alone; where Numba cannot be had, all runs plain.

A kernel may call other kernels by their global names. The compiled twin is made from the same code
object with those names bound to the compiled twins, which keeps this module free of decorators
that would import Numba.

Numba asks of every index whether it is negative unless its type says that it cannot be. So kernels
that follow millions of neighbours view them as unsigned numbers, which takes half the time.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from hashlib import sha256
from pathlib import Path
from pickle import PickleError
from types import FunctionType
from typing import Any, ParamSpec, TypeVar, cast

P = ParamSpec("P")
T = TypeVar("T")

Watcher = Callable[[str], None]

STEPS_A_BYTE = 1_000  # plain steps in the time it takes to compile a byte of code, 0.6 ms
STEPS_OF_IMPORT = 1_000_000  # plain steps in the time it takes to import Numba

COMPILED: bool = False
"""False in plain Python; a compiled kernel that asks finds True."""

_USER_FOLDERS = ("~/.cache/numba", "~/Library/Caches/numba")

_MEMBERS: set[Callable[..., Any]] = set()
_COMPILED: dict[Callable[..., Any], Callable[..., Any]] = {}
_rented: dict[Callable[..., Any], int] = {}
_watchers: list[Watcher] = []
_caching = [True]
_buying = [False]


def kernel(function: Callable[P, T]) -> Callable[P, T]:
    """Return the function itself, noted as one that may be compiled and called by other kernels."""
    _MEMBERS.add(function)
    return function


def run(function: Callable[P, T], work: int, *args: P.args, **kwargs: P.kwargs) -> T:
    """Return what the kernel yields, run plain or compiled after :func:`chosen`."""
    return chosen(function, work)(*args, **kwargs)


def chosen(function: Callable[P, T], work: int) -> Callable[P, T]:
    """Return the kernel or its compiled twin, whichever is the better bargain for this much work.

    Parameters
    ----------
    function
        A kernel.
    work
        An estimate of the elementary steps it will take, half a microsecond each in plain Python.
    """
    ready = _COMPILED.get(function)
    if ready is not None:
        return ready
    rent = _rented.get(function, 0) + work
    if _buying[0] or rent > _cost(function):
        return compiled(function)
    _rented[function] = rent
    return function


def compiled(function: Callable[P, T]) -> Callable[P, T]:
    """Return the compiled twin of a kernel: compiled, or read from disk, when it is first called.

    *Cost*: up to some seconds for each kernel and machine, then a few milliseconds from disk.
    """
    if function not in _COMPILED:
        _COMPILED[function] = _Twin(cast("FunctionType", function))
    return _COMPILED[function]


def buy_at_once() -> None:
    """Compile every kernel at its first use from now on, as suits a long run or a benchmark."""
    _buying[0] = True


@contextmanager
def watch_compiling(watcher: Watcher) -> Iterator[None]:
    """Tell the watcher the name of each kernel that is compiled, just before, and "" just after.

    Reading a compiled kernel from disk is not announced. Watchers may nest.

    Examples
    --------
    >>> with watch_compiling(print):
    ...     pass
    """
    _watchers.append(watcher)
    try:
        yield
    finally:
        _watchers.remove(watcher)


class _Twin:
    """A compiled kernel that announces its compiling and survives a disk that takes no files."""

    def __init__(self, plain: FunctionType) -> None:
        self.plain = plain
        self.fast: Callable[..., Any] | None = None

    def __call__(self, *args: Any) -> Any:
        if self.fast is not None:
            return self.fast(*args)
        announced = not (_caching[0] and is_kept(self.plain))
        for watcher in _watchers if announced else ():
            watcher(self.plain.__name__)
        try:
            return self._first_call(args)
        finally:
            for watcher in _watchers if announced else ():
                watcher("")

    def _first_call(self, args: tuple[Any, ...]) -> Any:
        try:
            fast = _dispatcher(self.plain)
            result = fast(*args)
        except (OSError, EOFError, PickleError, AttributeError):
            # The files could not be read or written, or name what is not there any more. Nothing
            # has run: that comes after compiling.
            _caching[0] = False
            _dispatcher.cache_clear()
            fast = _dispatcher(self.plain)
            result = fast(*args)
        self.fast = fast
        return result


@cache
def _dispatcher(plain: FunctionType) -> Callable[..., Any]:
    """Return what Numba makes of a kernel and the kernels it calls; the kernel without Numba."""
    try:
        import numba
    except ImportError:
        return plain
    names = {**plain.__globals__, "COMPILED": True}
    for name in plain.__code__.co_names:
        part = names.get(name)
        if isinstance(part, FunctionType) and part in _MEMBERS:
            names[name] = _dispatcher(part)
    twin = FunctionType(plain.__code__, names, plain.__name__, plain.__defaults__)
    twin.__module__ = plain.__module__
    twin.__qualname__ = f"{plain.__qualname__}_{_digest(plain)}"
    if _caching[0]:
        try:
            return cast("Callable[..., Any]", numba.njit(cache=True, nogil=True)(twin))
        except RuntimeError:
            # "No locator available": neither the installation nor a home can be written to.
            _caching[0] = False
    return cast("Callable[..., Any]", numba.njit(nogil=True)(twin))


@cache
def is_kept(function: Callable[..., Any]) -> bool:
    """Return whether the compiled kernel seems to be on disk; looks at names of files alone."""
    plain = cast("FunctionType", function)
    home = Path(plain.__code__.co_filename).parent
    name = f"{plain.__module__.rpartition('.')[2]}.{plain.__qualname__}_{_digest(plain)}-"
    return any(found.startswith(name) and found.endswith(".nbi") for found in _files(home))


def _files(home: Path) -> Iterator[str]:
    """Yield the names of files where Numba keeps what it compiles from this folder."""
    given = os.environ.get("NUMBA_CACHE_DIR")
    roots = [given] if given else [os.path.expanduser(place) for place in _USER_FOLDERS]  # noqa: PTH111
    # In those Numba makes folders of its own, called after the source's and a digest.
    places = [place for root in roots for place in Path(root).glob(f"{home.name}_*")]
    for place in places if given else [home / "__pycache__", *places]:
        try:
            yield from os.listdir(place)  # noqa: PTH208
        except OSError:
            continue


@cache
def _digest(function: FunctionType) -> str:
    """Return a name for the code of a kernel, of the kernels it calls and of its constants.

    Numba names its files after module and function and looks for changes in that module only; a
    kernel may call others elsewhere, so a digest of all of them is part of the name.
    """
    code = function.__code__
    parts = [code.co_code, repr(code.co_consts).encode(), repr(code.co_names).encode()]
    for name in code.co_names:
        value = function.__globals__.get(name)
        if isinstance(value, FunctionType) and value in _MEMBERS:
            parts.append(_digest(value).encode())
        elif isinstance(value, int):
            parts.append(str(value).encode())
    return sha256(b"\0".join(parts)).hexdigest()[:12]


def _cost(function: Callable[..., Any]) -> int:
    """Return how many plain steps a kernel may take in all before it is compiled."""
    if is_kept(function):
        return 0 if "numba" in sys.modules else STEPS_OF_IMPORT
    return STEPS_A_BYTE * _code_bytes(cast("FunctionType", function))


@cache
def _code_bytes(function: FunctionType) -> int:
    """Return how much code is compiled with a kernel; what two call counts twice."""
    names = function.__code__.co_names
    parts = [function.__globals__.get(name) for name in names]
    inner = [p for p in parts if isinstance(p, FunctionType) and p in _MEMBERS]
    return len(function.__code__.co_code) + sum(_code_bytes(part) for part in inner)
