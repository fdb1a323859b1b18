"""Everything that can go wrong, as a tree.

    PathveilError
    ├── BadArgument             an argument of another kind than expected, or not one of the choices
    ├── BadNetwork              the network itself cannot be used
    │   ├── NotSimple             a self-loop or a parallel link
    │   ├── NotConnected          more than one component
    │   ├── UnknownVertex         a name that is not a vertex of the network
    │   ├── NameClash             two labels with the same text
    │   └── NotHarmonious         two of its links lie between the same two classes of a grouping
    ├── NotAWalk                the walk is too short, or a step is not a link
    ├── Incompatible            two things that do not go together in one release
    ├── BadBudget               a budget, loss or probability that is no exact number in range
    ├── NeedsMoreCopies         the walk visits a vertex more often than the policy has copies
    ├── BadFile                 a file that cannot be read; says where in the file
    │   ├── UnclearColumns        a table that does not say which columns hold the ends of a link
    │   ├── FileTaken             an output whose name another file has
    │   └── BadPublication        a publication that contradicts itself
    │       └── FalseCertificate    a certificate that its policy does not earn
    │           └── UncheckedCertificate  a certificate of a policy that is not known here
    ├── BadGrouping             classes that contradict themselves, or that cannot be drawn
    ├── GateClosed              releasing would give walks or links to an outsider
    ├── DoesNotFit              publication and network do not belong together
    ├── BrokenSeries            releases that do not follow one another
    ├── NoVertexList            a publication that lists no vertices is asked for them
    ├── ExchangeFailed          a secure exchange stopped before its end; says why, and nothing else
    ├── TooLarge                more than a form of publication can hold, or an attack try
    ├── SearchExhausted         the paper's search hit its step limit
    ├── RuleBroken              a layered graph breaks a publishing rule
    ├── LedgerError             the ledger cannot do what was asked; nothing was handed out
    │   ├── OverBudget            a link would run up more loss than its budget
    │   ├── LedgerBehind          the ledger is older than the files beside it
    │   ├── LedgerBroken          the ledger contradicts itself
    │   ├── LedgerUnreachable     busy, full, missing, or the connection was lost
    │   └── BadKey                a key file, of a ledger or a journal, cannot be used
    ├── NoScheduler             no Dask scheduler answers at the address given
    └── MissingExtra            an optional dependency is not installed

A message says where, what was found, what was expected and what to do. Messages speak to the
custodian and may name vertices; whoever shows them to the public must map them first.
"""

from __future__ import annotations

from pathveil.wording import LONGEST_MESSAGE, shown_text


class PathveilError(Exception):
    """The base of every error this package raises on purpose."""

    def __str__(self) -> str:
        return shown_text(super().__str__(), limit=LONGEST_MESSAGE)


class BadArgument(PathveilError, TypeError, ValueError):
    """An argument of another kind than expected, or not one of the choices."""

    @classmethod
    def of(cls, what: str, given: object, write: str) -> BadArgument:
        """Return the error that says what was given and what to write instead."""
        return cls(f"{what} is of type {type(given).__name__}; {write}")


class BadNetwork(PathveilError, ValueError):
    """The network itself cannot be used."""


class NotSimple(BadNetwork):
    """The network has a self-loop or a parallel link."""


class NotConnected(BadNetwork):
    """The network falls into more than one component."""


class UnknownVertex(BadNetwork):
    """A name that is not a vertex of the network."""

    among_known = False
    """Whether other visits of its walk are vertices."""


class NameClash(BadNetwork):
    """Names or codes that do not tell vertices apart: one is there twice, missing, or two alike."""


class NotHarmonious(BadNetwork):
    """A link has no block of its own: inside a class, or two between the same two classes."""


class NotAWalk(PathveilError, ValueError):
    """The walk is too short, or one of its steps is not a link of the network."""


class Incompatible(PathveilError, ValueError):
    """Two things that do not go together in one release; the message says what to do."""


class BadBudget(PathveilError, ValueError):
    """A budget, loss or probability that is not an exact number in its range."""


class NeedsMoreCopies(PathveilError, ValueError):
    """The walk visits a vertex, or uses a link, more often than the policy allows."""

    def __init__(self, message: str, *, needed: int) -> None:
        super().__init__(message)
        self.needed = needed


class BadFile(PathveilError, ValueError):
    """A file that cannot be read or written; the message starts with the place."""


class UnclearColumns(BadFile):
    """A table that does not say which two columns hold the ends of a link.

    Attributes
    ----------
    cells
        Its first line.
    """

    def __init__(self, message: str, *, cells: tuple[str, ...]) -> None:
        super().__init__(message)
        self.cells = cells


class FileTaken(BadFile):
    """An output whose name another file has; it is kept."""


class BadPublication(BadFile):
    """A publication whose parts contradict each other."""


class FalseCertificate(BadPublication):
    """A publication whose certificate is not the one that its policy earns."""


class UncheckedCertificate(FalseCertificate):
    """A publication under a policy this version does not know: nothing says what it earns."""


class BadGrouping(PathveilError, ValueError):
    """Classes that contradict themselves or their terms, or that no draw could make."""


class GateClosed(PathveilError, RuntimeError):
    """Too little cover is left, or releases do not go together; nothing was drawn.

    ``cover`` holds the figures; it looks at the network and is for the custodian alone.
    """

    def __init__(self, message: str, *, cover: object = None) -> None:
        super().__init__(message)
        self.cover = cover


class DoesNotFit(PathveilError, ValueError):
    """Publication and network do not belong together."""


class BrokenSeries(PathveilError, ValueError):
    """Releases that do not follow one another: a gap, a fork, other vertices or terms."""


class NoVertexList(PathveilError, ValueError):
    """A publication that lists no vertices is asked to be drawn or enumerated."""


class ExchangeFailed(PathveilError, RuntimeError):
    """A secure exchange between parties stopped before its end."""

    def __init__(self, message: str, *, inconsistent: bool = False) -> None:
        super().__init__(message)
        self.inconsistent = inconsistent


class TooLarge(PathveilError, ValueError):
    """More than a form of publication can hold, or more worlds than an attack tries."""


class SearchExhausted(PathveilError, RuntimeError):
    """The paper's search used up its step limit."""

    def __init__(self, message: str, *, steps: int) -> None:
        super().__init__(message)
        self.steps = steps


class RuleBroken(PathveilError, AssertionError):
    """A layered graph breaks one of the publishing rules."""

    def __init__(self, message: str, *, rule: str) -> None:
        super().__init__(message)
        self.rule = rule


class LedgerError(PathveilError, RuntimeError):
    """The ledger cannot do what was asked; nothing was handed out."""


class OverBudget(LedgerError):
    """The release would bring some link over the budget; it was refused and not recorded."""


class LedgerBehind(LedgerError):
    """The ledger is older than its marks: it was probably restored from an old backup."""


class LedgerBroken(LedgerError):
    """No ledger, or one that is damaged, contradicts itself or was changed by another hand."""


class LedgerUnreachable(LedgerError):
    """The database is missing, busy or full, or the connection to it was lost."""


class BadKey(LedgerError):
    """The key file of a ledger is missing, exposed, or belongs to another ledger."""


class NoScheduler(PathveilError, OSError):
    """No Dask scheduler answers at the address given."""


class MissingExtra(PathveilError, ImportError):
    """An optional dependency is not installed."""

    def __init__(self, extra: str, needs: str) -> None:
        super().__init__(
            f"this needs {needs}, not installed here; run: pip install 'pathveil[{extra}]'"
        )
        self.extra = extra
