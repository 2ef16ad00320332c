"""A review as plain JSON, for the command's output and for pages."""

from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import Any, Final

from himalaya_core.review.course import DIGITS, rounded
from himalaya_core.review.model import Model
from himalaya_core.review.reviewing import Moment, Review, Share
from himalaya_core.review.swings import Evaluation

__all__ = ["as_document", "as_judgement"]

OF_MODEL: Final = ("quality", "reliability", "checked_on")


def as_document(found: Review) -> dict[str, Any]:
    """Return a review as JSON: `not_valued`, `model`, `chances`, `moments`, `split`, `judgements`.

    Seats count from 0, `seq` is a place in the log, chances and changes in them are parts of one.
    """
    return {
        "not_valued": found.not_valued,
        "model": _model(found.model),
        "chances": [{"seq": each.seq, "chances": list(rounded(each.chances))} for each in found.chances],
        "moments": list(map(_moment, found.moments)),
        "split": _split(found.split),
        "judgements": list(map(_judgement, found.judgements)),
    }


def _model(model: Model) -> dict[str, Any]:
    return {"name": model.name, "sha256": model.sha256, **{key: model.document[key] for key in OF_MODEL}}


def _moment(moment: Moment) -> dict[str, Any]:
    swing, better = moment.swing, moment.alternative
    return {
        "since": swing.since,
        "seq": swing.seq,
        "round": swing.round,
        "seat": moment.seat,
        "by": swing.by,
        "cause": moment.cause,
        "swing": _short(moment.change),
        "cost": _short(swing.cost),
        "text": moment.text,
        "alternative": None if better is None else _judgement(better),
    }


def _judgement(judged: Evaluation) -> dict[str, Any]:
    return {
        "seq": judged.seq,
        "shown": judged.shown,
        "round": judged.round,
        "seat": judged.seat,
        "cost": _short(judged.cost),
        "low": _short(judged.low),
        "high": _short(judged.high),
        "action": judged.action,
        "words": judged.words,
        "values": {name: _short(each) for name, each in judged.values.items()},
        "decisions": judged.decisions,
        "then": list(judged.then),
    }


def as_judgement(row: Mapping[str, Any]) -> Evaluation:
    """Return a decision from a review in JSON."""
    return Evaluation(**{each.name: row[each.name] for each in fields(Evaluation)})


def _split(shares: Sequence[Share]) -> list[dict[str, Any]]:
    """Return a row for each round and seat; amounts are not rounded, so that they still sum to the outcome."""
    rows: dict[tuple[int, int], dict[str, Any]] = {}
    for each in shares:
        row = rows.setdefault((each.round, each.seat), {"round": each.round, "seat": each.seat, "causes": {}})
        row["causes"][each.cause] = each.amount
    return list(rows.values())


def _short(number: float) -> float:
    return round(number, DIGITS)
