"""What commands print with ``--json``: the type of each result, filled from what a verb returned.

A type names what is shown. :func:`result` takes it from a value by attribute, so that there is no
second spelling; the JSON Schema of a command is generated from the same type
(:func:`result_schema`). No key is optional: what does not apply is null.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, is_dataclass
from functools import cache
from math import isfinite, isnan
from types import UnionType
from typing import TYPE_CHECKING, Any, Literal, Union, get_args, get_origin, get_type_hints

from typing_extensions import TypedDict, is_typeddict

from pathveil.model.certificate import CertificateRow, Finding, Identification, Loss
from pathveil.model.publication import SeriesPlace

if TYPE_CHECKING:
    from pathveil.attacks.one_file.posterior import Inference
    from pathveil.attacks.series.insider import SeriesInference
    from pathveil.attacks.series.outsider import SeriesReading
    from pathveil.attacks.series.pile_attack import OutsiderFindings
    from pathveil.model.network import Network

Number = float | Literal["inf"]
"""A number, or "inf" where there is no bound."""


class CopyResult(TypedDict):
    """One copy of a vertex."""

    vertex: str
    copy: int


class StepResult(TypedDict):
    """A step of the walk between two copies."""

    here: CopyResult
    there: CopyResult


class ReadingResult(TypedDict):
    """The whole walk, and how sure it is where bits are noisy."""

    walk: list[str]
    order: Literal["known", "either_way"]
    gap: int
    rivals: int | None


class VertexResult(TypedDict):
    """What a vertex reads of itself."""

    vertex: str
    visits: int
    links: list[StepResult]


class LinkResult(TypedDict):
    """What a link reads of itself."""

    link: list[str]
    on_walk: bool
    links: list[StepResult]


class CardResult(TypedDict):
    """A party's card and key."""

    card: str
    key: str
    fingerprint: str


class PlaceResult(CopyResult):
    """A copy and its place in the walk."""

    place: int | None


class BesideResult(TypedDict):
    """The vertices linked on the walk to one of a party's own visits: one place before or after."""

    place: int
    vertices: list[str]


class OutcomeResult(TypedDict):
    """What one party put in (so many rows) and learnt, and what is next to its own visits."""

    party: str
    rows: int
    learn: Literal["own", "walk"]
    places: list[PlaceResult]
    walk: list[str] | None
    order: str | None
    beside: list[BesideResult]
    rounds: int
    bytes_sent: int


class RehearsalResult(TypedDict):
    """Every party's outcome, and whether they read what ``reconstruct`` reads."""

    parties: list[OutcomeResult]
    as_reconstruct: bool


class FindingsResult(TypedDict):
    """Claims that were checked, and what nothing at hand can confirm."""

    holds: bool | None
    findings: list[Finding]
    unconfirmed: list[str]


class CandidateResult(TypedDict):
    """What an adversary believes of one candidate; ``by_coins`` as in the whole."""

    candidate: str
    prior: float
    by_coins: float | None
    posterior: float


class InferenceResult(TypedDict):
    """What someone who lacks links believes, and how often the best guess is right.

    ``success`` with the file, ``control`` by the bits of known links alone, ``without`` the file;
    ``by_coins`` without the layers, where these follow the walk, else null.
    """

    candidates: list[CandidateResult]
    success: float
    by_coins: float | None
    control: float
    without: float
    odds: Number | None
    certified: Number | None
    within_certificate: bool | None
    method: str
    error: float | None
    left_out: list[str]


class PossibleLinkResult(TypedDict):
    """A link that may be the one someone lacks."""

    link: list[str]
    posterior: float


class InsiderResult(TypedDict):
    """What several files leave to someone who lacks one link."""

    candidates: list[PossibleLinkResult]
    left: int
    left_without_coins: int
    truth_posterior: float


class OutsiderReadingResult(TypedDict):
    """What outsiders read in one way, and what of it is right."""

    links: list[list[str]]
    walks: list[list[str] | None]
    paths: int
    walks_right: int
    links_right: int
    links_by_luck: float


class OutsiderResult(TypedDict):
    """What several files give away to outsiders."""

    files: int
    counting: OutsiderReadingResult
    structure: OutsiderReadingResult


class UniverseResult(TypedDict):
    """Which pairs had coins, without the pairs."""

    count: int
    digest: str


class MeasuredResult(TypedDict):
    """A loss measured from outside, which is a lower bound, beside the one claimed."""

    epsilon: float
    claimed: Number | None


class AuditResult(TypedDict):
    """What an audit measured beside what is claimed: that the link is there, that it is not."""

    policy: str
    direction: Literal["public", "hidden"]
    claim: str
    forward: MeasuredResult
    backward: MeasuredResult
    samples: int
    drawn: int
    confidence: float
    verdict: str


class ReproducedResult(TypedDict):
    """A claim of the paper beside our figure."""

    claim: str
    found: str
    ours: str
    verdict: str


class ReproductionResult(TypedDict):
    """The verdicts on the paper's claims."""

    verdicts: dict[str, int]
    files: list[str]
    findings: list[ReproducedResult]


class ComparisonResult(TypedDict):
    """How the prior systems and ours fared under one attack."""

    verdict: list[str]
    files: list[str]
    strongest: list[dict[str, str | float | bool | None]]


class CertificateResult(TypedDict):
    """The promise of the policy, as in the file."""

    rows: list[CertificateRow]
    identification: list[Identification]
    not_protected: list[str]


class PublicationResult(TypedDict):
    """What a publication says of itself, without its bits."""

    policy: str
    layering: str
    direction: bool | None
    universe: UniverseResult | None
    series: SeriesPlace | None
    unsafe: bool
    certificate: CertificateResult


class RowResult(TypedDict):
    """A row of a ledger: the release it is of, and the loss up to it."""

    counter: int
    series: int
    place: int
    digest: str
    spent: Loss


class RecordedResult(RowResult):
    """A release that a ledger recorded, or gave back."""

    replayed: bool
    budget: str | None


class ReleaseResult(PublicationResult):
    """What was released."""

    file: str
    ledger: RecordedResult | None


class InspectionResult(PublicationResult):
    """What a publication holds; a sketch has a capacity and lists no vertices or classes."""

    form: Literal["packed", "sketch"]
    bytes: int | None
    vertices: int | None
    classes: int | None
    capacity: int | None
    certificate_earned: bool
    digest_kept: bool | None


class ConversionResult(TypedDict):
    """What a publication takes in its new file, and took in the old one."""

    file: str
    bytes: int | None
    bytes_before: int | None


class EntryResult(RowResult):
    """A release in a ledger."""

    policy: str
    grouping: str | None
    time: str
    handed_out: bool


class StandingResult(TypedDict):
    """What has been released of one network."""

    network: int
    links: int
    spent: Loss
    budget: str | None
    left: str | None
    uses: dict[str, int]
    cover: Number | None
    named: int | None
    more_walks: int | None
    releases: list[EntryResult]


class LedgerResult(TypedDict):
    """What has been released of each network."""

    networks: list[StandingResult]


class FailureResult(TypedDict):
    """A walk of a batch that was not published."""

    line: int
    message: str


class BatchResult(TypedDict):
    """What became of a batch; a repeated walk is given as its line and the line of the first."""

    output: str
    published: int
    resumed: int
    failures: list[FailureResult]
    repeated: list[list[int]]
    ledger: list[RecordedResult] | None


class GroupingResult(TypedDict):
    """The public facts of a grouping."""

    file: str
    digest: str
    vertices: int
    classes: int
    members: list[int]
    pairs_a_link_hides_among: list[int]


class NetworkResult(TypedDict):
    """What participants compare."""

    vertices: int
    links: int
    digest: str


class CleanedResult(NetworkResult):
    """A network that was written again."""

    file: str


class KeysResult(TypedDict):
    """A new key pair; the secret key stays in its file."""

    public: str
    secret_key_file: str


class PolicyResult(TypedDict):
    """A policy as ``--policy`` takes it, in one sentence."""

    policy: str
    summary: str


class PlanResult(TypedDict):
    """Whether walks fit, and by which ways."""

    verdict: str
    fits: bool
    walks: int
    length: int
    vertices: int
    links: int
    ways: list[dict[str, str | float | bool | None]]


RESULTS: dict[str, Any] = {
    "attack": InferenceResult | InsiderResult | OutsiderResult,
    "lab audit": AuditResult,
    "batch": BatchResult,
    "lab compare": ComparisonResult,
    "group": GroupingResult,
    "inspect": InspectionResult | ConversionResult,
    "keys": KeysResult,
    "ledger show": LedgerResult,
    "ledger verify": FindingsResult,
    "network clean": CleanedResult,
    "network digest": NetworkResult,
    "party init": CardResult,
    "party rehearse": RehearsalResult,
    "party run": OutcomeResult,
    "plan": PlanResult,
    "policies": list[PolicyResult],
    "publish": ReleaseResult,
    "reconstruct": ReadingResult | VertexResult | LinkResult,
    "lab reproduce": ReproductionResult,
    "verify": FindingsResult,
}
"""What each command with ``--json`` prints."""


def result_schema(command: str) -> dict[str, Any]:
    """Return the JSON Schema of what a command prints with ``--json``.

    >>> sorted(result_schema("network digest")["properties"])
    ['digest', 'links', 'vertices']
    """
    from pydantic import TypeAdapter
    from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue

    class Closed(GenerateJsonSchema):
        """A schema in which every key is required, and no other is allowed."""

        def typed_dict_schema(self, schema: Any) -> JsonSchemaValue:
            return {**super().typed_dict_schema(schema), "additionalProperties": False}

        def dataclass_schema(self, schema: Any) -> JsonSchemaValue:
            return {**super().dataclass_schema(schema), "additionalProperties": False}

        def field_is_required(self, *_: Any, **_more: Any) -> bool:
            return True

    return TypeAdapter(RESULTS[command]).json_schema(schema_generator=Closed)


def result(kind: Any, value: object = None, **more: Any) -> dict[str, Any]:
    """Return a result as plain data: each key of its type, given here or an attribute of a value.

    >>> from pathveil.model.universe import Universe
    >>> sorted(result(UniverseResult, Universe.of([("a", "b")]), digest="d").items())
    [('count', 1), ('digest', 'd')]
    """
    return {
        name: _plain(hint, more[name] if name in more else getattr(value, name))
        for name, hint in _hints(kind).items()
    }


@cache
def _hints(kind: Any) -> dict[str, Any]:
    return get_type_hints(kind)


def _plain(hint: Any, value: Any) -> Any:
    """Return a value as its type says, in what JSON has a form for."""
    if value is None:
        return None
    if get_origin(hint) is list:
        return [_plain(get_args(hint)[0], one) for one in value]
    if get_origin(hint) in {Union, UnionType}:
        return _plain(get_args(hint)[0], value)  # what else it may be is null, or "inf"
    if isinstance(value, dict):
        return {key: finite(one) for key, one in value.items()}
    if hint is CopyResult:
        return {"vertex": value[0], "copy": value[1]}
    if is_typeddict(hint):
        return result(hint, value)
    if hint is str:
        return str(value)
    return asdict(value) if is_dataclass(value) else finite(value)  # type: ignore[arg-type]


def finite(value: Any) -> Any:
    """Return a value that JSON has a form for."""
    if not isinstance(value, float) or isfinite(value):
        return value
    return None if isnan(value) else str(value)


def inference_data(inferred: Inference) -> dict[str, Any]:
    """Return what an adversary believes, most likely first."""
    coins = inferred.by_coins
    rows = []
    for one in inferred.candidates:
        by_coins = None if coins is None else coins.posterior_of(*one.links)
        rows.append(result(CandidateResult, one, candidate=one.label, by_coins=by_coins))
    odds = None if inferred.method == "sampled" else inferred.odds
    success = None if coins is None else coins.success
    return result(InferenceResult, inferred, candidates=rows, odds=odds, by_coins=success)


SHOWN = 12
"""Candidates that are listed."""


def insider_data(inferred: SeriesInference, truth: tuple[str, str]) -> dict[str, Any]:
    """Return what is left to someone who lacks one link, and their belief in the true one."""
    likely = zip(inferred.links[:SHOWN], inferred.posterior, strict=False)
    return {
        "candidates": [{"link": list(link), "posterior": belief} for link, belief in likely],
        "left": len(inferred.pairs),
        "left_without_coins": inferred.control,
        "truth_posterior": inferred.posterior_of(truth),
    }


def outsider_data(
    read: OutsiderFindings, network: Network, true: Sequence[Sequence[int]]
) -> dict[str, Any]:
    """Return what outsiders read, and what of it is right by the network and its true walks.

    ``links_by_luck`` is what as many blind guesses would name on average.
    """
    from pathveil.attacks.series.outsider import walks_right

    rivals = len(read.sightings.pairs)

    def reading(one: SeriesReading) -> dict[str, Any]:
        return result(
            OutsiderReadingResult,
            one,
            paths=sum(walk is not None for walk in one.walks),
            walks_right=walks_right(one, true),
            links_right=sum(link in network.links for link in one.links),
            links_by_luck=len(one.links) * len(network.links) / rivals,
        )

    both = {"counting": reading(read.counting), "structure": reading(read.structure)}
    return {"files": len(read.files), **both}
