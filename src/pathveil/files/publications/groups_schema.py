"""The shape of ``groups.json``, from which its committed JSON Schema is generated.

Changing a field means a new version: a grouping is for the life of a network.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from pydantic import ConfigDict, Field, StrictBool, StrictInt, StrictStr

from pathveil.files.publications.veil_schema import Listed, StrictPart, json_schema
from pathveil.files.shapes import VERSION

SCHEMA_ID = f"urn:pathveil:grouping:{VERSION}"

Digest = Annotated[StrictStr, Field(pattern=r"^[0-9a-f]{64}$")]
Size = Annotated[StrictInt, Field(ge=1, lt=1 << 53)]


class TermsPart(StrictPart):
    """The public numbers of the draw."""

    classes: Size = Field(description="colours the draw could choose from")
    cap: Size = Field(description="members a class may have at most")
    at_least: Size = Field(description="members every class has at least")
    voids: Digest | None = Field(
        description="digest of the earlier grouping of this network, void since"
    )


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
        Listed[Annotated[Listed[Annotated[StrictStr, Field(min_length=1)]], Field(min_length=1)]],
        Field(min_length=1),
    ]


def schema_text() -> str:
    """Return the JSON Schema of the file format, as committed beside this module."""
    return json_schema(GroupingFile, SCHEMA_ID)


SCHEMA_PATH = Path(__file__).with_name("groups.schema.json")
"""The committed schema; a test keeps it equal to :func:`schema_text`."""
