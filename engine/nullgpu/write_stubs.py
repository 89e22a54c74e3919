#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes what completes one stand-in library: a stub for every imported function that our objects do not
define, and the linker's version script that gives each symbol the version node LibTorch asks for.

A stub returns 0, which is success in all of NVIDIA's libraries, and counts itself under its name unless
harmless.txt says that doing nothing is right.
"""
import argparse
import pathlib
import re
import subprocess

INTERNAL = "tidemarkNull*; extern \"C++\" { tidemark::nullgpu::*; };"


def defined(objects):
    """Names of the C functions the objects define."""
    names = set()
    for path in objects:
        out = subprocess.run(["nm", "-g", "--defined-only", path], capture_output=True, text=True, check=True).stdout
        names |= {line.split()[-1] for line in out.splitlines() if line and not line.split()[-1].startswith("_Z")}
    return names


def declared(header):
    """Driver functions cuda.h declares, under the names the library exports (cuMemAlloc is cuMemAlloc_v2)."""
    text = header.read_text(errors="replace")
    names = set(re.findall(r"CUDAAPI\s+(cu[A-Z]\w*)\s*\(", text))
    for base, real in re.findall(r"^\s*#\s*define\s+(cu[A-Z]\w*)\s+(cu[A-Z]\w*)\s*$", text, re.M):
        if real.startswith(base + "_v"):
            names.add(real)
    return {name for name in names if not name.endswith(("_ptsz", "_ptds"))}


def patterns(path):
    lines = (line.strip() for line in path.read_text().splitlines())
    return re.compile("|".join(f"(?:{line})" for line in lines if line and not line.startswith("#")))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--symbols", required=True, type=pathlib.Path)
    parser.add_argument("--declared-in", type=pathlib.Path, help="cuda.h: stub its functions too")
    parser.add_argument("--harmless", required=True, type=pathlib.Path)
    parser.add_argument("--stubs", required=True, type=pathlib.Path)
    parser.add_argument("--map", required=True, type=pathlib.Path)
    parser.add_argument("--objects", nargs="*", default=[])
    options = parser.parse_args()

    wanted = {}
    for line in options.symbols.read_text().split("\n"):
        name, _, node = line.partition(" ")
        if name:
            wanted[name] = node
    if options.declared_in:
        for name in declared(options.declared_in):
            wanted.setdefault(name, "")
    ours = defined(options.objects)
    default = next((node for node in wanted.values() if node), "")
    nodes = {}
    for name in sorted(set(wanted) | {n for n in ours if not n.startswith("tidemarkNull")}):
        nodes.setdefault(wanted.get(name) or default, []).append(name)

    stubs = sorted(set(wanted) - ours)
    text = '// Written by write_stubs.py.\n#include "engine/nullgpu/stub.h"\n\nextern "C" {\n'
    harmless = patterns(options.harmless)
    for name in stubs:
        text += f"TIDEMARK_NULL_{'NOTHING' if harmless.fullmatch(name) else 'STUB'}({name})\n"
    text += "}\n"
    options.stubs.write_text(text)

    script = ""
    for node, names in sorted(nodes.items()):
        hidden = "" if script else f" {INTERNAL} local: *;"
        script += f"{node} {{ global: {' '.join(n + ';' for n in names)}{hidden} }};\n"
    options.map.write_text(script or f"{{ global: {INTERNAL} local: *; }};\n")
    print(f"{options.symbols.stem}: {len(ours & set(wanted))} of {len(wanted)} written by hand, {len(stubs)} stubs")


if __name__ == "__main__":
    main()
