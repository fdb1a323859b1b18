"""The types of what commands print with ``--json``, and the JSON Schemas they make.

A result is plain data, so printing it takes nothing but ``json``; the schema of a command is
generated from its type (:func:`result_schema`). No key is optional: what does not apply is null.
"""

from __future__ import annotations

from typing import Any, Literal

from typing_extensions import TypedDict

from pathveil.planning.plan import Way

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
    """The whole walk; with noisy bits also how sure it is."""

    walk: list[str]
    order: Literal["known", "either_way"]
    gap: int | None
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


class SwappedResult(TypedDict):
    """Two copies of which it is not known which has which place."""

    positions: list[CopyResult]
    places: list[int | None]


class FollowsResult(TypedDict):
    """What a party can work out from what it learnt."""

    places: list[PlaceResult]
    swapped: list[SwappedResult]
    length: int | None
    at_least: int | None


class OpenedResult(TypedDict):
    """Numbers opened to one party, or to all (null)."""

    name: str
    numbers: int
    to: str | None


class PutInResult(TypedDict):
    """What a party put into an exchange."""

    rows: int


class OutcomeResult(TypedDict):
    """What one party put in, learnt and can work out."""

    party: str
    put_in: PutInResult
    learn: Literal["own", "walk"]
    places: list[PlaceResult]
    walk: list[str] | None
    order: str | None
    follows: FollowsResult
    opened: list[OpenedResult]
    rounds: int
    bytes_sent: int


class RehearsalResult(TypedDict):
    """Every party's outcome, and whether they read what ``reconstruct`` reads."""

    parties: list[OutcomeResult]
    as_reconstruct: bool


class LossResult(TypedDict):
    """A loss in nats; the expression is null where there is no closed form."""

    expression: str | None
    decimal: str


class ClaimResult(TypedDict):
    """A claim, whether it holds (null: not checked), and what was found otherwise."""

    claim: str
    holds: bool | None
    found: str | None


class FindingsResult(TypedDict):
    """Claims that were checked."""

    holds: bool | None
    findings: list[ClaimResult]


class VerificationResult(FindingsResult):
    """Claims that were checked, and what nothing at hand can confirm."""

    unconfirmed: list[str]


class CandidateResult(TypedDict):
    """What an adversary believes of one candidate."""

    candidate: str
    prior: float
    posterior: float


class GuessResult(TypedDict):
    """How often the best guess is right."""

    with_release: float
    by_known_links: float
    without: float


class InferenceResult(TypedDict):
    """What someone who lacks links believes."""

    candidates: list[CandidateResult]
    best_guess_right: GuessResult
    odds: Number | None
    certified_odds: Number | None
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
    """What outsiders read in one way; what is right is null without the network."""

    links: list[list[str]]
    walks: list[list[str] | None]
    paths: int
    strain: float | None
    walks_right: int | None
    links_right: int | None
    links_by_luck: float | None


class OutsiderResult(TypedDict):
    """What several files give away to outsiders."""

    files: int
    counting: OutsiderReadingResult
    structure: OutsiderReadingResult


class UniverseResult(TypedDict):
    """Which pairs had coins, without the pairs."""

    count: int
    digest: str


class SidesResult(TypedDict):
    """A loss in either direction."""

    presence: LossResult
    absence: LossResult


class AuditResult(TypedDict):
    """What an audit measured beside what is claimed."""

    policy: str
    direction: Literal["public", "hidden"]
    universe: UniverseResult | None
    claim: str
    claimed: SidesResult
    measured_at_least: SidesResult
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


class AdversaryResult(TypedDict):
    """Whom a row of a certificate is about."""

    kind: str
    walk_links: int
    other_links: int
    uses: int | None
    copies: list[int] | None
    releases: int
    on_walks: int | None


class RowResult(SidesResult):
    """A row of a certificate."""

    adversary: AdversaryResult
    bound: bool
    words: str
    notion: str


class IdentificationResult(TypedDict):
    """How often a missing link is told from its rivals."""

    joins: int
    before: str
    after: str
    certain: str
    by: str
    copies: list[int] | None
    words: str


class CertificateResult(TypedDict):
    """A certificate as data, each row with its words."""

    rows: list[RowResult]
    identification: list[IdentificationResult]
    not_protected: list[str]


class SeriesResult(TypedDict):
    """The place of a release in its series."""

    place: int
    before: str | None
    release: str


class PublicationResult(TypedDict):
    """What a publication says of itself, without its bits."""

    policy: str
    layering: str
    direction: bool | None
    universe: UniverseResult | None
    series: SeriesResult | None
    unsafe: bool
    certificate: CertificateResult


class RecordedResult(TypedDict):
    """A release that a ledger recorded."""

    entry: int
    series: int
    place: int
    digest: str
    given_back: bool
    spent: LossResult
    budget: str | None


class ReleaseResult(PublicationResult):
    """What was released."""

    file: str
    ledger: RecordedResult | None


class InspectionResult(PublicationResult):
    """What a publication holds; numbers that its form does not have are null."""

    form: Literal["packed", "sketch"]
    bytes: int | None
    vertices: int | None
    classes: int | None
    copies: int | None
    pieces: int | None
    layers: int | None
    arcs: int | None
    same_branch_pairs: int | None
    capacity: int | None
    value_bits: int | None
    certificate_earned: bool
    digest_kept: bool | None


class ConversionResult(TypedDict):
    """What a publication takes in its new file, and took in the old one."""

    file: str
    bytes: int | None
    bytes_before: int | None


class EntryResult(TypedDict):
    """A release in a ledger."""

    entry: int
    series: int
    place: int
    policy: str
    grouping: str | None
    time: str
    digest: str
    spent: LossResult
    handed_out: bool


class StandingResult(TypedDict):
    """What has been released of one network."""

    network: int
    links: int
    spent: LossResult
    budget: str | None
    left: str | None
    uses: dict[str, int]
    cover: float | None
    more_walks: int | None
    releases: list[EntryResult]


class LedgerResult(TypedDict):
    """What has been released of each network."""

    networks: list[StandingResult]


class FailureResult(TypedDict):
    """A walk of a batch that was not published."""

    line: int
    error: str


class RepeatedResult(TypedDict):
    """A walk of a batch that an earlier line has as well."""

    line: int
    of: int


class BatchResult(TypedDict):
    """What became of a batch."""

    output: str
    published: int
    resumed: int
    failures: list[FailureResult]
    repeated: list[RepeatedResult]
    ledger: list[RecordedResult] | None


class GroupingResult(TypedDict):
    """The public facts of a grouping; null where no grouping can be drawn."""

    file: str | None
    digest: str | None
    vertices: int | None
    classes: int | None
    members: list[int] | None
    pairs_a_link_hides_among: list[int] | None
    voids: str | None


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
    ways: list[Way]


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
    "verify": VerificationResult,
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
        def typed_dict_schema(self, schema: Any) -> JsonSchemaValue:
            return {**super().typed_dict_schema(schema), "additionalProperties": False}

    return TypeAdapter(RESULTS[command]).json_schema(schema_generator=Closed)
