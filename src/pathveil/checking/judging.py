"""May this draw be sent? For the custodian's eyes only: what the coins did to this walk.

The answer reveals the walk's links, so it belongs on the custodian's screen and nowhere else. A
release that looks bad may be withheld or encrypted; it must not be drawn again until it looks good,
or its coins depend on the secret.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pathveil.attacks.link_risk import certain_together, identify_links
from pathveil.checking.verification import require_reads_back
from pathveil.errors import DoesNotFit, PathveilError
from pathveil.model.network import Network
from pathveil.model.publication import Publication, Verdict
from pathveil.model.walk import Walk
from pathveil.planning.cover import Cover, Life, cover
from pathveil.planning.gate import counted_release, life_of_files
from pathveil.policies import Policy
from pathveil.reading.assemble import reconstruct
from pathveil.wording import counted, html_table

MOST_LINKS, MOST_TRIED = 60, 10_000
"""Links of a walk, and these times vertices, up to which each link is taken away in turn."""
MOST_SHOWN = 20_000_000
"""Files times pairs of vertices up to which files are judged together: some ten seconds."""
MOST_COUNTED = 2_000
"""Vertices up to which it is said how many walks fit; beyond, ask `plan`."""

OTHERS = "give them as earlier=[...]; those with copies are not judged"
"""What to do where files that go with one are not judged, in Python."""


@dataclass(frozen=True, repr=False)
class DrawFindings:
    """What this draw of the coins did to a walk.

    Attributes
    ----------
    words
        It in a line, without names.
    certain
        The links of the walk, and of earlier walks, that are certain to someone who knows all
        others; of earlier walks those that were not before.
    judged
        Whether each link was tried, with all files that are public.
    alarm
        Whether a link is certain although that should have been rare.
    alone
        Whether each link was tried, with this file alone although there are others.
    outsiders
        That outsiders may read the walk from this file alone, or walks from all; empty if not. Of
        an encrypted file that is someone with a key but no network.
    public
        Whether the file is not encrypted.
    sees
        What everyone who can open the file sees.
    told
        Of which links someone is certain who also knows where the walk ends, and who knows where it
        begins, by this file alone; nothing if not asked.
    several
        Whether there are other files.
    """

    words: str
    certain: Sequence[tuple[str, str]] = ()
    judged: bool = False
    alarm: bool = False
    alone: bool = False
    outsiders: str = ""
    public: bool = True
    sees: str = ""
    told: tuple[Sequence[tuple[str, str]], Sequence[tuple[str, str]]] | None = None
    several: bool = False

    @property
    def style(self) -> str:
        """How its label is shown: red for an alarm, and for nothing else."""
        return "bold red" if self.alarm else "dim"

    @property
    def brief(self) -> str:
        """Whether to send it, in a line."""
        if self.outsiders and self.public:
            return f"do not send it in public: {self.words}"
        if self.certain:
            if self.alarm:
                return f"do not send, never redraw: {self.words}"
            links = counted(len(self.certain), "link")
            return f"send only to people who may know {links} it gives away; never redraw"
        if self.judged and self.told and any(self.told):
            return "you may send it to people who know no end of the walk: no link certain"
        return f"you may send it: {self.words}" if self.judged else self.words

    def verdict(self, others: str = OTHERS) -> str:
        """Return whether to send it, and what to know then.

        ``others`` says what to do where files that go with it are not judged.
        """
        if self.certain:
            send = "Send it only"
            if self.alarm and self.public:
                send = "Do not send it as it is, except"
            if self.outsiders and self.public:
                send = "Do not send it in public: encrypt it"
            links = counted(len(self.certain), "link")
            gives = "all files give" if self.words.startswith("by all") else "it gives"
            said = (
                f"{send} to people who may know the {links} that {gives} away. Whoever knows all "
                "your links but one of these, and that the walk uses one more, is certain of it. "
                "Do not draw the walk again (a ledger does not): two draws together tell more."
            )
        elif self.outsiders and self.public:
            said = "Do not send it in public: encrypt it to its readers."
        elif self.judged or self.alone:
            who = f"who {'gets' if self.public else 'opens'} it"
            hints = [
                f"where the walk {word} ({counted(len(links), 'link')} would be certain)"
                for word, links in zip(("ends", "begins"), self.told or ((), ()), strict=True)
                if links
            ]
            unless = f"nobody {who} knows {' or '.join(hints)}, and " if hints else ""
            said = (
                f"{'By this file alone, you' if self.alone else 'You'} may send it, if {unless}"
                f"everyone {who} may see {self.sees}. The next line is about someone who knows "
                "every other link, but no end of the walk and no step's direction."
            )
        else:
            said = "Not clear: not every link was tried."
        if self.alone and not (self.outsiders and self.public):
            said = f"Not clear, as other files may tell more ({others}). {said}"
        if self.outsiders and not self.public:
            keys = "Whoever gets a key can likely read the walks even without your network: give"
            return f"{keys} keys only to people who may. {said}"
        return said

    def rows(self, others: str = OTHERS) -> list[tuple[str, str]]:
        """Return it as labelled lines, without the names of links."""
        who = "outsiders" if self.public else "key only"
        told = ""
        if self.told is not None:
            ends, begins = map(len, self.told)
            told = "by this file alone, " if self.several else ""
            told += f"someone also told where the walk ends is certain of {counted(ends, 'link')}; "
            told += f"told where it begins, of {begins}"
        more = [("told end", told), (who, self.outsiders)]
        rows = [("verdict", self.verdict(others)), ("this file", self.words)]
        return [*rows, *(row for row in more if row[1])]

    def _repr_html_(self) -> str:
        return html_table((), self.rows())

    def __str__(self) -> str:
        return "\n".join(f"{head}: {words}" for head, words in self.rows())

    def __repr__(self) -> str:
        return f"<DrawFindings: {self.brief}>"

    @classmethod
    def of(
        cls,
        publication: Publication,
        network: Network,
        walk: Walk,
        earlier: Sequence[Publication] = (),
        *,
        together: bool = False,
        public: bool = True,
        coded: bool = False,
    ) -> DrawFindings:
        """Return what someone who lacks one link of the walk makes of each.

        ``earlier`` are files that they have too; ``together`` says that there are such files. The
        file may be encrypted, or its names codes.
        """
        sees = Verdict.of(publication, coded=coded, encrypted=not public).public
        files = sorted([*earlier, publication], key=_place)
        life = _life_of(files, network) if earlier else None
        outsiders = "" if earlier else read_alone(publication, network, walk)
        if life is not None and len(network) <= MOST_COUNTED and (used := cover(life)).closed:
            outsiders = f"may read walks from these {len(files)} files: {used.used}"
        links, ask = len(walk.links), "; ask: attack FILE NETWORK --lacking U V"
        if links > MOST_LINKS or links * len(network) > MOST_TRIED:
            unjudged = f"none of {links:,} links judged{ask}"
            return cls(unjudged, outsiders=outsiders, public=public, sees=sees)
        risks = identify_links(publication, network, walk)
        joint = others = None
        if life is not None and len(files) * len(network) ** 2 <= MOST_SHOWN:
            newest = files[-1] is publication  # what an older one added is not known any more
            others = _certain_now(files, network, life) if newest else []
            unsure = [risk.link for risk in risks if risk.before < 1]
            joint = None if others is None else certain_together(files, network, unsure)
        certain = [risk.link for risk in risks if risk.certain or risk.link in (joint or ())]
        judged = len(risks) == links and (joint is not None or not together)
        all_files = f"by all {len(files)} files, " if joint is not None else ""
        other = f"{counted(len(others), 'link')} of other walks" if others else ""
        if certain or other:
            ours = f"{len(certain)} of {counted(links, 'link')}" if certain else ""
            both = ", and " if certain and other else ""
            words = f"{all_files}{ours}{both}{other} certain to whoever lacks one"
        elif len(risks) < links:
            words = f"{links - len(risks)} of {counted(links, 'link')} not judged{ask}"
        elif all(risk.before < 1 for risk in risks):
            worst = 100 * max((risk.after for risk in risks), default=0.0)
            words = f"no link certain to an insider, best guess {worst:.0f} in 100"
            if joint is not None:
                words = f"no link is certain, by this file or by all {len(files)} together"
        else:
            words = "a link is certain with or without the file"
        alone = not judged and len(risks) == links
        words = f"by this file alone, {words}" if alone else words
        told = None
        if len(risks) == links and len(walk.visits) == len(walk) and _one_copy(publication):
            way = publication.direction
            ends, begins = (
                [r.link for r in risks if r.certain_if_told(walk, end, direction=way)]
                for end in (walk[-1], walk[0])
            )
            told = ends, begins
        alarm = any(risk.alarm for risk in risks)
        all_certain = [*certain, *(others or ())]
        several = together or bool(earlier)
        return cls(words, all_certain, judged, alarm, alone, outsiders, public, sees, told, several)


def _place(publication: Publication) -> int:
    """Return a file's place in its series; none comes before others, in the order given."""
    return 0 if publication.series is None else publication.series.place


def _one_copy(publication: Publication) -> bool:
    """Return whether each vertex is one node, and each bit is sure."""
    single = publication.grouped is None and max(publication.positions.counts) == 1
    return single and publication.lists_vertices and not publication.policy.noisy


def _life_of(files: Sequence[Publication], network: Network) -> Life | None:
    """Return what these files are, as cover counts them; None if one does not read back."""
    last = files[-1]
    if last.policy.noisy:
        return None
    try:
        return life_of_files(
            files,
            network,
            read=lambda file: reconstruct(file, network).walk,
            universe=last.universe,
        )
    except PathveilError:
        return None


def _certain_now(
    files: Sequence[Publication], network: Network, life: Life
) -> list[tuple[str, str]] | None:
    """Return which links of other walks the last file makes certain; None if not counted."""
    *others, last = ({link for walk in one.walks for link in walk.links} for one in life.releases)
    links = set[tuple[str, str]]().union(*others) - last
    if len(links) * len(files) > MOST_TRIED:
        return None
    before = certain_together(files[:-1], network, links)
    after = certain_together(files, network, links - (before or set()))
    return None if before is None or after is None else sorted(after)


def judge(
    publication: Publication,
    network: Network,
    walk: Walk,
    earlier: Publication | Sequence[Publication] = (),
) -> DrawFindings:
    """Return whether this draw may be sent, for the custodian's eyes only.

    Each link of the walk is taken away in turn: is it certain to someone who knows all others, but
    no end of the walk and no direction of a step? Do not draw again until the answer is good.

    Parameters
    ----------
    earlier
        Other public files over this network, which they have too.

    *Cost*: one exact inference for each link of the walk.

    Examples
    --------
    >>> import pathveil as pv
    >>> network, walk = pv.Network.parse("ab bc cd de bd ae"), pv.Walk("abcd")
    >>> file = pv.publish(network, walk, policy=pv.Policy.sealed())
    >>> pv.judge(file, network, walk).certain
    []
    """
    publication, network, walk = Publication.of(publication), Network.of(network), Walk.of(walk)
    before = [earlier] if isinstance(earlier, Publication) else [*map(Publication.of, earlier)]
    try:
        require_reads_back(publication, network, walk)
    except PathveilError as error:
        raise DoesNotFit(
            f"this is no publication of this walk over this network: {error}"
        ) from None
    together = bool(before) or publication.salt is not None
    return DrawFindings.of(publication, network, walk, before, together=together)


def read_alone(publication: Publication, network: Network, walk: Walk) -> str:
    """Return that outsiders may read a walk from one file, if so; else nothing."""
    if publication.grouped is not None:
        return ""
    policy, universe = Policy.from_terms(publication.policy), publication.universe
    return readable_words(
        cover_alone(network, walk, policy, None if universe is None else universe.count)
    )


def readable_words(used: Cover | None) -> str:
    """Return that outsiders may read a walk from one file that uses so much cover, or nothing."""
    if used is None or used.share < 1:
        return ""
    return f"may read the walk from this file alone: {used.used}"


def cover_alone(
    network: Network, walk: Walk, policy: Policy, pairs: int | None = None
) -> Cover | None:
    """Return the cover that a file uses if it is the only one; None where nobody counts it.

    ``pairs`` says how many pairs have coins, if not all have.
    """
    if policy.kind.draws_copies or len(network) > MOST_COUNTED:
        return None
    return cover(Life((counted_release(network, [walk], policy),), pairs))
