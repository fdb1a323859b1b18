"""How the layering kernels are run: as plain Python, or compiled by Numba, with the same result.

Kernels are plain functions on arrays and integers, written in the part of Python that Numba
understands. They use integers only and draw their own pseudo-random numbers from a 31-bit linear
congruential generator, so that no rounding, library or machine can change a result; whether a
kernel runs compiled or not is a matter of time alone.

Rent or buy: importing Numba takes about half a second, compiling a kernel one more second the
first time on a machine (then it is read from a cache on disk). A small task is therefore run in
plain Python; once the plain work of a process adds up to about what compiling would have cost, or
a single task is large, kernels are compiled. From then on every kernel is.

A kernel may call other kernels by their global names. The compiled twin is made from the same code
object with those names bound to the compiled twins, which keeps this module free of decorators
that would import Numba.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from hashlib import sha256
from types import FunctionType
from typing import Any, ParamSpec, TypeVar, cast

P = ParamSpec("P")
T = TypeVar("T")

PLAIN_TASK = 150_000  # elementary steps one task may take in plain Python, about 0.1 s
PLAIN_TOTAL = 1_000_000  # and all plain tasks of a process together, about 1 s

_COMPILED: dict[Callable[..., Any], Callable[..., Any]] = {}
_MEMBERS: set[Callable[..., Any]] = set()
_plain_work = [0]


def kernel(function: Callable[P, T]) -> Callable[P, T]:
    """Return the function itself, noted as one that may be compiled and called by other kernels."""
    _MEMBERS.add(function)
    return function


@cache
def compiled(function: Callable[P, T]) -> Callable[P, T]:
    """Return the compiled twin of a kernel; Numba is imported and the twin made on first use.

    *Cost*: about a second for each kernel and machine, then a few milliseconds from the cache.
    """
    import numba

    plain = cast("FunctionType", function)
    names = dict(plain.__globals__)
    for name in plain.__code__.co_names:
        part = names.get(name)
        if isinstance(part, FunctionType) and part in _MEMBERS:
            names[name] = compiled(part)
    # Numba names its cache files after module and function and looks for changes in that module
    # only; a kernel may call others elsewhere, so a digest of all of them is part of the name.
    twin = FunctionType(plain.__code__, names, plain.__name__, plain.__defaults__)
    twin.__module__ = plain.__module__
    twin.__qualname__ = f"{plain.__qualname__}_{_digest(plain)}"
    result = cast("Callable[P, T]", numba.njit(cache=True, nogil=True)(twin))
    _COMPILED[function] = result
    return result


@cache
def _digest(function: FunctionType) -> str:
    """Return a name for the code of a kernel, of the kernels it calls and of its constants."""
    code = function.__code__
    parts = [code.co_code, repr(code.co_consts).encode(), repr(code.co_names).encode()]
    for name in code.co_names:
        value = function.__globals__.get(name)
        if isinstance(value, FunctionType) and value in _MEMBERS:
            parts.append(_digest(value).encode())
        elif isinstance(value, int):
            parts.append(str(value).encode())
    return sha256(b"\0".join(parts)).hexdigest()[:12]


def chosen(function: Callable[P, T], work: int) -> Callable[P, T]:
    """Return the kernel or its compiled twin, whichever is the better bargain for this much work.

    Parameters
    ----------
    function
        A kernel.
    work
        An estimate of the elementary steps it will take.
    """
    ready = _COMPILED.get(function)
    if ready is not None:
        return ready
    if not _COMPILED and work <= PLAIN_TASK and _plain_work[0] + work <= PLAIN_TOTAL:
        _plain_work[0] += work
        return function
    return compiled(function)


def run(function: Callable[P, T], work: int, *args: P.args, **kwargs: P.kwargs) -> T:
    """Return what the kernel yields, run plain or compiled after :func:`chosen`."""
    return chosen(function, work)(*args, **kwargs)
