#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The official Python SDK's client against `warpbench-service mcp` and a worker on the CPU.

    mcp_client.py PROGRAM

Exit status 77: the package mcp is not there, so nothing was tried."""
import asyncio
import json
import os
import sys

try:
    import mcp
    from mcp.client.stdio import StdioServerParameters, stdio_client
except ImportError:
    print("skipped: the package mcp is not installed here (pip install mcp)")
    sys.exit(77)

RIGHT = """#include <torch/all.h>
at::Tensor relu(const at::Tensor& self) { return at::clamp_min(self, 0); }
"""
WRONG = RIGHT.replace("clamp_min(self, 0)", "clamp_min(self, 1)")
ENDLESS = RIGHT.replace("return", "for (volatile bool on = true; on;) {}\n  return")
CASES = "((T([64, 64], f32),), {})\n((T([7], f32),), {})"


def member(thing, snake, camel):
    """Versions of the SDK spell the names of members differently."""
    return getattr(thing, snake) if hasattr(thing, snake) else getattr(thing, camel)


def values(result):
    assert not member(result, "is_error", "isError"), result.content
    return member(result, "structured_content", "structuredContent")


async def follow(session):
    """A run from its call to its report, with its progress."""
    seen = []

    async def progress(done, total, message):
        seen.append((done, total, message))

    wanted = {"source": RIGHT, "op": "relu", "cases": CASES, "device": "cpu", "wait_seconds": 600}
    run = values(await session.call_tool("run_kernel", wanted, progress_callback=progress))
    assert run["state"] == "finished" and run["correct"] is True, run
    assert run["cases"]["passed"] == 2 and run["speedup"]["geomean"] > 0, run
    done = [at for at, _, _ in seen]
    assert done and done == sorted(set(done)) and all(total == 100 for _, total, _ in seen), seen
    for end in ("json", "md", "html"):
        read = await session.read_resource(f"warpbench://runs/{run['run_id']}/report.{end}")
        text = read.contents[0].text
        assert (end != "json" or json.loads(text)["kernels"]) and text, end
    print(f"a run: {run['verdict']}; {len(seen)} times its progress")


async def explain(session):
    wanted = {"source": WRONG, "op": "relu", "cases": CASES, "device": "cpu", "time": False, "wait_seconds": 600}
    run = values(await session.call_tool("run_kernel", wanted))
    assert run["correct"] is False and run["failing_cases"], run
    why = await session.call_tool("explain_failing_case", {"run_id": run["run_id"]})
    assert values(why)["verdict"] == "mismatch", why
    assert "Expected" in why.content[0].text
    print(f"a wrong kernel: {run['failing_cases'][0]['message'][:100]}")


async def cancel(session):
    """A kernel that never ends is ended by the client, and what comes after it runs."""
    started = asyncio.Event()

    async def progress(done, total, message):
        if message.startswith("checking"):
            started.set()

    wanted = {"source": ENDLESS, "op": "relu", "cases": CASES, "device": "cpu", "wait_seconds": 600}
    call = asyncio.create_task(session.call_tool("run_kernel", wanted, progress_callback=progress))
    await asyncio.wait({asyncio.create_task(started.wait()), call}, return_when=asyncio.FIRST_COMPLETED)
    assert not call.done(), call.result()
    runs = values(await session.call_tool("read_last_runs", {}))["runs"]
    await session.call_tool("cancel_run", {"run_id": runs[0]["run_id"]})
    answer = await call
    assert values(answer)["state"] == "cancelled", answer
    print("a kernel that never ends: cancelled")


async def main():
    server = StdioServerParameters(command=sys.argv[1], args=["mcp", "--device", "cpu", *sys.argv[2:]],
                                   env=dict(os.environ))
    async with stdio_client(server) as streams, mcp.ClientSession(*streams) as session:
        hello = await session.initialize()
        assert member(hello, "server_info", "serverInfo").name == "warpbench"
        tools = {tool.name for tool in (await session.list_tools()).tools}
        assert {"run_kernel", "profile_kernel", "explain_failing_case", "machine"} <= tools, tools
        assert len((await session.list_prompts()).prompts) == 3
        assert (await session.list_resources()).resources
        print(f"{len(tools)} tools, protocol {member(hello, 'protocol_version', 'protocolVersion')}")
        await follow(session)
        await explain(session)
        await cancel(session)
        kernel = values(await session.call_tool("new_kernel", {"op": "gelu", "language": "python"}))
        assert kernel["complete"], kernel
        unknown = await session.call_tool("no_such_tool", {})
        assert member(unknown, "is_error", "isError")
    print("all good")


asyncio.run(main())
