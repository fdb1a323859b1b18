"""The shape of ``*.veil.json``, from which its committed JSON Schema is generated.

The schema says what each key holds. What the parts owe each other (every cover leads to a node,
layers agree with arcs ...) is beyond a schema and is checked in
:mod:`pathveil.files.publications.veil_json`.

Once released, changing a field means a new ``VERSION`` (:mod:`pathveil.files.strict_json`): files
are read back years later. ``groups.json`` has its shape here too: a grouping is for the life of a
network. ``make schemas`` writes the schema again.

What the shapes of our file formats are built from: strict parts, and the schema they make.

To collect every fault of a hostile file takes a thousand bytes for each of its own: so lists
are given up at their first fault (:data:`Listed`), mappings have few keys (:data:`Mapped`), and of
the keys that a part does not know one is looked at.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    StrictBool,
    StrictInt,
    StrictStr,
    model_validator,
)
from pydantic_core import PydanticCustomError

from pathveil.files.strict_json import VERSION
from pathveil.model.certificate import AdversaryKind, Clue
from pathveil.model.layered import Layering
from pathveil.model.sketch import MOST_KEYS as MOST_LINKS

MOST_KEYS = 64
"""Keys of a mapping: policies state a dozen parameters at most."""

LONGEST = 20_000
"""Characters of a text that states a fact."""

Item = TypeVar("Item")
Key = TypeVar("Key")


def _require_few(given: Any) -> Any:
    if isinstance(given, dict) and len(given) > MOST_KEYS:
        raise PydanticCustomError(
            "too_many",
            "has {found} keys, expected at most {most}",
            {"found": len(given), "most": MOST_KEYS},
        )
    return given


Listed = Annotated[list[Item], Field(fail_fast=True)]
"""A list that is given up at its first fault."""

Rows = Annotated[list[Item], Field(fail_fast=True, max_length=20_000)]
"""A part of a certificate, for each adversary a row."""

Mapped = Annotated[dict[Key, Item], BeforeValidator(_require_few)]
"""A mapping of few keys."""


class StrictPart(BaseModel):
    """A part of a file: no key too many, none too few, no value bent into shape."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    @model_validator(mode="before")
    @classmethod
    def _one_stranger(cls, given: Any) -> Any:
        """Return what is given with one unknown key at most: one is enough to refuse the file."""
        if not isinstance(given, dict) or len(given) <= len(cls.model_fields):
            return given
        known = {field.alias or name for name, field in cls.model_fields.items()}
        stranger = next(key for key in given if key not in known)
        return {key: given[key] for key in (*known, stranger) if key in given}


def json_schema(model: type[StrictPart], name: str) -> str:
    """Return the JSON Schema of a file format as the text that is committed beside it."""
    schema = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": name,
        **model.model_json_schema(by_alias=True),
    }
    return json.dumps(schema, indent=2, ensure_ascii=False) + "\n"


FORMAT = "pathveil/publication"
SCHEMA_ID = f"urn:pathveil:publication:{VERSION}"

Count = Annotated[StrictInt, Field(ge=0, lt=1 << 53)]
Positive = Annotated[StrictInt, Field(ge=1, lt=1 << 53)]
Members = Annotated[StrictInt, Field(ge=1, le=1 << 40)]
Text = Annotated[StrictStr, Field(max_length=LONGEST)]
Name = Annotated[StrictStr, Field(min_length=1)]
Word = Annotated[StrictStr, Field(min_length=1, max_length=LONGEST)]
Ends = Annotated[tuple[Positive, Positive], Field(strict=False)]
Digest = Annotated[StrictStr, Field(pattern=r"^[0-9a-f]{64}$")]
# A pattern for other programs; here a salt that was cut is told in words of its own.
Salt = Annotated[StrictStr, Field(json_schema_extra={"pattern": r"^[0-9a-f]{32}$"})]
Decimal = Annotated[
    StrictStr, Field(pattern=r"^(-?[0-9]{1,40}(\.[0-9]{1,40})?([eE][+-]?[0-9]{1,2})?|inf)$")
]


class PolicyPart(StrictPart):
    """How the coins were thrown: a name, and exact parameters as text."""

    name: Word
    parameters: Mapped[Word, Text]
    noisy: StrictBool = Field(description="whether bits of links may be wrong too")


class LossPart(StrictPart):
    """An exact loss: a closed form, and a decimal rounded up ("inf" if unbounded)."""

    expression: Text
    decimal: Decimal


class AdversaryPart(StrictPart):
    """Whom a row speaks of: what he goes by, and what he does not know."""

    kind: AdversaryKind
    walk_links: Count
    other_links: Count
    uses: Positive | None = Field(description="of each missing walk link; null: the most allowed")
    copies: Ends | None = Field(
        description="of the two ends of a missing link; null: the policy's public number"
    )
    releases: Positive
    on_walks: Count | None = Field(
        default=None, description="in a series: on how many of its walks the missing link lies"
    )


class RowPart(StrictPart):
    """What one adversary can gain."""

    adversary: AdversaryPart
    presence: LossPart
    absence: LossPart
    bound: StrictBool = Field(description="whether it holds for every such adversary")


class IdentificationPart(StrictPart):
    """How often one missing walk link is told from its rivals; decimals rounded up."""

    joins: Positive
    before: Decimal
    after: Decimal
    certain: Decimal
    by: Clue = Field(description="what tells them apart")
    copies: Ends | None = Field(
        description="of the two ends of every join; null: the policy's public number"
    )


class CertificatePart(StrictPart):
    """The promise of the policy, the same for every walk."""

    rows: Rows[RowPart]
    identification: Rows[IdentificationPart]
    not_protected: Rows[Text]


class UniversePart(StrictPart):
    """Which pairs had coins."""

    pairs: Listed[Annotated[tuple[Name, Name], Field(strict=False)]]


class GroupingPart(StrictPart):
    """Over which grouping it is published; the grouping itself is a public file of its own."""

    digest: Digest
    sizes: Listed[Annotated[tuple[Members, Members], Field(strict=False)]] = Field(
        description="members of a class, and how many classes have so many; the smallest first"
    )


class SeriesPart(StrictPart):
    """Its place in a series of releases over one network."""

    place: Positive
    before: Digest | None = Field(description="of the release before; null: it is the first")
    release: Digest = Field(description="of this release: what later ones name")


class VertexPart(StrictPart):
    """A public vertex and its public number of copies."""

    name: Name
    copies: Positive


NodePart = Annotated[
    tuple[Name, Count, Count],
    Field(strict=False, description="vertex, copy, piece"),
]


class FactsFile(StrictPart):
    """Every public fact of a publication beside names, bits and drawing."""

    schema_id: Literal["urn:pathveil:publication:1"] = Field(alias="$schema")
    format: Literal["pathveil/publication"]
    version: Literal[1]
    unsafe: StrictBool = Field(
        description="whether the coins came from a seed: then nothing is protected"
    )
    policy: PolicyPart
    layering: Layering
    direction: StrictBool | None = Field(
        description="whether the first end of the walk sorts before the last; null: not told"
    )
    universe: UniversePart | None = Field(description="null: every pair had a coin")
    grouping: GroupingPart | None = Field(
        description="if given, the vertices below are its classes, and direction compares classes"
    )
    series: SeriesPart | None = Field(default=None, description="null: it stands alone")
    salt: Salt | None = Field(
        default=None,
        description="32 random hexadecimal digits, in files that are named by a digest elsewhere; "
        "in every file of a series",
    )
    certificate: CertificatePart


class PublicationFile(FactsFile):
    """A walk published as a layered graph. Nodes are numbered by their place in ``nodes``."""

    model_config = ConfigDict(title="pathveil publication")

    vertices: Listed[VertexPart]
    bits: Annotated[StrictStr, Field(pattern=r"^([0-9a-f]{2})*$")] = Field(
        description="one bit for each pair of copies, upper triangle row by row, in hexadecimal; "
        "set: in one branch"
    )
    nodes: Listed[NodePart] = Field(description="one piece of one copy of a vertex each")
    layers: Listed[Annotated[Listed[Count], Field(min_length=1)]] = Field(
        description="node numbers, top layer first"
    )
    arcs: Listed[Listed[Count]] = Field(
        description="for each node, in order, the nodes it covers: directly below it"
    )


class SketchPart(StrictPart):
    """The public numbers of a sketch."""

    capacity: Annotated[StrictInt, Field(ge=1, le=MOST_LINKS)]
    planes: Annotated[StrictInt, Field(ge=1, le=32)]
    threshold: Positive


class CompactFile(FactsFile):
    """The facts in a compact file: of packed bits or of a sketch, which are kept elsewhere."""

    vertices: Listed[VertexPart] = []
    sketch: SketchPart | None = None


class SectionPart(StrictPart):
    """A section in the header of a compact file: its bytes when decoded, and its chunks."""

    name: Word
    size: Count
    rate: Annotated[StrictInt, Field(ge=0, lt=4096, description="for the range coder, in 4096ths")]
    stored: Listed[Count] = Field(description="bytes of each chunk in the file")
    digests: Listed[StrictStr] = Field(description="checksum of each chunk")


def schema_text() -> str:
    """Return the JSON Schema of the file format, as committed beside this module."""
    return json_schema(PublicationFile, SCHEMA_ID)


SCHEMA_PATH = Path(__file__).with_name("veil.schema.json")
"""The committed schema; a test keeps it equal to :func:`schema_text`."""


# -- groupings -----------------------------------------------------------------------------------


class TermsPart(StrictPart):
    """The public numbers of the draw."""

    classes: Positive = Field(description="colours the draw could choose from")
    cap: Positive = Field(description="members a class may have at most")
    at_least: Positive = Field(description="members every class has at least")


class GroupingFile(StrictPart):
    """Vertices in classes with at most one link between two of them. Public."""

    model_config = ConfigDict(title="pathveil grouping")

    schema_id: Literal["urn:pathveil:grouping:1"] = Field(alias="$schema")
    format: Literal["pathveil/grouping"]
    version: Literal[1]
    unsafe: StrictBool = Field(description="whether it was drawn from a seed")
    terms: TermsPart
    digest: Digest = Field(description="SHA-256 that publications name this grouping by")
    classes: Annotated[
        Listed[Annotated[Listed[Name], Field(min_length=1)]],
        Field(min_length=1),
    ]


GROUPS_SCHEMA_PATH = Path(__file__).with_name("groups.schema.json")
"""The committed schema; a test keeps it equal to :func:`groups_schema_text`."""


def groups_schema_text() -> str:
    """Return the JSON Schema of ``groups.json``, as committed beside this module."""
    return json_schema(GroupingFile, f"urn:pathveil:grouping:{VERSION}")
