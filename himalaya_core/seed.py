"""Dice by key: each draw depends only on (seed, purpose, round, index), not on earlier draws.

Two matches with the same seed roll the same dice in the same situations, even if their players differ. The dice come
from a BLAKE2b digest, which is the same on every machine. The digest is read as 16-bit numbers. A few of the highest
numbers are skipped; otherwise small results would be more likely.
"""

import hashlib

__all__ = ["DigestDice", "Seed"]


class DigestDice:
    """Uniformly distributed integers, derived from the endless stream of digests of one key."""

    def __init__(self, key: str) -> None:
        self._key = key.encode()
        self._block = 0
        self._bytes = b""
        self._at = 0

    def below(self, bound: int, /) -> int:
        """Return the next integer in 0..bound-1 (bound at most 65,536)."""
        fair = 65536 - 65536 % bound
        while True:
            if self._at == len(self._bytes):
                self._bytes = hashlib.blake2b(self._key + b"|%d" % self._block).digest()
                self._block += 1
                self._at = 0
            number = self._bytes[self._at] << 8 | self._bytes[self._at + 1]
            self._at += 2
            if number < fair:
                return number % bound


class Seed:
    """The seed of a match: a name from which all its dice are derived. Logs store only this name."""

    def __init__(self, name: str) -> None:
        self.name = name

    def dice(self, purpose: str, round: int, index: int, /) -> DigestDice:
        """Return the dice of one draw."""
        return DigestDice(f"{self.name}|{purpose}|{round}|{index}")
