"""The people of a thread as bit masks: one bit for each, in the order of their invitation. Pure.

With 1,000 people and 50 slots, sets of keys take too long; masks need one operation where sets need a thousand.
"""

from collections.abc import Iterable, Sequence
from itertools import compress

# "0" and "1" as the characters of a binary number become the bytes 0 and 1.
_DIGITS = bytes.maketrans(b"01", bytes((0, 1)))


class Crowd:
    """The people of a thread. A key that is not among them has no bit: such a person can never say yes."""

    def __init__(self, keys: Sequence[str]) -> None:
        self._keys = keys
        self._number = {key: number for number, key in enumerate(keys)}
        self.everybody = (1 << len(keys)) - 1

    def mask(self, keys: Iterable[str]) -> int:
        numbers, bits = self._number, bytearray(len(self._keys) // 8 + 1)
        for key in keys:
            if key in numbers:
                bits[numbers[key] >> 3] |= 1 << (numbers[key] & 7)
        return int.from_bytes(bits, "little")

    def keys(self, mask: int) -> tuple[str, ...]:
        """In the order of invitation."""
        if not mask:
            return ()
        return tuple(compress(self._keys, bin(mask)[:1:-1].encode().translate(_DIGITS)))

    def absent(self, keys: Iterable[str]) -> tuple[str, ...]:
        return tuple(key for key in keys if key not in self._number)
