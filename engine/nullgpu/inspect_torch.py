#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Finds out what a LibTorch expects of NVIDIA's libraries, without loading anything.

Writes into OUT:
  torch.cmake         versions, folders and the list of libraries, for include()
  SONAME.symbols      one "name" or "name node" a line: what LibTorch imports from that library

A symbol belongs to the library that its version need names; one without a version belongs to the
library that its prefix names.
"""
import argparse
import ctypes
import mmap
import os
import pathlib
import re
import subprocess
import sys

# Prefixes of functions whose libraries carry no symbol versions.
PREFIXES = {
    "nccl": "nccl",
    "cuFile": "cufile",
    "cusparseLt": "cusparseLt",
    "nvshmem": "nvshmem_host",
    "nvml": "nvidia-ml",
    "cu": "cuda",
}
NVIDIA = re.compile(r"^lib(cu|nv|nccl)[A-Za-z_-]*")
# Needed whatever LibTorch's imports say: it opens these by name.
ALWAYS = {"cuda": "libcuda.so.1", "nvidia-ml": "libnvidia-ml.so.1"}


def run(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def family(soname):
    """libcudart.so.13 and libcudart-0a1b2c3d.so.13 are both cudart."""
    return re.sub(r"[-.][0-9a-f]{8}$", "", soname.split(".so")[0][3:])


def find_torch(root):
    """(lib folder, include folders, site-packages or None) of a LibTorch folder or a virtual environment."""
    candidates = [root, *sorted(root.glob("lib/python3*/site-packages/torch"))]
    for torch in candidates:
        if (torch / "lib" / "libtorch_cuda.so").exists():
            include = torch / "include"
            site = torch.parent if torch.parent.name == "site-packages" else None
            return torch / "lib", [include, include / "torch/csrc/api/include"], site
    sys.exit(f"{root} holds no CUDA build of LibTorch (no lib/libtorch_cuda.so): set TIDEMARK_TORCH to a LibTorch "
             "folder or to a virtual environment with torch in it")


def needed(library):
    return re.findall(r"\(NEEDED\).*\[(.+?)\]", run("readelf", "-dW", library))


def version_files(library):
    """Maps a version node to the library it is expected from."""
    files, current = {}, None
    for line in run("readelf", "-VW", library).splitlines():
        if match := re.search(r"File: (\S+)", line):
            current = match.group(1)
        elif current and (match := re.search(r"Name: (\S+)\s+Flags", line)):
            files[match.group(1)] = current
    return files


def imports(library):
    """Yields (name, version node or None)."""
    for line in run("nm", "-D", "--undefined-only", library).splitlines():
        name, _, node = line.split()[-1].partition("@")
        yield name, node.lstrip("@") or None


def collect(libraries, extensions):
    """soname -> {name: node or None}. Extensions add symbols, but no libraries of their own."""
    wanted, sonames = {}, dict(ALWAYS)
    for library in libraries:
        for soname in needed(library):
            if NVIDIA.match(soname):
                sonames[family(soname)] = soname
    for soname in sonames.values():
        wanted[soname] = {}
    for library in libraries + extensions:
        files = version_files(library)
        for name, node in imports(library):
            if node:
                soname = files.get(node)
            else:
                prefix = next((p for p in PREFIXES if re.match(p + "[a-zA-Z_]", name)), None)
                if prefix == "cu" and not re.match(r"cu[A-Z]", name):
                    prefix = None
                soname = sonames.get(PREFIXES[prefix]) if prefix else None
            if soname in wanted:
                wanted[soname][name] = wanted[soname].get(name) or node
    return wanted


def requirements(site):
    """Name -> version of the pinned requirements of the torch wheel."""
    pins = {}
    for metadata in sorted(site.glob("torch-*.dist-info/METADATA")) if site else []:
        pattern = r"^Requires-Dist: ([\w.-]+)(?:\[[^]]*\])?==([\d.]+)"
        for name, version in re.findall(pattern, metadata.read_text(), re.M):
            pins[re.sub(r"-cu\d+$", "", name)] = version
    return pins


def torch_version(lib, site):
    sources = (lib.parent / "version.py", r"__version__ = '([^']+)'"), (lib.parent / "build-version", r"(\S+)")
    for path, pattern in sources:
        if path.exists() and (match := re.search(pattern, path.read_text())):
            return match.group(1)
    return "unknown"


def numbers(version, count):
    parts = [int(p) for p in re.findall(r"\d+", version or "")[:count]]
    return parts + [0] * (count - len(parts))


def header_version(header, names):
    if not header.exists():
        return None
    text = header.read_text(errors="replace")
    found = [re.search(rf"#define\s+{name}\s+(\d+)", text) for name in names]
    return ".".join(m.group(1) for m in found) if all(found) else None


def bundled_cudnn(lib):
    """The version of a cuDNN that lies beside LibTorch, as the archives of LibTorch carry it."""
    for path in sorted(lib.glob("libcudnn.so.9")) + sorted(lib.glob("libcudnn-*.so.9")):
        try:
            value = ctypes.CDLL(str(path)).cudnnGetVersion()
            return f"{value // 10000}.{value // 100 % 100}.{value % 100}"
        except (OSError, AttributeError):
            continue
    return None


def architectures(lib):
    """The kernel architectures LibTorch was built for, from its own list: "75;80;86;…"."""
    for name in ("libtorch_cuda.so", "libtorch_python.so"):
        path = lib / name
        if not path.exists():
            continue
        with open(path, "rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
            match = re.search(rb"sm_\d+a?(?: (?:sm|compute)_\d+a?)+", data)
            if match:
                return sorted({int(n) for n in re.findall(rb"sm_(\d+)", match.group(0))})
    return [75, 80, 86, 90, 100, 120]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--torch", required=True, type=pathlib.Path)
    parser.add_argument("--toolkit", type=pathlib.Path,
                        default=pathlib.Path(os.environ.get("CUDA_HOME") or "/usr/local/cuda"))
    parser.add_argument("--out", required=True, type=pathlib.Path)
    options = parser.parse_args()
    lib, include, site = find_torch(options.torch)
    options.out.mkdir(parents=True, exist_ok=True)

    libraries = sorted(p for p in lib.glob("lib*.so") if family(p.name) in (
        "c10_cuda", "caffe2_nvrtc") or p.name.startswith("libtorch"))
    extensions = sorted(site.glob("torchvision/*.so")) if site else []
    wanted = collect([str(p) for p in libraries], [str(p) for p in extensions])
    for soname, symbols in wanted.items():
        text = "".join(f"{name} {node}\n" if node else f"{name}\n" for name, node in sorted(symbols.items()))
        path = options.out / f"{soname}.symbols"
        if not path.exists() or path.read_text() != text:
            path.write_text(text)

    pins = requirements(site)
    version = torch_version(lib, site)
    tag = re.search(r"\+cu(\d\d)(\d)", version)
    cuda = pins.get("cuda-toolkit") or (f"{tag.group(1)}.{tag.group(2)}" if tag else "13.0")
    wheels = [site / "nvidia" / "cu13" / "include", site / "nvidia" / "cuda_runtime" / "include"] if site else []
    toolkit = [options.toolkit / "include"]
    cuda_include = [p for p in toolkit if (p / "cuda_runtime_api.h").exists()]
    cuda_include = cuda_include or [p for p in wheels if (p / "cuda_runtime_api.h").exists()]
    if not cuda_include:
        sys.exit(f"no CUDA headers: neither in {toolkit[0]} nor in the nvidia-cuda-runtime wheel beside LibTorch")
    cudnn_names = ("CUDNN_MAJOR", "CUDNN_MINOR", "CUDNN_PATCHLEVEL")
    cudnn = (pins.get("nvidia-cudnn") or bundled_cudnn(lib)
             or header_version(toolkit[0] / "cudnn_version.h", cudnn_names) or "9.10.0")
    cuda_major, cuda_minor = numbers(cuda, 2)
    major, minor, patch = numbers(cudnn, 3)
    nccl = numbers(pins.get("nvidia-nccl", "2.28.0"), 3)
    lt = numbers(pins.get("nvidia-cusparselt", "0.8.0"), 3)
    python = next((p for p in [options.torch / "bin" / "python3"] if site and p.exists()), "")
    cudnn_found = site.glob("nvidia/cudnn/lib/libcudnn.so.9") if site else lib.glob("libcudnn.so.9")
    real_cudnn = next(iter(sorted(cudnn_found)), "")

    variables = {
        "TIDEMARK_TORCH_LIB_DIR": lib,
        "TIDEMARK_TORCH_INCLUDE_DIRS": ";".join(map(str, include)),
        "TIDEMARK_TORCH_VERSION": version,
        "TIDEMARK_TORCH_PYTHON": python,
        "TIDEMARK_CUDA_INCLUDE_DIRS": ";".join(map(str, cuda_include)),
        "TIDEMARK_CUDA_VERSION": cuda_major * 1000 + cuda_minor * 10,
        "TIDEMARK_CUDNN_VERSION": major * 10000 + minor * 100 + patch,
        "TIDEMARK_CUDNN_LIBRARY": real_cudnn,
        # cuBLAS 13 counts one minor version ahead of the toolkit that brings it (CUDA 13.2: cuBLAS 13.3).
        "TIDEMARK_CUBLAS_VERSION": cuda_major * 10000 + (cuda_minor + 1) * 100,
        "TIDEMARK_NCCL_VERSION": nccl[0] * 10000 + nccl[1] * 100 + nccl[2],
        "TIDEMARK_CUSPARSELT_VERSION": lt[0] * 1000 + lt[1] * 100 + lt[2],
        "TIDEMARK_TORCH_ARCHITECTURES": ",".join(map(str, architectures(lib))),
        "TIDEMARK_NULL_SONAMES": ";".join(sorted(wanted)),
    }
    text = "# Written by inspect_torch.py.\n" + "".join(f'set({k} "{v}")\n' for k, v in variables.items())
    path = options.out / "torch.cmake"
    if not path.exists() or path.read_text() != text:
        path.write_text(text)
    print(f"LibTorch {version} (CUDA {cuda_major}.{cuda_minor}, cuDNN {major}.{minor}.{patch}), "
          f"{len(wanted)} libraries, {sum(map(len, wanted.values()))} functions")


if __name__ == "__main__":
    main()
