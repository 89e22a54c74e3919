# SPDX-License-Identifier: Apache-2.0
"""Times Tidemark and its peers on the same models in the same run and prints ratios."""
import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
SAMPLES = HERE.parent / "resources" / "samples"
CASES = (("resnet50", 32, "momentum"), ("vit_b_16", 32, "momentum"))
REPEATS = 5


class Probe:
    """A tidemark-probe that answers with its replies and their wall times."""

    def __init__(self, build):
        self._process = subprocess.Popen([str(build / "bin" / "tidemark-probe"), "--workspace", "none"],
                                         stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)

    def ask(self, **request):
        begin = time.perf_counter()
        self._process.stdin.write(json.dumps({"id": 1, **request}) + "\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        milliseconds = 1000 * (time.perf_counter() - begin)
        answer = json.loads(line) if line else {"ok": False, "error": {"message": "the probe died"}}
        if not answer["ok"]:
            sys.exit(f"benchmark: {answer['error']['message']}")
        return answer, milliseconds

    def peak_host_memory(self):
        text = pathlib.Path(f"/proc/{self._process.pid}/status").read_text()
        return int(next(line.split()[1] for line in text.splitlines() if line.startswith("VmHWM"))) * 1024

    def close(self):
        self._process.stdin.close()
        self._process.wait()


def probe_step(build, name, batch, kind):
    """(milliseconds of one step, of a whole answer of three steps, bytes allocated at the steady peak)."""
    probe = Probe(build)
    probe.ask(op="open", path=str(SAMPLES / f"{name}.pt"))
    settings = {"batch": batch, "optimizer": {"kind": kind}, "workspace": "none"}
    answers = [probe.ask(op="measure", settings=settings) for _ in range(REPEATS + 1)][1:]
    probe.close()
    steps = [answer["measurement"]["step_time_us"] / 1000 for answer, _ in answers]
    peak = answers[-1][0]["measurement"]["steady"]["allocated"]
    return statistics.median(steps), statistics.median(wall for _, wall in answers), peak


def first_plan(build, name, batch, kind):
    """Seconds from starting the command line to its printed plan."""
    times = []
    for _ in range(3):
        begin = time.perf_counter()
        done = subprocess.run([str(build / "bin" / "tidemark"), "plan", str(SAMPLES / f"{name}.pt"), "--batch", str(batch),
                               "--optimizer", kind, "--workspace", "none", "--gpu", "A100 80GB"], capture_output=True)
        times.append(time.perf_counter() - begin)
        if done.returncode not in (0, 3):
            sys.exit("benchmark: " + done.stderr.decode().strip())
    return statistics.median(times)


def first_answer(build, name, batch, kind):
    """Seconds from starting a probe to its first measurement, model load included."""
    times = []
    for _ in range(3):
        begin = time.perf_counter()
        probe = Probe(build)
        probe.ask(op="open", path=str(SAMPLES / f"{name}.pt"))
        probe.ask(op="measure", settings={"batch": batch, "optimizer": {"kind": kind}, "workspace": "none"})
        times.append(time.perf_counter() - begin)
        probe.close()
    return statistics.median(times)


def peers(build, name, batch, kind):
    command = [str(build / "bin" / "nullgpu-run"), "--gpu", "a100-80gb", "--", sys.executable, str(HERE / "peers.py"),
               name, str(batch), kind]
    done = subprocess.run(command, capture_output=True, text=True)
    results = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    if not results:
        sys.exit("benchmark: the peers did not run: " + done.stderr.strip()[-300:])
    return results


def compare(build, name, batch, kind):
    step, answer, peak = probe_step(build, name, batch, kind)
    print(f"\n{name}, fp32, batch {batch}, {kind}")
    print(f"  {'':22} {'one step':>12} {'against it':>11} {'peak':>13}")
    print(f"  {'Tidemark':22} {step:9.2f} ms {'':>11} {peak / 2**20:9.1f} MiB")
    print(f"  {'  a whole answer':22} {answer:9.2f} ms {'':>11}")
    for result in peers(build, name, batch, kind):
        if "error" in result:
            print(f"  {result['tool']:22} did not run: {result['error']}")
        else:
            print(f"  {result['tool']:22} {result['ms']:9.2f} ms {result['ms'] / step:10.1f}× {result['bytes'] / 2**20:9.1f} MiB")
    print(f"  probe started to first measurement  {first_answer(build, name, batch, kind):.2f} s")
    if (build / "bin" / "tidemark").exists():
        print(f"  command line started to its plan    {first_plan(build, name, batch, kind):.2f} s")


def all_cards(build):
    """The table of all cards with their largest batches: cuDNN asked everything, then its answers remembered."""
    print("\nresnet50, batch 32, on every card with the largest batch of each")
    with tempfile.TemporaryDirectory() as folder:
        for state in ("cuDNN never asked before", "its answers known"):
            before, begin = os.times(), time.perf_counter()
            done = subprocess.run([str(build / "bin" / "tidemark"), "plan", str(SAMPLES / "resnet50.pt"), "--all-gpus"],
                                  capture_output=True, env={**os.environ, "TIDEMARK_CUDNN_ANSWERS": folder})
            wall, after = time.perf_counter() - begin, os.times()
            if done.returncode not in (0, 3):
                sys.exit("benchmark: " + done.stderr.decode().strip())
            cpu = after.children_user + after.children_system - before.children_user - before.children_system
            print(f"  {state:35} {wall:.2f} s, {cpu:.1f} s of the processors")


def seven_billion(build):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "llama.pt")
        print("\nLlama, 6.7 billion parameters, weightless")
        command = [str(build / "bin" / "nullgpu-run"), "--", sys.executable, "-m", "tidemark_export", "transformers:llama",
                   "--weightless", "--dtype", "bfloat16", "--input", "input_ids=int64[B,S]", "--axis", "S=8", "-o", path]
        begin = time.perf_counter()
        subprocess.run(command, check=True, capture_output=True)
        print(f"  exported in                         {time.perf_counter() - begin:.1f} s")
        probe = Probe(build)
        _, opened = probe.ask(op="open", path=path)
        answer, planned = probe.ask(op="measure", settings={"batch": 1, "axes": {"S": 128}, "optimizer": {"kind": "sgd"},
                                                            "workspace": "none"})
        peak = answer["measurement"]["steady"]["allocated"]
        print(f"  opened in                           {opened / 1000:.2f} s")
        print(f"  planned in (bf16, batch 1)          {planned / 1000:.2f} s: {peak / 2**30:.2f} GiB allocated")
        print(f"  host memory of the probe            {probe.peak_host_memory() / 2**30:.2f} GiB")
        probe.close()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", required=True, type=pathlib.Path)
    parser.add_argument("--quick", action="store_true", help="without the seven-billion-parameter model")
    options = parser.parse_args()
    for case in CASES:
        compare(options.build, *case)
    if (options.build / "bin" / "tidemark").exists():
        all_cards(options.build)
    if not options.quick:
        seven_billion(options.build)


if __name__ == "__main__":
    main()
