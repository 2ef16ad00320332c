"""Dice by key: each draw is a function of (seed, purpose, round, index), never of earlier draws.

Two matches with the same seed roll the same dice in the same places, however their players differ. The digest is
BLAKE2b, so it is the same on every machine. Its bytes are read as 16-bit numbers; the few highest, which would make
small results more likely, are skipped.
"""

import hashlib

__all__ = ["DigestDice", "Seed"]


class DigestDice:
    """Uniform integers from the endless stream of digests of one key."""

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
    """The seed of a match: a name that all its dice come from. A log keeps the name alone."""

    def __init__(self, name: str) -> None:
        self.name = name

    def dice(self, purpose: str, round: int, index: int, /) -> DigestDice:
        """Return the dice of one draw."""
        return DigestDice(f"{self.name}|{purpose}|{round}|{index}")
