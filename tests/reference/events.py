# SPDX-License-Identifier: Apache-2.0
"""Compares the steady step of Python and of the probe allocation by allocation."""
import difflib


def of_timeline(timeline):
    """[("alloc" or "free", bytes of the block)] of the probe's timeline, in order."""
    columns = timeline["allocations"]
    events = [None] * timeline["events"]
    for born, freed, size in zip(columns["born"], columns["freed"], columns["bytes"]):
        if 0 <= born < len(events):
            events[born] = ("alloc", size)
        if 0 <= freed < len(events):
            events[freed] = ("free", size)
    return [event for event in events if event]


def difference(reference, probe):
    """(events that are in Python only, events that are in the probe only), each with its position."""
    matcher = difflib.SequenceMatcher(None, reference, probe, autojunk=False)
    only_reference, only_probe = [], []
    for tag, i1, i2, j1, j2 in matcher.get_opcodes():
        if tag != "equal":
            only_reference += [(i, *reference[i]) for i in range(i1, i2)]
            only_probe += [(j, *probe[j]) for j in range(j1, j2)]
    return only_reference, only_probe


def listed(events):
    text = ", ".join(f"{kind} {size} at {position}" for position, kind, size in events[:4])
    return text + (f" and {len(events) - 4} more" if len(events) > 4 else "")


def describe_difference(result, timeline):
    """(whether the steps are the same, a phrase for people)."""
    reference = [tuple(event) for event in result["events"]]
    missing, extra = difference(reference, of_timeline(timeline))
    if not missing and not extra:
        return True, f"{len(reference)} events equal"
    parts = []
    if missing:
        parts.append(f"only in Python: {listed(missing)}")
    if extra:
        parts.append(f"only in the probe: {listed(extra)}")
    return False, f"of {len(reference)} events " + "; ".join(parts)
