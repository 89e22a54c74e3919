# SPDX-License-Identifier: Apache-2.0
# What quickstart and test share: each step says in one line what it does, is done once, and fails with one sentence.
# Sourced, never run; the caller has `set -euo pipefail`.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
build=${TIDEMARK_BUILD:-$root/build}
venv=$build/venv
stamps=$build/stamps
logs=$build/logs
torch_requirement=torch==${TIDEMARK_TORCH_VERSION:-2.15.0}
minimal=${TIDEMARK_MINIMAL:-0}

say() { printf 'tidemark: %s\n' "$*"; }
fail() { printf 'tidemark: %s\n' "$*" >&2; exit 1; }

# logged NAME SENTENCE COMMAND…: runs quietly; on failure the end of the log and the sentence.
logged() {
    local log=$logs/$1.log sentence=$2
    shift 2
    mkdir -p "$logs"
    if ! "$@" > "$log" 2>&1 < /dev/null; then
        tail -n 25 "$log" >&2
        fail "$sentence (all of it: ${log#"$root"/})"
    fi
}

# done_before STEP INPUT…: whether the step has been done with just these inputs.
done_before() {
    local step=$1
    shift
    [ -f "$stamps/$step" ] && [ "$(cat "$stamps/$step")" = "$(printf '%s\n' "$@" | sha256sum)" ]
}
mark_done() {
    local step=$1
    shift
    mkdir -p "$stamps"
    printf '%s\n' "$@" | sha256sum > "$stamps/$step"
}

as_root() {
    if [ "$(id -u)" = 0 ]; then
        "$@"
    elif command -v sudo > /dev/null; then
        sudo "$@"
    else
        fail "installing Debian packages needs root: run as root, or install sudo"
    fi
}

# debian_packages NAME…: installs those that are missing.
debian_packages() {
    command -v dpkg-query > /dev/null && command -v apt-get > /dev/null ||
        fail "this script knows Debian 12 and its relatives (dpkg, apt-get); elsewhere install what packaging/setup.sh lists and run cmake --preset release"
    local name missing=()
    for name; do
        [ "$(dpkg-query -W -f '${db:Status-Status}' "$name" 2> /dev/null || true)" = installed ] || missing+=("$name")
    done
    if [ ${#missing[@]} = 0 ]; then
        say "Debian packages: all ${#} there"
        return
    fi
    say "installing Debian packages: ${missing[*]}"
    as_root true
    logged apt-update "the package lists could not be fetched: is the network up" \
        as_root env DEBIAN_FRONTEND=noninteractive apt-get update
    logged apt-install "apt-get could not install ${missing[*]}" \
        as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "${missing[@]}"
}

build_packages() {
    debian_packages ca-certificates git g++ cmake ninja-build ccache binutils python3 python3-venv \
        qt6-base-dev qt6-svg-dev qt6-tools-dev qt6-l10n-tools qt6-qpa-plugins libqcustomplot-dev libqcustomplot2.1-qt6 \
        nlohmann-json3-dev libcli11-dev libfmt-dev zlib1g-dev fonts-dejavu-core "$@"
}

has_driver() {
    [ -e /proc/driver/nvidia/version ] || ldconfig -p 2> /dev/null | grep -q 'libcuda\.so\.1' ||
        { command -v nvidia-smi > /dev/null && nvidia-smi -L > /dev/null 2>&1; }
}

has_toolkit() { [ -f "${CUDA_HOME:-/usr/local/cuda}/include/cuda_runtime_api.h" ]; }

# has_header_wheel DIR: a virtual environment with CUDA's headers in it.
has_header_wheel() { compgen -G "$1/lib/python3*/site-packages/nvidia/cu13/include/cuda_runtime_api.h" > /dev/null; }

# pip_install STEP SENTENCE-SUBJECT PIP-ARGUMENT…
pip_install() {
    local step=$1 what=$2
    shift 2
    if done_before "$step" "$@"; then
        say "$what: there"
        return
    fi
    say "installing $what into ${venv#"$root"/}"
    logged "$step" "pip could not install $what" \
        "$venv/bin/python" -m pip install --disable-pip-version-check --no-input "$@"
    mark_done "$step" "$@"
}

virtual_environment() {
    if [ ! -x "$venv/bin/python" ]; then
        say "creating a virtual environment in ${venv#"$root"/}"
        mkdir -p "$build"
        rm -rf "$stamps"/pip-*
        logged venv "python3 could not create a virtual environment in $venv" python3 -m venv "$venv"
    fi
}

# pinned NAME…: the exact requirements that the installed LibTorch was built with, one a line.
pinned() { "$venv/bin/python" "$root/packaging/pins.py" "$@"; }

libtorch() {
    virtual_environment
    if [ -n "${TIDEMARK_TORCH:-}" ]; then
        [ -d "$TIDEMARK_TORCH" ] || fail "TIDEMARK_TORCH=$TIDEMARK_TORCH is no folder"
        torch=$(cd "$TIDEMARK_TORCH" && pwd)
        say "LibTorch: the one in $torch"
        has_toolkit || has_header_wheel "$torch" ||
            pip_install pip-headers "CUDA headers" --no-deps 'nvidia-cuda-runtime>=13,<14' 'nvidia-cuda-crt>=13,<14'
        return
    fi
    torch=$venv
    if has_driver; then
        pip_install pip-torch "$torch_requirement with NVIDIA's libraries (3 GB; a driver was found)" "$torch_requirement"
    else
        pip_install pip-torch "$torch_requirement alone (1.2 GB; no NVIDIA driver was found)" --no-deps "$torch_requirement"
    fi
    nvidia_wheels
}

nvidia_wheels() {
    local wanted=()
    has_toolkit || wanted+=(nvidia-cuda-runtime nvidia-cuda-crt)
    [ "$minimal" = 1 ] || wanted+=(nvidia-cudnn-cu13 nvidia-cublas nvidia-cuda-nvrtc)
    if [ ${#wanted[@]} = 0 ]; then
        return
    fi
    pip_install pip-toolkit "the list of NVIDIA's wheels" --no-deps "$(pinned cuda-toolkit)"
    local requirements
    mapfile -t requirements < <(pinned "${wanted[@]}")
    [ ${#requirements[@]} = ${#wanted[@]} ] || fail "the versions of ${wanted[*]} that belong to $torch_requirement could not be found out"
    local what="cuDNN and cuBLAS for workspace sizes"
    [ "$minimal" = 1 ] && what="CUDA headers"
    [ "$minimal" = 1 ] || has_toolkit || what="cuDNN, cuBLAS and CUDA headers"
    pip_install pip-nvidia "$what" --no-deps "${requirements[@]}"
}

# What `import torch` needs beyond the bare wheel.
torch_python() {
    pip_install pip-python "what Python's torch imports" --no-deps -r "$root/packaging/requirements-torch.txt"
}

test_wheels() {
    pip_install pip-tests "model libraries for the tests" --no-deps -r "$root/tests/reference/requirements.txt"
}

configure() {
    local preset=$1
    local options=("-DTIDEMARK_TORCH=$torch")
    if ! has_toolkit; then
        local headers
        headers=$(echo "$venv"/lib/python3*/site-packages/nvidia/cu13)
        options+=("-DCUDAToolkit_ROOT=$headers")
    fi
    if done_before configure "$preset" "${options[@]}" "$(cat "$root/CMakePresets.json")" && [ -f "$build/build.ninja" ]; then
        say "configured: preset $preset"
        return
    fi
    say "configuring with preset $preset"
    logged configure "CMake could not configure the build" \
        cmake -S "$root" -B "$build" --preset "$preset" "${options[@]}"
    mark_done configure "$preset" "${options[@]}" "$(cat "$root/CMakePresets.json")"
}

# One compiler per core, and per 2 GB of memory: LibTorch's headers are large.
jobs_to_run() {
    local cores memory
    cores=$(nproc)
    memory=$(awk '/MemAvailable/ { print int($2 / 2000000) }' /proc/meminfo)
    [ "$memory" -ge 1 ] || memory=1
    echo $((cores < memory ? cores : memory))
}

compile() {
    local jobs
    jobs=$(jobs_to_run)
    say "building with $jobs jobs"
    logged build "the build failed" ninja -C "$build" -j "$jobs"
}
