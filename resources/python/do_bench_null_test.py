# SPDX-License-Identifier: Apache-2.0
"""Triton's do_bench on ATen's relu against itself, for `warpbench selftest`.

do_bench_null_test.py DEVICE REPEATS ELEMENTS... prints one line of JSON a size: {"elements", "worst", "seconds"},
worst |ratio - 1| and seconds a pair; or {"missing": why} and nothing else.
"""
import json
import sys
import time


def main() -> None:
    device, repeats, sizes = sys.argv[1], int(sys.argv[2]), [int(size) for size in sys.argv[3:]]
    try:
        import torch
        from triton.testing import do_bench
    except Exception as problem:
        print(json.dumps({"missing": f"{type(problem).__name__}: {problem}"}))
        return
    torch.cuda.set_device(torch.device(device))
    for elements in sizes:
        x = torch.randn(elements, device=device)
        do_bench(lambda: torch.relu(x))
        worst, start = 0.0, time.perf_counter()
        for _ in range(repeats):
            reference, candidate = do_bench(lambda: torch.relu(x)), do_bench(lambda: torch.relu(x))
            worst = max(worst, abs(reference / candidate - 1))
        seconds = (time.perf_counter() - start) / repeats
        print(json.dumps({"elements": elements, "worst": worst, "seconds": seconds}), flush=True)


if __name__ == "__main__":
    main()
