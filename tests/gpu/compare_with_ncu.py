#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Counters of `warpbench profile` beside ncu's, on the same kernels and cases.

usage: compare_with_ncu.py WARPBENCH [SAMPLES_FOLDER]

Needs a GPU and the program ncu. Both count with emptied caches (--caches cold, --cache-control all) and leave the clocks
alone (--clock-control none). Counts of instructions, sectors and requests must agree to 2 %, bytes read from DRAM to 5 %.
What depends on clocks and on what ran at the same time (bank conflicts are counted in a stage that global loads share) is
printed, not judged. The exit status is 1 when a count differs.
"""
import csv
import io
import json
import os
import subprocess
import sys
import tempfile

CASES = {
    "relu.cu": ("aten.relu.default", "((T([2048, 2048], f32),), {})"),
    "softmax.cu": ("aten._softmax.default", "((T([4096, 1024], f32), -1, False), {})"),
    "layer_norm.cu": (
        "aten.native_layer_norm.default",
        "((T([4096, 1024], f32), [1024], T([1024], f32), T([1024], f32), 1e-05), {})",
    ),
    "mm.cu": ("aten.mm.default", "((T([512, 512], f32), T([512, 512], f32)), {})"),
}
COUNTS = ("_sectors_", "_requests_", "inst_executed", "ctas_launched", "warps_launched")


def own(program, kernel, trace):
    out = os.path.join(tempfile.mkdtemp(), "report.json")
    command = [program, "profile", kernel, "--suite", trace, "--device", "cuda:0", "--no-lines",
               "--caches", "cold", "--json", out]
    subprocess.run(command, check=True, capture_output=True, timeout=120)
    with open(out) as file:
        report = json.load(file)
    case = report["kernels"][0]["cases"][0]
    launch = case["profile"]["candidate"]["launches"][0]
    return launch["function"], launch["kernel"], {m["name"]: m["value"] for m in launch["metrics"]}


def ncus(program, kernel, trace, function, names):
    command = ["ncu", "--target-processes", "all", "--clock-control", "none", "--cache-control", "all", "--csv",
               "--page", "raw", "--print-units", "base", "--kernel-name-base", "mangled", "-k", function, "-c", "1",
               "--metrics", ",".join(names), program, "run", kernel, "--suite", trace, "--device", "cuda:0",
               "--stages", "compile,check"]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=180)
    lines = ran.stdout.splitlines()
    start = next((i for i, line in enumerate(lines) if line.startswith('"ID"')), None)
    if start is None:
        raise SystemExit("ncu printed no table:\n" + ran.stdout[-2000:] + ran.stderr[-1000:])
    rows = list(csv.reader(io.StringIO("\n".join(lines[start:]))))
    header, values = rows[0], rows[-1]
    found = {}
    for name, value in zip(header, values):
        try:
            found[name] = float(value.replace(",", ""))
        except ValueError:
            pass
    return found


def main():
    program = os.path.abspath(sys.argv[1])
    samples = sys.argv[2] if len(sys.argv) > 2 else "resources/samples"
    differs = 0
    for name, (op, arguments) in CASES.items():
        kernel = os.path.join(samples, name)
        with tempfile.NamedTemporaryFile("w", suffix=".txt", delete=False) as file:
            file.write(f"Operator: {op}\ncnt: 1, {arguments}\n")
        function, shown, mine = own(program, kernel, file.name)
        theirs = ncus(program, kernel, file.name, function, list(mine))
        print(f"{name}: {shown}")
        for metric, value in mine.items():
            if metric not in theirs:
                print(f"  {metric:75} {value:14.6g} {'-':>14}")
                continue
            other = theirs[metric]
            change = 0 if value == other else (value - other) / other if other else float("inf")
            count = any(part in metric for part in COUNTS) and metric.endswith(".sum")
            wrong = (count and abs(change) > 0.02) or (metric == "dram__bytes_read.sum" and abs(change) > 0.05)
            differs += wrong
            mark = " DIFFERS" if wrong else ""
            print(f"  {metric:75} {value:14.6g} {other:14.6g} {change:+9.2%}{mark}")
    return 1 if differs else 0


if __name__ == "__main__":
    sys.exit(main())
