# SPDX-License-Identifier: Apache-2.0
"""What the caching allocator's events do not say: how large a block each allocation got.

A cached block is split when the rest is worth keeping (512 bytes or more in the small pool, over 1 MiB in the large one);
otherwise the allocation gets all of it, and that is what memory_allocated() counts.
"""
import bisect

ALIGNMENT = 512
SMALL = 2**20          # requests up to this come from the small pool, whose segments are 2 MiB
KEPT_REST = 2**20


def rounded(size):
    return max(ALIGNMENT, -(-size // ALIGNMENT) * ALIGNMENT)


class Blocks:
    """Follows the blocks of all segments from a snapshot on."""

    def __init__(self, segments):
        self._size, self._free, self._segment = {}, {}, {}
        self._addresses = []
        for segment in segments:
            for block in segment["blocks"]:
                self._add(block["address"], block["size"], block["state"] == "inactive", segment["address"])

    def _add(self, address, size, free, segment):
        bisect.insort(self._addresses, address)
        self._size[address], self._free[address], self._segment[address] = size, free, segment

    def _remove(self, address):
        self._addresses.pop(bisect.bisect_left(self._addresses, address))
        for table in (self._size, self._free, self._segment):
            del table[address]

    def follow(self, action, address, size):
        """Applies one event; the block's size for an allocation and for a free, else 0."""
        if action == "segment_alloc":
            self._add(address, size, True, address)
        elif action == "segment_free":
            self._remove(address)
        elif action == "alloc":
            return self._allocate(address, rounded(size))
        elif action == "free_completed":
            return self._release(address)
        return 0

    def _allocate(self, address, size):
        whole = self._size[address]
        rest = whole - size
        if rest >= ALIGNMENT if size <= SMALL else rest > KEPT_REST:
            self._size[address] = size
            self._add(address + size, rest, True, self._segment[address])
        self._free[address] = False
        return self._size[address]

    def _release(self, address):
        size = self._size[address]
        self._free[address] = True
        place = bisect.bisect_left(self._addresses, address)
        if place + 1 < len(self._addresses):
            self._merge(address, self._addresses[place + 1])
        if place > 0:
            self._merge(self._addresses[place - 1], address)
        return size

    def _merge(self, low, high):
        if self._free[low] and self._free[high] and self._segment[low] == self._segment[high]:
            self._size[low] += self._size[high]
            self._remove(high)
