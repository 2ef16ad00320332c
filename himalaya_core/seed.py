"""Chance by key: each draw is a function of (luck, purpose, round, index), never of what was drawn before.

Two matches with the same luck meet the same dice in the same places, however their players differ. The digest is
BLAKE2b, so the same everywhere; its bytes are read as 16-bit numbers, and the few that would favour small results
are passed over.
"""

import hashlib

__all__ = ["DigestDice", "KeyedLuck"]


class DigestDice:
    """Uniform integers from an endless stream of digests of one key."""

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


class KeyedLuck:
    """The luck of a match; its name is all that a log needs to keep of it."""

    def __init__(self, name: str) -> None:
        self.name = name

    def dice(self, purpose: str, round: int, index: int, /) -> DigestDice:
        """Return the dice of one draw."""
        return DigestDice(f"{self.name}|{purpose}|{round}|{index}")
