#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How long requests of the evaluation server's contract take over HTTP, beside what the original took.

usage: service_figures.py PROGRAM [--device DEVICE] [--ways loose,strict] [--seconds S] [--clients N] [--limit S]
                          [--at-once] [--mixed-alone] [-- options of `serve`]

For each way, "loose" (no walls, not strict) and "strict" (as the service does by itself), it starts `PROGRAM serve` on
a free port of loopback with a folder of its own. It waits until the service says that its compilers are ready, unless
it is to begin `--at-once`. It sends each kind of request for the first time, again, with a source
that nobody has seen, and with device metrics, then mixed requests from several clients whose sources repeat. It prints
seconds of wall clock as a client sees them, what the parts of a run took by the server's own words, and what a request
takes beyond the runner's own seconds, which is what the service costs. At the end stands a table with what is wanted.
A part that fails is said, and the others go on; nothing new is begun after --limit seconds. It needs nothing but
Python; kinds that need a GPU are left out with `--device cpu`, where others stand in their place. With `--mixed-alone`
each kind is asked for once, and then come the mixed requests.
"""
import argparse
import contextlib
import http.client
import json
import re
import subprocess
import sys
import tempfile
import threading
import time
import traceback
import urllib.parse


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
EXTENSION_ON_CPU = """import torch
from torch.utils.cpp_extension import load_inline
source = '''
#include <torch/extension.h>
torch::Tensor run(torch::Tensor a, torch::Tensor b) { return a + b; }
'''
made = load_inline('add', source, functions=['run'])
class ModelNew(torch.nn.Module):
    def forward(self, a, b):
        return made.run(a, b)
"""
INPUTS = "def get_inputs():\n    return [torch.randn(4096), torch.randn(4096)]\ndef get_init_inputs():\n    return []\n"


def bodies(device):
    """kind → (route, body)"""
    on_cpu = device == "cpu"
    pair = [tensor("a", [4096], seeded(1)), tensor("b", [4096], seeded(2))]
    made = {"torch": ("/compare", {"ref_kernel": kernel("torch", ADDITION, pair), "custom_kernel": kernel(
        "torch", ADDITION.replace("a + b", "torch.add(a, b)"), pair)})}
    n = 1 << 20
    large = [tensor("a", [n], seeded(42)), tensor("b", [n], seeded(43))]
    if not on_cpu:
        made["cuda"] = ("/compare", {"ref_kernel": kernel("torch", ADDITION, large), "custom_kernel": kernel(
            "cuda", CUDA, large + [tensor("c", [n], {"kind": "zeros"}, "output"), number("n", n)],
            {"grid": {"x": n // 256}, "block": {"x": 256}})})
    triton = [tensor("x", [4096], seeded(1)), tensor("y", [4096], seeded(2))]
    made["triton"] = ("/compare", {"ref_kernel": kernel("torch", ADDITION, triton), "custom_kernel": kernel(
        "triton", TRITON, triton + [tensor("out", [4096], None, "output"), number("n", 4096),
                                    number("B", 1024, is_meta=True)],
        {"grid": {"x": 4}, "num_warps": 4})})
    made["torch_cuda"] = ("/", {"ref_code": ADDITION + INPUTS, "custom_code": EXTENSION_ON_CPU if on_cpu else EXTENSION})
    return made


# What is wanted of each kind: seconds of a first request and of the next ones; what the original took.
WANTED = {"cuda": (0.15, 0.15, "4.4 to 5.1"), "triton": (1.5, 0.1, "6.6 to 8.1"), "torch_cuda": (2.5, 0.15, "27.7")}
WANTED_MORE_FOR_METRICS, WANTED_A_SECOND, WANTED_OVERHEAD = 0.6, 50, 0.005


class Client:
    """Asks over one connection that stays open, as clients do that ask again and again."""

    def __init__(self, address, clock):
        self.host = urllib.parse.urlsplit(address).netloc
        self.clock, self.connection = clock, None

    def ask(self, method, path, body=None):
        """(status, answer as JSON, seconds)"""
        for again in (True, False):
            fresh = self.connection is None
            if fresh:
                self.connection = http.client.HTTPConnection(self.host, timeout=max(5, self.clock.left() + 5))
            start = time.monotonic()
            try:
                text = None if body is None else json.dumps(body)
                self.connection.request(method, path, text, {"Content-Type": "application/json"} if text else {})
                answer = self.connection.getresponse()
                content = answer.read()
                return answer.status, json.loads(content), time.monotonic() - start
            except (http.client.HTTPException, OSError):
                self.close()
                if fresh or not again:  # a connection that was kept open may have been closed meanwhile
                    raise

    def close(self):
        if self.connection:
            self.connection.close()
        self.connection = None


class Clock:
    def __init__(self, seconds):
        self.end = time.monotonic() + seconds

    def left(self):
        return self.end - time.monotonic()


class Server:
    """A server with a folder of its own, for as long as a `with` lasts."""

    def __init__(self, command, folder):
        self.said = []
        self.process = subprocess.Popen(
            command + ["--port", "0", "--folder", folder, "--log", "text"], stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True)  # fmt: skip
        self.address = None
        for line in self.process.stdout:
            self.said.append(line)
            found = re.search(r"http://127\.0\.0\.1:\d+", line)
            if found:
                self.address = found.group(0)
                break
        if self.address is None:
            raise RuntimeError("the server did not start:\n" + "".join(self.said))
        threading.Thread(target=lambda: self.said.extend(self.process.stdout), daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            print("  the server did not end by itself")

    def await_compilers(self, clock):
        """Waits until what the first kernel in C++ needs is made."""
        said = None
        while said is None and clock.left() > 0 and self.process.poll() is None:
            said = next((line for line in self.said if "compilers of kernels are" in line), None)
            time.sleep(0.05)
        print("  " + (said or "the service did not say that its compilers are ready").strip())

    def parts_of(self, run):
        """What the parts of a run took, in seconds by their names, as the server says when it has ended."""
        for _ in range(50):
            line = next((each for each in reversed(self.said) if "run %s: " % run in each), None)
            if line:
                return {name: float(seconds) for seconds, name in re.findall(r"([0-9.]+) s (\w+)", line)}
            time.sleep(0.01)  # the line may be on its way
        return {}


def verdict(status, answer):
    result = answer.get("kernel_exec_result", {})
    if status == 200 and result.get("correctness"):
        return "right, %.4g ms" % result.get("runtime", 0)
    return "%d %s" % (status, json.dumps(answer)[:600])


def milliseconds(parts):
    return ", ".join("%s %.1f" % (name, 1e3 * each) for name, each in parts.items())


def middle(values):
    values = sorted(values)
    return values[len(values) // 2] if values else None


def changed(body, count):
    """The same request with a source that nobody has seen."""
    body = json.loads(json.dumps(body))
    if "custom_kernel" in body:
        body["custom_kernel"]["source_code"] += "\n" + ("// " if "__global__" in body["custom_kernel"]["source_code"]
                                                        else "# ") + str(count)
    else:
        body["custom_code"] = body["custom_code"].replace("#include", "// %d\n#include" % count, 1)
    return body


def tries_of(body, has_metrics):
    tries = [("first", body)] + 5 * [("next", body)] + [("another source", changed(body, 1))]
    if has_metrics:
        tries += 2 * [("with metrics", dict(body, collect_device_metrics=True))]
    return tries


def one_kind(server, client, route, tries, clock, figures):
    """Seconds of a kind of request by what was asked, in `figures`."""
    for what, asked in tries:
        if clock.left() <= 0:
            return print("  no time is left for: " + what)
        if what in ("first", "another source"):
            time.sleep(1)  # to somebody who is at rest, as everybody else measures it
        status, answer, seconds = client.ask("POST", route, asked)
        said = verdict(status, answer)
        print("  %-15s %7.3f s  %s" % (what, seconds, said), flush=True)
        run = answer.get("job_id")
        parts = server.parts_of(run)
        print("  %-15s %s" % ("ms", milliseconds(parts)))
        if not said.startswith("right"):
            continue
        figures.setdefault(what, []).append(seconds)
        report = client.ask("GET", "/v1/runs/%s/report" % run)
        if what == "next" and report[0] == 200:
            figures.setdefault("overhead", []).append(seconds - report[1]["seconds"])


def mixed(server, kinds, clients, seconds, clock):
    """Right answers a second to clients that ask for one kind after the other."""
    lock, taken, refused, wrong, runs, ends = threading.Lock(), [], [], [], [], []
    start = time.monotonic()

    def one(number):
        client = Client(server.address, clock)
        for count in range(number, sys.maxsize):
            if time.monotonic() - start >= seconds or clock.left() <= 0:
                return client.close()
            name, (route, body) = list(kinds.items())[count % len(kinds)]
            try:
                status, answer, took = client.ask("POST", route, body)
            except (http.client.HTTPException, OSError) as error:
                status, answer, took = 0, {"error": str(error)}, 0
            good = verdict(status, answer).startswith("right")
            with lock:
                (taken if good else refused if status == 429 else wrong).append(took if good else (status, answer))
                if good:
                    runs.append((name, answer.get("job_id")))
                    ends.append(time.monotonic() - start)

    threads = [threading.Thread(target=one, args=(i,)) for i in range(clients)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    took = time.monotonic() - start
    taken.sort()
    print("%d clients, %.0f s: %.1f requests/s right, %d with 429, %d wrong" % (
        clients, took, len(taken) / took, len(refused), len(wrong)))
    if taken:
        fifth = took / 5
        print("  in fifths of the time: %s a second" % ", ".join(
            "%.1f" % (sum(i * fifth <= end < (i + 1) * fifth for end in ends) / fifth) for i in range(5)))
        print("  median %.3f s, 95 %% %.3f s, longest %.3f s" % (
            taken[len(taken) // 2], taken[int(len(taken) * 0.95)], taken[-1]))
    each = [(kind, server.parts_of(run)) for kind, run in runs[-200:]]
    for kind in kinds:
        own = [parts for name, parts in each if name == kind]
        names = dict.fromkeys(name for parts in own for name in parts)
        print("  ms (medians), %s: %s" % (
            kind, milliseconds({name: middle([parts.get(name, 0.0) for parts in own]) for name in names})))
    for status, answer in wrong[:3]:
        print("  wrong:", status, json.dumps(answer)[:600])
    return len(taken) / took


@contextlib.contextmanager
def part(name):
    """A part that may fail without ending the others."""
    print(name, flush=True)
    try:
        yield
    except Exception:
        print("  FAILED: " + traceback.format_exc(limit=3))


def one_way(command, asked, clock):
    """The figures of each kind, and the right answers a second (under "mixed")."""
    figures, good = {}, {}
    kinds = bodies(asked.device)
    with tempfile.TemporaryDirectory() as folder, Server(command, folder + "/runs") as server:
        if not asked.at_once:
            server.await_compilers(clock)
        client = Client(server.address, clock)
        for name, (route, body) in kinds.items():
            with part(name):
                has_metrics = asked.device != "cpu" and "ref_code" not in body
                tries = [("first", body)] if asked.mixed_alone else tries_of(body, has_metrics)
                one_kind(server, client, route, tries, clock, figures.setdefault(name, {}))
            if "first" in figures[name] or "next" in figures[name]:
                good[name] = kinds[name]
        client.close()
        with part("mixed: " + ", ".join(good)):
            figures["mixed"] = mixed(server, good, asked.clients, asked.seconds, clock)
    return figures


def row(what, figure, wanted, unit="s"):
    shown = "-" if figure is None else "%.3f %s" % (figure, unit) if unit == "s" else "%.1f %s" % (figure, unit)
    print("  %-34s %12s   %s" % (what, shown, wanted))


def tell(way, figures):
    print("%s:%39s   wanted (the original)" % (way, ""))
    for name, kind in figures.items():
        if name == "mixed":
            row("mixed requests", kind, ">= %d a second" % WANTED_A_SECOND, "a second")
            continue
        first, following, original = WANTED.get(name, (None, None, ""))
        for what, wanted in (("first", first), ("next", following), ("another source", None)):
            row("%s, %s" % (name, what), middle(kind.get(what, [])),
                "" if wanted is None else "<= %g s (%s s)" % (wanted, original))
        if kind.get("with metrics") and kind.get("next"):
            row("%s, more with device metrics" % name, min(kind["with metrics"]) - middle(kind["next"]),
                "<= %g s" % WANTED_MORE_FOR_METRICS)
    overheads = [each for kind in figures.values() if isinstance(kind, dict) for each in kind.get("overhead", [])]
    row("over the runner's own time", middle(overheads), "<= %g s" % WANTED_OVERHEAD)


def main():
    options = argparse.ArgumentParser(usage=__doc__)
    options.add_argument("program")
    options.add_argument("--device", default="cuda:0")
    options.add_argument("--ways", default="loose,strict")
    options.add_argument("--seconds", type=float, default=10)
    options.add_argument("--clients", type=int, default=8)
    options.add_argument("--limit", type=float, default=220)
    options.add_argument("--at-once", action="store_true")
    options.add_argument("--mixed-alone", action="store_true")
    # What follows the dashes is the server's; argparse would take it for a second list of ours.
    end = sys.argv.index("--") if "--" in sys.argv else len(sys.argv)
    asked = options.parse_args(sys.argv[1:end])
    ways = {"loose": ["--sandbox", "false", "--strict", "false"], "strict": []}
    chosen = asked.ways.split(",")
    start, found = time.monotonic(), {}
    for place, way in enumerate(chosen):
        command = [asked.program, "serve", "--devices", asked.device, *ways[way], *sys.argv[end + 1:]]
        with part("\n%s: %s" % (way, " ".join(command))):
            # What is left is shared by the ways that are still to come.
            left = asked.limit - (time.monotonic() - start)
            found[way] = one_way(command, asked, Clock(left / (len(chosen) - place)))
    print()
    for way, figures in found.items():
        tell(way, figures)
    print("in %.0f s" % (time.monotonic() - start))


if __name__ == "__main__":
    main()
