#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How long requests of the evaluation server's contract take over HTTP, beside what the original took.

usage: service_figures.py PROGRAM [--device DEVICE] [--seconds S] [--clients N] [-- options of `serve`]

Starts `PROGRAM serve` on a free port of loopback with a folder of its own, sends each kind of request for the first
time, again, and with device metrics, then mixed requests from several clients whose sources repeat. It prints seconds
of wall clock as a client sees them, what the parts of a run took by the server's own words, and what is left of a
request beside them, which is the service itself. Then it ends the server. Needs nothing but Python; kinds that need a
GPU are left out with `--device cpu`.
"""
import argparse
import json
import re
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request


def tensor(name, shape, init=None, role="input"):
    return {"name": name, "type": "tensor", "role": role,
            "tensor_spec": {"shape": shape, "dtype": "float32", "init": init}}


def seeded(seed):
    return {"kind": "randn", "seed": seed}


def number(name, value, **more):
    return {"name": name, "type": "int", "value": value, **more}


def kernel(kind, source, arguments, launch=None):
    io = {"args": arguments}
    if launch:
        io["launch"] = launch
    return {"source_code": source, "kernel_type": kind, "io": io}


ADDITION = "import torch\nclass Model(torch.nn.Module):\n    def forward(self, a, b):\n        return a + b\n"
CUDA = """__global__ void vector_add(float* a, float* b, float* c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}
"""
TRITON = """import triton
import triton.language as tl
@triton.jit
def add(x, y, out, n, B: tl.constexpr):
    at = tl.program_id(0) * B + tl.arange(0, B)
    there = at < n
    tl.store(out + at, tl.load(x + at, there) + tl.load(y + at, there), there)
"""
EXTENSION = """import torch
from torch.utils.cpp_extension import load_inline
cuda = '''
#include <torch/extension.h>
__global__ void add(const float* a, const float* b, float* c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}
torch::Tensor run(torch::Tensor a, torch::Tensor b) {
  auto c = torch::empty_like(a);
  add<<<(a.numel() + 255) / 256, 256>>>(a.data_ptr<float>(), b.data_ptr<float>(), c.data_ptr<float>(), a.numel());
  return c;
}
'''
made = load_inline('add', 'torch::Tensor run(torch::Tensor a, torch::Tensor b);', cuda, functions=['run'])
class ModelNew(torch.nn.Module):
    def forward(self, a, b):
        return made.run(a, b)
"""
INPUTS = "def get_inputs():\n    return [torch.randn(4096), torch.randn(4096)]\ndef get_init_inputs():\n    return []\n"


def bodies(device):
    """name → (route, body, what the original took)"""
    pair = [tensor("a", [4096], seeded(1)), tensor("b", [4096], seeded(2))]
    reference = kernel("torch", ADDITION, pair)
    made = {"torch": ("/compare", {"ref_kernel": reference, "custom_kernel": kernel(
        "torch", ADDITION.replace("a + b", "torch.add(a, b)"), pair)}, "")}
    if device == "cpu":
        return made
    n = 1 << 20
    large = [tensor("a", [n], seeded(42)), tensor("b", [n], seeded(43))]
    made["cuda"] = ("/compare", {"ref_kernel": kernel("torch", ADDITION, large), "custom_kernel": kernel(
        "cuda", CUDA, large + [tensor("c", [n], {"kind": "zeros"}, "output"), number("n", n)],
        {"grid": {"x": n // 256}, "block": {"x": 256}})}, "4.4 to 5.1 s")
    triton = [tensor("x", [4096], seeded(1)), tensor("y", [4096], seeded(2))]
    made["triton"] = ("/compare", {"ref_kernel": kernel("torch", ADDITION, triton), "custom_kernel": kernel(
        "triton", TRITON, triton + [tensor("out", [4096], None, "output"), number("n", 4096),
                                    number("B", 1024, is_meta=True)],
        {"grid": {"x": 4}, "num_warps": 4})}, "6.6 to 8.1 s")
    made["torch_cuda"] = ("/", {"ref_code": ADDITION + INPUTS, "custom_code": EXTENSION}, "27.7 s")
    return made


def post(url, body):
    """(status, answer as JSON, seconds)"""
    start = time.monotonic()
    request = urllib.request.Request(url, json.dumps(body).encode(), {"Content-Type": "application/json"})
    try:
        with urllib.request.urlopen(request, timeout=300) as answer:
            status, text = answer.status, answer.read()
    except urllib.error.HTTPError as refused:
        status, text = refused.code, refused.read()
    return status, json.loads(text), time.monotonic() - start


def verdict(status, answer):
    result = answer.get("kernel_exec_result", {})
    if status == 200 and result.get("correctness"):
        return "right, %.4g ms" % result.get("runtime", 0)
    return "%d %s" % (status, json.dumps(answer)[:600])


def parts_of(said, run):
    """What the parts of a run took, in seconds by their names, as the server says when it has ended."""
    line = next((each for each in reversed(said) if "run %s: " % run in each), "")
    return {name: float(seconds) for seconds, name in re.findall(r"([0-9.]+) s (\w+)", line)}


def beside(parts, seconds):
    """The milliseconds of each part, and of the rest."""
    rest = dict(parts, service=seconds - sum(parts.values()))
    return ", ".join("%s %.1f" % (name, 1e3 * each) for name, each in rest.items())


def middle(values):
    return sorted(values)[len(values) // 2] if values else 0.0


def changed(body, count):
    """The same request with a source that nobody has seen."""
    body = json.loads(json.dumps(body))
    if "custom_kernel" in body:
        body["custom_kernel"]["source_code"] += "\n" + ("// " if "__global__" in body["custom_kernel"]["source_code"]
                                                        else "# ") + str(count)
    else:
        body["custom_code"] = body["custom_code"].replace("__global__", "// %d\n__global__" % count, 1)
    return body


def one_by_one(url, kinds, said):
    for name, (route, body, original) in kinds.items():
        print("%s%s" % (name, " (the original: %s)" % original if original else ""))
        tries = [("first", body), ("again", body), ("again", body), ("again", body), ("another source", changed(body, 1)),
                 ("another source", changed(body, 2)), ("with device metrics", dict(body, collect_device_metrics=True))]
        if "ref_code" in body:
            tries.pop()
        for what, asked in tries:
            status, answer, seconds = post(url + route, asked)
            print("  %-20s %7.3f s  %s" % (what, seconds, verdict(status, answer)), flush=True)
            print("  %-20s %s" % ("milliseconds", beside(parts_of(said, answer.get("job_id")), seconds)))


def mixed(url, kinds, clients, seconds, said):
    lock, taken, refused, wrong, runs = threading.Lock(), [], [], [], []
    until = time.monotonic() + seconds

    def client(number):
        count = number
        while time.monotonic() < until:
            route, body, _ = list(kinds.values())[count % len(kinds)]
            count += 1
            try:
                status, answer, took = post(url + route, body)
            except OSError as error:
                status, answer, took = 0, {"error": str(error)}, 0
            good = verdict(status, answer).startswith("right")
            with lock:
                (taken if good else refused if status == 429 else wrong).append(took if good else (status, answer))
                if good:
                    runs.append((answer.get("job_id"), took))

    threads = [threading.Thread(target=client, args=(i,)) for i in range(clients)]
    start = time.monotonic()
    [each.start() for each in threads]
    [each.join() for each in threads]
    took = time.monotonic() - start
    taken.sort()
    print("%d clients, %.0f s: %.1f requests/s right, %d with 429, %d wrong" % (
        clients, took, len(taken) / took, len(refused), len(wrong)))
    if taken:
        print("  median %.3f s, 95 %% %.3f s, longest %.3f s" % (
            taken[len(taken) // 2], taken[int(len(taken) * 0.95)], taken[-1]))
    each = [(parts_of(said, run), seconds) for run, seconds in runs]
    names = sorted({name for parts, _ in each for name in parts})
    print("  milliseconds (medians): " + beside(
        {name: middle([parts.get(name, 0.0) for parts, _ in each]) for name in names}, middle(taken)))
    for status, answer in wrong[:3]:
        print("  wrong:", status, json.dumps(answer)[:600])


def main():
    options = argparse.ArgumentParser(usage=__doc__)
    options.add_argument("program")
    options.add_argument("--device", default="cuda:0")
    options.add_argument("--seconds", type=float, default=10)
    options.add_argument("--clients", type=int, default=8)
    # What follows the dashes is the server's; argparse would take it for a second list of ours.
    end = sys.argv.index("--") if "--" in sys.argv else len(sys.argv)
    asked = options.parse_args(sys.argv[1:end])
    asked.serve = sys.argv[end + 1:]
    with tempfile.TemporaryDirectory() as folder:
        server = subprocess.Popen(
            [asked.program, "serve", "--port", "0", "--devices", asked.device, "--folder", folder + "/runs", "--log",
             "text"] + asked.serve, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        said, address = [], None
        for line in server.stdout:
            said.append(line)
            found = re.search(r"http://127\.0\.0\.1:\d+", line)
            if found:
                address = found.group(0)
                break
        if not address:
            sys.exit("the server did not start:\n" + "".join(said))
        threading.Thread(target=lambda: said.extend(server.stdout), daemon=True).start()
        try:
            kinds = bodies(asked.device)
            print("%s serve %s on %s" % (asked.program, " ".join(asked.serve), asked.device))
            one_by_one(address, kinds, said)
            mixed(address, kinds, asked.clients, asked.seconds, said)
        finally:
            server.terminate()
            server.wait(60)
            print("the server said at last: " + "".join(said[-3:]).strip())


main()
