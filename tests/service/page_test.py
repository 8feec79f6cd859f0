#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The page of the service in a browser without a window: a run is seen to its end as it goes on, the server is killed
and started again under a run that the page follows, and a run is ended by the page's button.

    page_test.py PROGRAM

PROGRAM is `warpbench-service`. The browser is $WARPBENCH_CHROMIUM, or the first that is found of those below; it is
spoken to through pipes in its DevTools protocol. Exit status 77: there is no browser, or no Python with torch for the
kernels ($WARPBENCH_PYTHON)."""
import fcntl
import json
import os
import select
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request

BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "chrome")
LONG_ENOUGH = 120


def browser_program():
    named = os.environ.get("WARPBENCH_CHROMIUM")
    return named or next(filter(None, map(shutil.which, BROWSERS)), None)


class Browser:
    """A browser with one page. It reads commands from its descriptor 3 and answers on 4, each with a NUL at its end."""

    def __init__(self, program, folder):
        to_read, self.to = os.pipe()
        self.answers, to_write = os.pipe()
        # Neither of the browser's two ends may be where the other one is moved to.
        ends = [fcntl.fcntl(each, fcntl.F_DUPFD, 10) for each in (to_read, to_write)]
        self.process = subprocess.Popen(
            ["bash", "-c", f'exec 3<&{ends[0]} 4>&{ends[1]}; exec "$@"', "_", program, "--headless", "--no-sandbox",
             "--disable-gpu", "--remote-debugging-pipe", f"--user-data-dir={folder}/browser", "about:blank"],
            pass_fds=ends, stdout=subprocess.DEVNULL, stderr=open(folder + "/browser.log", "w"))
        for each in (to_read, to_write, *ends):
            os.close(each)
        self.rest, self.count, self.session = b"", 0, None
        self.thrown = []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for part in ("Runtime", "Page", "Log"):
            self.call(part + ".enable")

    def call(self, method, **parameters):
        self.count += 1
        message = {"id": self.count, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.to, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.message()
            if answer.get("method") == "Runtime.exceptionThrown":
                self.thrown.append(answer["params"]["exceptionDetails"])
            if answer.get("id") == self.count:
                assert "error" not in answer, f"{method}: {answer}"
                return answer["result"]

    def message(self):
        while b"\0" not in self.rest:
            assert select.select([self.answers], [], [], LONG_ENOUGH)[0], "the browser does not answer"
            piece = os.read(self.answers, 1 << 16)
            assert piece, "the browser has ended"
            self.rest += piece
        text, self.rest = self.rest.split(b"\0", 1)
        return json.loads(text)

    def value(self, expression):
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True)
        assert "exceptionDetails" not in result, f"{expression}: {result}"
        return result["result"].get("value")

    def end(self):
        self.process.kill()
        self.process.wait()


class Server:
    def __init__(self, program, folder):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.address = f"http://127.0.0.1:{self.port}"
        self.command = [program, "serve", "--port", str(self.port), "--devices", "cpu", "--sandbox", "false", "--strict",
                        "false"]
        self.environment = {**os.environ, "WARPBENCH_CONFIG": folder + "/config", "WARPBENCH_DATA": folder + "/data"}
        self.log = folder + "/server.log"
        self.start()

    def start(self):
        self.process = subprocess.Popen(self.command, stdout=subprocess.PIPE, stderr=open(self.log, "a"), text=True,
                                        env=self.environment)
        assert self.process.stdout.readline().startswith("http://"), open(self.log).read()

    def stop(self, number=signal.SIGTERM):
        self.process.send_signal(number)
        self.process.wait(LONG_ENOUGH)

    def hand_in(self, seconds):
        """A run of relu whose calls take so many seconds each."""
        text = f"import torch, time\ndef relu(x):\n    time.sleep({seconds})\n    return torch.relu(x)\n"
        body = {"sources": [{"name": "relu.py", "op": "relu", "text": text}], "stages": ["compile", "check"]}
        request = urllib.request.Request(self.address + "/v1/runs", json.dumps(body).encode(),
                                         {"Content-Type": "application/json"})
        with urllib.request.urlopen(request, timeout=LONG_ENOUGH) as answer:
            return json.load(answer)["id"]


SEEN = """(() => {
  const at = (id) => document.getElementById(id);
  if (!at("state")) return null;
  const row = [...document.querySelectorAll("[data-run]")].find((each) => each.dataset.run === RUN);
  return {state: at("state").textContent, verdict: at("verdict").textContent, progress: at("progress").value,
          mayEnd: !at("one").hidden && !at("cancel").hidden, report: at("report").src,
          row: row ? row.closest("tr").cells[1].textContent : ""};
})()"""


class Watched:
    def __init__(self, browser, run):
        self.browser, self.run = browser, run

    def until(self, what, holds):
        """Looks at the page until it shows what is expected."""
        end = time.monotonic() + LONG_ENOUGH
        while True:
            seen = self.browser.value(SEEN.replace("RUN", json.dumps(self.run)))
            if seen and holds(seen):
                return seen
            assert time.monotonic() < end, f"the page does not show {what}: {seen}"
            time.sleep(0.1)

    def open_by_click(self):
        self.until("the run in its list", lambda seen: seen["row"])
        self.browser.value(f"document.querySelector('[data-run=\"{self.run}\"]').click()")


def is_under_way(seen):
    return seen["row"] == "running" and 0 < seen["progress"] < 1 and seen["mayEnd"]


def is_done(seen):
    return (seen["row"] == "finished" and "15 of 15 right" in seen["verdict"] and seen["progress"] == 1
            and not seen["mayEnd"] and seen["report"])


def look(server, browser):
    first = Watched(browser, server.hand_in(0.1))
    browser.call("Page.navigate", url=f"{server.address}/#{first.run}")
    first.until("a run that goes on", is_under_way)
    print("live:", first.until("its end", is_done)["verdict"])

    second = Watched(browser, server.hand_in(0.3))
    second.open_by_click()
    second.until("a run that goes on", is_under_way)
    server.stop(signal.SIGKILL)
    second.until("that the server is gone", lambda seen: "running" not in seen["state"])
    server.start()
    print("after a restart:", second.until("its end", is_done)["verdict"])

    third = Watched(browser, server.hand_in(1))
    third.open_by_click()
    third.until("a run that goes on", is_under_way)
    browser.value("document.getElementById('cancel').click()")
    print("ended:", third.until("its end", lambda seen: seen["row"] == "cancelled" and not seen["mayEnd"])["verdict"])
    assert not browser.thrown, browser.thrown


def main():
    program, = sys.argv[1:]
    chromium = browser_program()
    if not chromium:
        print("not run: no Chromium is here (Debian: chromium-headless-shell), and $WARPBENCH_CHROMIUM names none")
        return 77
    if "WARPBENCH_PYTHON" not in os.environ:
        print("not run: $WARPBENCH_PYTHON names no Python")
        return 77
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        server = Server(program, folder)
        try:
            browser = Browser(chromium, folder)
            try:
                look(server, browser)
            finally:
                browser.end()
        finally:
            if server.process.poll() is None:
                server.stop()
    return 0


sys.exit(main())
