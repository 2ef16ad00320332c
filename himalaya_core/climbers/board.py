"""The table, the blocks and the opening, validated when a board is loaded."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from himalaya_core.climbers.blocks import SIZES, VARIANTS, Block, Colour, Pose, Size, Variant, blocks_of
from himalaya_core.climbers.opening import OpeningError, laid
from himalaya_core.document import as_json, digest, field_of
from himalaya_core.errors import BoardError

__all__ = ["READINGS", "Board", "parse_board"]

TABLES: Final = (14, 64)
MOST_MOVES: Final = 200
SIZED: Final = {Size.HALF: "1", Size.DOUBLE: "4"}
"""The block sizes that have variants, with their keys in a board document."""
CLASSES: Final = {
    **{
        letter + variant: (size, variant)
        for letter, size in (("H", Size.HALF), ("D", Size.DOUBLE))
        for variant in VARIANTS
    },
    "C": (Size.CUBE, Variant.NONE),
    "T": (Size.TRIPLE, Variant.NONE),
}
"""The block classes, by their abbreviations in a board document."""
PLACED: Final = re.compile(
    rf"({'|'.join(CLASSES)})@(\d\d?),(\d\d?),(\d\d?):([1246])x([1246])x([1246])(?::({'|'.join(Colour)}))?"
).fullmatch
READINGS: Final[Mapping[str, Any]] = {
    "split_surface": "region",
    "connectivity": 4,
    "others_ladders": True,
    "forbid_open_shafts": False,
    "end_check": "rolling",
    "end_needs_first_climb": False,
    "tie_break": "first",
}
"""The supported interpretation of each unclear rule. A board that needs another one is rejected (L-readings)."""


@dataclass(frozen=True, eq=False)
class Board:
    """A validated board. `document` is its JSON document; `sha256` is the digest of its canonical form.

    `side` is the table's edge in unit squares. `opening` lists the blocks in an order in which they can be placed. If
    it is `None`, chance builds an opening and then makes `moves` random moves.
    """

    id: str
    title: str
    side: int
    blocks: tuple[Block, ...] = field(repr=False)
    moves: int
    opening: tuple[tuple[int, Pose], ...] | None = field(repr=False)
    sha256: str
    document: Mapping[str, Any] = field(repr=False)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Board) and self.sha256 == other.sha256

    def __hash__(self) -> int:
        return hash(self.sha256)


def parse_board(document: Mapping[str, Any]) -> Board:
    """Parse a board document. `BoardError` names the entry that fails a check."""
    name = field_of(document, "board", "id", str)
    side = field_of(document, "board", "table", int)
    least, most = TABLES
    if not least <= side <= most:
        raise BoardError(f"table: expected {least}..{most} squares along an edge, found {side}")
    blocks = _blocks(field_of(document, "board", "block_variants", Mapping))
    _check_readings(document)
    given = field_of(document, "board", "opening", list) if "opening" in document else None
    return Board(
        id=name,
        title=field_of(document, "board", "title", str),
        side=side,
        blocks=blocks,
        moves=_moves(document) if given is None else 0,
        opening=None if given is None else _opening(blocks, side, given),
        sha256=digest(document),
        document=document,
    )


def _moves(document: Mapping[str, Any]) -> int:
    moves: int = field_of(field_of(document, "board", "generator", Mapping), "generator", "moves", int)
    if not 0 <= moves <= MOST_MOVES:
        raise BoardError(f"generator.moves: expected 0..{MOST_MOVES}, found {moves}")
    return moves


def _blocks(rows: Mapping[str, Any]) -> tuple[Block, ...]:
    """Parse the numbers of halves and doubles of each variant (L-board)."""
    counts = {}
    if sorted(rows) != sorted(SIZED.values()):
        raise BoardError(
            f"block_variants: expected those of size {' and '.join(SIZED.values())}, found {', '.join(rows)}"
        )
    for size, key in SIZED.items():
        where = f"block_variants[{key}]"
        row = field_of(rows, "block_variants", key, Mapping)
        if set(row) != set(VARIANTS):
            raise BoardError(f"{where}: expected {', '.join(VARIANTS)}, found {', '.join(row)}")
        counts[size] = {variant: field_of(row, where, variant, int) for variant in VARIANTS}
        if min(counts[size].values()) < 0 or sum(counts[size].values()) != SIZES[size]:
            raise BoardError(f"{where}: expected {SIZES[size]} blocks in all, found {as_json(dict(row))}")
    return blocks_of(counts)


def _opening(blocks: Sequence[Block], side: int, rows: Sequence[Any]) -> tuple[tuple[int, Pose], ...]:
    """Parse an opening. It names blocks by class, because blocks of one class are interchangeable (L-5.given)."""
    left: dict[tuple[Size, Variant], list[int]] = {}
    for block in blocks:
        left.setdefault((block.size, block.variant), []).append(block.id)
    wanted = {}
    for place, row in enumerate(rows):
        found = PLACED(row) if isinstance(row, str) else None
        if found is None:
            raise BoardError(f"opening[{place}]: expected text such as 'Dyr@0,2,0:2x4x2:pink', found {as_json(row)}")
        letters, *sizes, top = found.groups()
        numbers = left.get(CLASSES[letters])
        if not numbers:
            raise BoardError(f"opening[{place}]: expected no more {letters} than there are, found {as_json(row)}")
        x, y, z, dx, dy, dz = map(int, sizes)
        wanted[numbers.pop(0)] = Pose(x, y, z, dx, dy, dz, Colour(top or Colour.NEUTRAL))
    missing = [letters for letters, kind in CLASSES.items() if left.get(kind)]
    if missing:
        raise BoardError(f"opening: expected all {len(blocks)} blocks, there are more {missing[0]}")
    try:
        return laid(blocks, side, wanted)
    except OpeningError as error:
        raise BoardError(f"opening: {error}") from None


def _check_readings(document: Mapping[str, Any]) -> None:
    """Reject a board that asks for an unsupported interpretation of a rule (L-readings)."""
    flags = field_of(document, "board", "flags", Mapping) if "flags" in document else {}
    for name, value in flags.items():
        if name not in READINGS:
            raise BoardError(f"flags: {name!r} is unknown; there are {', '.join(READINGS)}")
        if type(value) is not type(READINGS[name]) or value != READINGS[name]:
            raise BoardError(f"flags.{name}: only {READINGS[name]!r} is built, found {as_json(value)}")
