# SPDX-License-Identifier: Apache-2.0
"""Compares the steady step of Python and of the probe allocation by allocation."""
import difflib

BLOCK = 512            # the allocator rounds every request up to a multiple of this


def of_reference(result):
    """[("alloc" or "free", bytes)] of the reference's events, sizes rounded as the allocator does."""
    names = {"alloc": "alloc", "free_completed": "free"}
    return [(names[action], max(BLOCK, -(-size // BLOCK) * BLOCK))
            for action, _, size in result["events"] if action in names]


def of_timeline(timeline):
    """The same of the probe's timeline. Its sizes are blocks, which may be larger than the request where the rest of
    a cached block was too small to split off."""
    columns = timeline["allocations"]
    events = [None] * timeline["events"]
    for born, freed, size in zip(columns["born"], columns["freed"], columns["bytes"]):
        if 0 <= born < len(events):
            events[born] = ("alloc", size)
        if 0 <= freed < len(events):
            events[freed] = ("free", size)
    return [event for event in events if event]


def same(reference, probe):
    """Equal, or the probe's block is one that was not split."""
    kind, size = reference
    return kind == probe[0] and size <= probe[1] <= size + 2**20


def difference(reference, probe):
    """(events that are in Python only, events that are in the probe only), each with its position."""
    matcher = difflib.SequenceMatcher(None, reference, probe, autojunk=False)
    only_reference, only_probe = [], []
    for tag, i1, i2, j1, j2 in matcher.get_opcodes():
        if tag == "equal":
            continue
        if i2 - i1 == j2 - j1 and all(same(a, b) for a, b in zip(reference[i1:i2], probe[j1:j2])):
            continue
        only_reference += [(i, *reference[i]) for i in range(i1, i2)]
        only_probe += [(j, *probe[j]) for j in range(j1, j2)]
    return only_reference, only_probe


def describe_difference(result, timeline):
    reference, probe = of_reference(result), of_timeline(timeline)
    missing, extra = difference(reference, probe)
    if not missing and not extra:
        return f"{len(reference)} events equal"
    def text(events):
        return ", ".join(f"{kind} {size} at {position}" for position, kind, size in events[:4]) + \
            (f" and {len(events) - 4} more" if len(events) > 4 else "")
    parts = []
    if missing:
        parts.append(f"only in Python: {text(missing)}")
    if extra:
        parts.append(f"only in the probe: {text(extra)}")
    return f"of {len(reference)} events " + "; ".join(parts)
