"""Law: what is refused, left out or tried how often, and what holds if nothing is said.

These numbers are decisions: a limit that a user meets, an effort that a result may depend on, a
size beyond which a faster way is taken, a mark by which a kernel (kept compiled on disk) tells its
caller how it ended. No answer shows that one of them was changed by mistake,
so they stand here a second time, and whoever changes one says so twice.
"""

from __future__ import annotations

import importlib
import inspect
from typing import Any

import pytest

LIMITS: dict[str, dict[str, object]] = {
    "model.bits": {
        "PACKED_LIMIT": 1 << 15,
    },
    "model.layered": {
        "_BLOCK": 1 << 20,
    },
    "model.names": {
        "MOST_COMPARED": 20_000,
    },
    "model.patterns": {
        "LARGEST_TABLE": 100_000,
    },
    "model.publication": {
        "MOST_NAMED": 5_000,
    },
    "model.series": {
        "MOST_RELEASES": 20_000,
    },
    "model.sketch": {
        "WIDTH": 256,
        "MOST_PLANES": 32,
        "MOST_KEYS": 1 << 31,
    },
    "model.sketch_rows": {
        "SEED_BYTES": 16,
        "WIDTH": 256,
        "CHUNK": 1 << 15,
        "_HEAD": 12,
    },
    "chance.blocks": {
        "CHUNK": 1 << 18,
    },
    "chance.coins": {
        "ON_WALK": 1,
        "OFF_WALK": 2,
    },
    "chance.colouring": {
        "STUCK": -1,
        "TRIES": 200,
        "MOST_CLASSES": 1 << 16,
        "PLAIN_WORK": 400_000,
    },
    "chance.colouring_cost": {
        "ORDERS": 12,
        "LINKS": 200,
        "TRIES": 60,
        "PLAIN_LINKS": 600,
        "JOINS": 4,
    },
    "chance.colouring_kernels": {
        "DRY": -2,
        "STUCK": -1,
    },
    "chance.exact_loss": {
        "DECIMALS": 4,
        "MOST_SPELLED": 1 << 13,
        "_PRECISION": 256,
    },
    "chance.exponential": {
        "_DEEPEST": 1 << 14,
        "_CHUNK": 1 << 20,
    },
    "chance.grouping_dial": {
        "USEFUL": 3,
        "_LARGE": 50_000,
    },
    "chance.history": {
        "LARGEST_TALLY": 1 << 22,
    },
    "chance.identification": {
        "JOINS": (2, 3, 4),
        "_PLACES": 4,
        "_PRECISION": 256,
    },
    "chance.policy": {
        "MOST_BITS": 32,
    },
    "chance.policy.numbers": {
        "LARGEST_BUDGET": 10_000,
        "LARGEST_COPIES": 64,
    },
    "chance.policy.paper": {
        "TWO": (2, 2),
    },
    "chance.policy.remembering": {
        "LIKE_LINKS": 4,
    },
    "chance.series_loss": {
        "LONGEST_RATIO": 30,
        "NEARLY": 1e-06,
    },
    "chance.sketch_release": {
        "LEAST": 16,
        "MOST_SKETCHES": 1_000,
    },
    "chance.sketched_urn": {
        "FINEST": 8,
        "LEAST": 16,
        "MOST_BITS": 32,
    },
    "chance.sketching": {
        "SEED_BYTES": 16,
        "FAILURE_EXPONENT": 42,
        "SORTED": 1 << 19,
        "SWEEPS": 4,
        "_NEAR": 6,
        "_BUCKETS": 16,
        "_ROW_STEPS": 20,
        "_COLUMN_STEPS": 2,
    },
    "chance.urn": {
        "CHUNK": 1 << 18,
        "LARGEST_BOUND": 1 << 62,
    },
    "layering.adjacency": {
        "_MATRIX_UP_TO": 2_000,
        "_SPARSE_SHARE": 32,
    },
    "layering.annealing": {
        "_LEVELS": 64,
        "_WIDTH": 16,
        "_ONE": 1 << 20,
        "_BUNDLES": (393_216, 48),
        "_SHARE": 50,
        "_STRIDE": 7_919,
        "_ORDER": (3_495, 48),
    },
    "layering.backtracking": {
        "STEP_LIMIT": 1_000_000,
        "PLAIN_STEPS": 3_000,
    },
    "layering.bounds": {
        "_SCALE": 1 << 20,
        "_PROGRAMME_UP_TO": 60_000,
        "_CLIQUES_UP_TO": 220,
        "_NODES": 50,
        "_TRIES": 100_000,
        "_HOPE": 8,
        "_STEPS": 100_000_000,
    },
    "layering.kernels.annealing": {
        "SPACING": 1 << 40,
        "STEP_OUT": 1 << 30,
    },
    "layering.kernels.arcs": {
        "FITS": 1,
        "FAILS": 0,
        "UNSETTLED": -1,
        "CHOICES": 20_000,
        "_REVERSED": 1 << 12,
    },
    "layering.kernels.backtracking": {
        "MOST_PIECES": 64,
        "FULL": -1,
        "_MIDDLE": 66,
    },
    "layering.kernels.cuts": {
        "FITS": 1,
        "UNSETTLED": -1,
        "OUT": 0,
        "INTO": 1,
        "TAILS": 2,
        "HEADS": 3,
        "PARENT": 4,
        "CENTRE": 5,
        "LOOSE": 2,
    },
    "layering.kernels.reduction": {
        "DONE": 0,
        "BROKEN": 1,
        "COSTLY": 2,
    },
    "layering.kernels.running": {
        "STEPS_A_BYTE": 1_000,
        "STEPS_OF_IMPORT": 1_000_000,
    },
    "layering.minimum": {
        "_WORD": 64,
        "_SHORT": 200,
        "_LONGER": 4,
        "LARGEST": 62,
    },
    "layering.orientation": {
        "_SAMPLED_ABOVE": 1_000,
        "_SAMPLE": 64,
        "_ROWS_UP_TO": 30_000,
    },
    "layering.reasons": {
        "_ROOTS": 64,
    },
    "layering.splitting": {
        "EXACT_UP_TO": 16,
        "_EVERY_TRY": 1 << 40,
        "_TRIES": 10_000,
        "_HOPE": 5,
        "_DRAWN_AT_ONCE": 2_000,
        "_EFFORTS": {"quick": 5_000_000, "auto": 200_000_000, "thorough": 2_000_000_000},
    },
    "recovery.exchange.agreement": {
        "CHALLENGES": 2,
    },
    "recovery.exchange.field": {
        "WIDTH": 8,
        "LONGEST_SUM": 2_047,
    },
    "recovery.exchange.meeting": {
        "HANDSHAKE": 10.0,
        "PENDING": 32,
    },
    "recovery.exchange.protocol": {
        "FEWEST_PARTIES": 3,
    },
    "recovery.exchange.roster": {
        "MOST_PARTIES": 250,
        "_MOST_VERTICES": 100_000,
        "_MOST_LINKS": 10_000,
    },
    "recovery.exchange.wire": {
        "_NUMBERS": 0,
        "_ABORT": 1,
        "_DONE": 2,
        "_NOBODY": 255,
        "GOODBYE": 2.0,
    },
    "recovery.path_program": {
        "ROUNDS": 40,
        "NODES": 2_000,
    },
    "recovery.path_table": {
        "LARGEST_TABLE": 18,
        "_NO_PATH": -128,
    },
    "recovery.secure": {
        "TIME_LIMIT": 120.0,
        "MOST_POSITIONS": 2_000,
    },
}

DEFAULTS: dict[str, dict[str, dict[str, object]]] = {
    "model.certificate": {
        "Adversary": {"kind": "misses-edges", "walk_edges": 0, "other_edges": 0, "releases": 1},
        "CertificateRow": {"bound": True},
        "Identification": {"by": "bits"},
        "Certificate.bound": {"walk_edges": 0, "other_edges": 0, "releases": 1},
    },
    "model.grouping": {
        "GroupingTerms": {"at_least": 1, "voids": ""},
        "Grouping.of": {"unsafe": False},
        "Grouping.coloured": {"unsafe": False},
        "Grouping": {"unsafe": False},
    },
    "model.network": {
        "Network.from_edges": {"simplify": False, "largest_component": False, "connected": True},
        "Network.of": {"connected": True},
        "Network.from_networkx": {"simplify": False, "largest_component": False, "connected": True},
        "Network.from_pandas": {
            "source": "source",
            "target": "target",
            "simplify": False,
            "largest_component": False,
            "connected": True,
        },
        "Network.to_networkx": {"labels": False},
    },
    "model.pair_keys": {
        "edge_keys": {"ordered": True},
    },
    "model.publication": {
        "PolicyTerms": {"noisy": False},
        "Publication.of_drawing": {"layering": "exact", "unsafe": False},
        "Publication.load": {"trust": False},
        "Publication": {"layering": "exact", "unsafe": False},
    },
    "model.remembered": {
        "Remembered": {"states": 1},
    },
    "model.series": {
        "SeriesPlace": {"walk": 1},
    },
    "model.sketch": {
        "SketchShape.holding": {"planes": 1},
        "SketchShape": {"planes": 1, "width": 256},
        "JointStates": {"each": 1},
        "SketchedBits": {"capacity": 0, "copies": 1, "threshold": 1},
    },
    "model.threat": {
        "Knowledge": {"missing": 1},
    },
    "model.universe": {
        "Universe.of": {"by_digest": False},
        "Universe": {"by_digest": False},
    },
    "chance.colouring": {
        "group": {"tries": 200},
        "draw_colouring": {"tries": 200},
    },
    "chance.colouring_cost": {
        "price_grouping": {"orders": 12, "links": 200, "tries": 60},
        "success_share": {"tries": 60},
        "GroupingPrice.insider": {"joins": 4},
    },
    "chance.continuation": {
        "require_continues": {"sketched": False},
    },
    "chance.exact_loss": {
        "ExactLoss": {"infinite": False},
    },
    "chance.exponential": {
        "ExactProbability.exponential": {"weight": 1},
    },
    "chance.grouping_dial": {
        "price_row": {"orders": 8, "links": 200, "tries": 40},
    },
    "chance.identification": {
        "identifications": {"layering": "exact", "told": True, "releases": 1, "sketched": False},
    },
    "chance.law": {
        "PairLaw": {"states": 1},
    },
    "chance.losses": {
        "losses_of": {"releases": 1},
        "Missing": {"edges": 1, "uses": 1},
    },
    "chance.policy": {
        "Policy.of": {"copies": 1, "walks": 1},
        "Policy.sealed": {"copies": 1},
        "Policy.balanced": {"copies": 1},
        "Policy.frontier": {"copies": 1},
        "Policy.remembering": {"copies": 1},
        "Policy.labelled": {"copies": 1},
        "Policy.two_sided": {"copies": 1, "spanning": False},
        "Policy": {"copies": 1, "walks": 1},
    },
    "chance.policy.kind": {
        "Option": {"needed": True, "is_file": False, "is_flag": False},
    },
    "chance.policy.two_sided": {
        "TwoSided.of": {"spanning": False},
        "TwoSided": {"spanning": False},
    },
    "chance.series_loss": {
        "pattern_loss": {"states": 1},
        "exact_pattern_loss": {"states": 1},
        "late_loss": {"states": 1},
        "costliest_late_link": {"states": 1},
    },
    "chance.sketch_release": {
        "policy_in_sketch": {"releases": 0},
    },
    "chance.sketched_urn": {
        "SketchedUrn": {"states": 1},
    },
    "chance.urn": {
        "Urn.costliest": {"states": 1},
        "Urn.turning": {"states": 1},
    },
    "layering.annealing": {
        "mended_order": {"work": 10000000},
    },
    "layering.backtracking": {
        "insert_vertices": {"splitting": True, "step_limit": 1000000, "at_limit": "error"},
    },
    "layering.bounds": {
        "lower_bound": {"rounds": 25, "integer": 0},
        "exact_minimum": {"rounds": 200},
    },
    "layering.cliques": {
        "clique_number_at_most": {"branches": 60000},
    },
    "layering.minimum": {
        "proved_split": {"hope": 62},
    },
    "layering.pieces": {
        "Split": {"proved": False},
    },
    "layering.splitting": {
        "split_order": {"effort": "auto"},
    },
    "recovery.assembly": {
        "Reading": {"gap": 0, "rivals": 0, "path_only": False},
    },
    "recovery.exchange.agreement": {
        "Agreement": {"learn": "own", "length": False},
        "Learnt": {"order": "told"},
    },
    "recovery.exchange.consequences": {
        "Consequences": {"at_least": 2},
    },
    "recovery.exchange.credentials": {
        "make_certificate": {"days": 366},
    },
    "recovery.exchange.field": {
        "combine": {"at": 0},
    },
    "recovery.secure": {
        "agree": {"learn": "own", "length": False},
    },
}


def brought(module: str) -> Any:
    if module.startswith("recovery.exchange") or module == "recovery.secure":
        pytest.importorskip("mpyc")
    return importlib.import_module(f"pathveil.{module}")


@pytest.mark.parametrize("module", LIMITS)
def test_limits_are_these(module: str) -> None:
    found = brought(module)
    assert {name: getattr(found, name) for name in LIMITS[module]} == LIMITS[module]


def defaults(called: Any) -> dict[str, object]:
    """The plain values that stand for what a caller leaves out."""
    given = inspect.signature(called).parameters.values()
    return {p.name: p.default for p in given if isinstance(p.default, bool | int | str)}


@pytest.mark.parametrize("module", DEFAULTS)
def test_what_is_left_out_means_this(module: str) -> None:
    found = {}
    for name in DEFAULTS[module]:
        called = brought(module)
        for part in name.split("."):
            called = getattr(called, part)
        found[name] = defaults(called)
    assert found == DEFAULTS[module]
