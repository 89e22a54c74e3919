# SPDX-License-Identifier: Apache-2.0
"""Prints the requirements that the installed torch pins, one a line: pins.py NAME…

torch names cuDNN's version itself and leaves the CUDA libraries to the wheel cuda-toolkit, which pins each.
"""
import importlib.metadata
import re
import sys


def pins_of(distribution):
    try:
        requirements = importlib.metadata.requires(distribution) or []
    except importlib.metadata.PackageNotFoundError:
        return {}
    found = {}
    for requirement in requirements:
        match = re.match(r"([A-Za-z0-9._-]+)(?:\[[^]]*\])?\s*(==[0-9.*]+)", requirement)
        if match:
            found[match.group(1)] = match.group(1) + match.group(2)
    return found


def main(names):
    known = {**pins_of("cuda-toolkit"), **pins_of("torch")}
    missing = [name for name in names if name not in known]
    if missing:
        sys.exit(f"torch does not say which version of {', '.join(missing)} it needs")
    print("\n".join(known[name] for name in names))


if __name__ == "__main__":
    main(sys.argv[1:])
