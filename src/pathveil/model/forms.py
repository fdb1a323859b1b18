"""The forms of bits: what each is called, what follows from it, who draws, writes and reads it.

The one table of them. Whoever wants to know something about a form asks here for the fact (does
it list vertices? are rates rounded?), or asks the bits themselves; nobody asks for the class.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from pathveil.model.bits import Bits
    from pathveil.model.publication import Publication

Form = Literal["packed", "sketch"]

SEED_SENTENCE = (
    "A sketch lists no vertex and no link; of the network's size it tells its capacity, the most "
    "links there may be. Its seed was redrawn until the links' rows were independent; that is the "
    "small second term of each finite loss, a bound that takes AES for random."
)


@dataclass(frozen=True)
class FormOfBits:
    """One form that bits come in.

    Parameters
    ----------
    name
        As users and files say it.
    publisher
        Draws walks in this form: ``(network, walks, terms, source, after=, unlinked=)``.
    writer
        What a compact file holds of the bits: facts for its header, and sections of bytes.
    reader
        The bits in a compact file again, ``(container, facts)``; it trusts nothing.
    facts, sections
        What those of a compact file are called.
    lists_vertices
        Whether all pairs can be listed: drawn and enumerated.
    in_json
        Whether ``*.veil.json`` holds it, packed bits beside their drawing; the others are written
        as compact files.
    rounds_rates
        Whether chances are kept as values of so many bits, so that the policy in use has other
        rates than the one asked for.
    sentences
        What the certificate says of the form.
    manner
        How a publication of this form is called in a word.

    Examples
    --------
    >>> form_named("packed").lists_vertices, form_named("sketch").lists_vertices
    (True, False)
    """

    name: Form
    publisher: Callable[..., tuple[Publication, ...]]
    writer: Callable[[Any], tuple[dict[str, Any], list[Any]]]
    reader: Callable[[Any, dict[str, Any]], Bits]
    facts: tuple[str, ...] = ()
    sections: tuple[str, ...] = ()
    lists_vertices: bool = True
    in_json: bool = False
    rounds_rates: bool = False
    sentences: tuple[str, ...] = ()
    manner: str = "packed"


# Who draws, writes and reads knows this room; hence the late imports, which the architecture test
# names.


def _publish_packed(*given: Any, **more: Any) -> tuple[Publication, ...]:
    from pathveil.publishing.release import publish_packed

    return publish_packed(*given, **more)


def _write_packed(bits: Any) -> tuple[dict[str, Any], list[Any]]:
    from pathveil.files.publications.compact import packed_parts

    return packed_parts(bits)


def _read_packed(container: Any, facts: dict[str, Any]) -> Bits:
    from pathveil.files.publications.compact import packed_in

    return packed_in(container, facts)


def _publish_sketched(*given: Any, **more: Any) -> tuple[Publication, ...]:
    from pathveil.sketching.publish_sketch import publish_sketched

    return publish_sketched(*given, **more)


def _write_sketch(bits: Any) -> tuple[dict[str, Any], list[Any]]:
    from pathveil.files.publications.compact import sketch_parts

    return sketch_parts(bits)


def _read_sketch(container: Any, facts: dict[str, Any]) -> Bits:
    from pathveil.files.publications.compact import sketch_in

    return sketch_in(container, facts)


_FORMS = (
    FormOfBits(
        "packed",
        _publish_packed,
        _write_packed,
        _read_packed,
        sections=("names", "copies", "bits"),
        in_json=True,
    ),
    FormOfBits(
        "sketch",
        _publish_sketched,
        _write_sketch,
        _read_sketch,
        facts=("sketch",),
        sections=("values",),
        lists_vertices=False,
        rounds_rates=True,
        sentences=(SEED_SENTENCE,),
        manner="sketched",
    ),
)

FORMS: tuple[Form, ...] = tuple(form.name for form in _FORMS)


def all_forms() -> tuple[FormOfBits, ...]:
    """Return every form there is."""
    return _FORMS


def form_named(name: str) -> FormOfBits:
    """Return the form of that name, or raise :class:`ValueError`."""
    for form in _FORMS:
        if form.name == name:
            return form
    raise ValueError(f"form is {name!r}, expected one of {', '.join(FORMS)}")
