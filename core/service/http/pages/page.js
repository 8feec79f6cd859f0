// SPDX-License-Identifier: Apache-2.0
// The page of the service: devices, runs, and one run with its report, live. Plain JavaScript, nothing from the net.
"use strict";
(() => {
  const at = (id) => document.getElementById(id);
  let token = sessionStorage.getItem("token") || "";
  let chosen = "";
  let following = null;
  let reported = 0;

  const ask = async (path, options = {}) => {
    const headers = Object.assign({}, options.headers, token ? { Authorization: "Bearer " + token } : {});
    const answer = await fetch(path, Object.assign({}, options, { headers }));
    if (answer.status === 401) {
      at("sign-in").hidden = false;
      throw new Error("A token is needed.");
    }
    return answer;
  };
  const json = async (path, options) => {
    const answer = await ask(path, options);
    if (!answer.ok) throw new Error((await answer.json()).error || "The server answered " + answer.status + ".");
    return answer.json();
  };

  const seconds = (value) => value >= 100 ? Math.round(value) + " s" : value.toFixed(1) + " s";
  const waited = (run, now) => run.submitted_at ? seconds((run.started_at || run.ended_at || now) - run.submitted_at) : "";
  const ran = (run, now) => run.started_at ? seconds((run.ended_at || now) - run.started_at) : "";

  const element = (tag, text, name) => {
    const made = document.createElement(tag);
    made.textContent = text;
    if (name) made.className = name;
    return made;
  };

  const isOver = (run) => run.state !== "queued" && run.state !== "running";

  const showDevices = (devices) => {
    at("devices").replaceChildren(...devices.map((device) => {
      const item = element("li", "");
      item.append(element("strong", device.id));
      const doing = device.failure || (device.is_busy ? "runs a job" : "is idle");
      item.append(element("span", [device.name, doing].filter(Boolean).join(" · "), device.failure ? "bad" : ""));
      return item;
    }));
  };

  const showRuns = (runs) => {
    const now = Date.now() / 1000;
    const one = runs.find((run) => run.id === chosen);
    if (one) at("cancel").hidden = isOver(one);
    at("no-runs").hidden = runs.length > 0;
    at("runs").hidden = runs.length === 0;
    const focused = document.activeElement && document.activeElement.dataset ? document.activeElement.dataset.run : "";
    at("runs").tBodies[0].replaceChildren(...runs.map((run) => {
      const row = element("tr", "", run.id === chosen ? "chosen" : "");
      const open = element("button", run.title || run.id);
      open.type = "button";
      open.dataset.run = run.id;
      open.title = run.id;
      open.addEventListener("click", () => choose(run));
      const first = element("td", "");
      first.append(open);
      const state = run.state === "queued" && run.ahead > 0 ? "queued, " + run.ahead + " before it" : run.state;
      row.append(first, element("td", state, "state-" + run.state), element("td", run.device),
        element("td", run.client), element("td", waited(run, now), "number"), element("td", ran(run, now), "number"));
      return row;
    }));
    if (focused) document.querySelectorAll("[data-run]").forEach((each) => { if (each.dataset.run === focused) each.focus(); });
  };

  const showReport = async (id) => {
    const answer = await ask("/v1/runs/" + id + "/report?format=html");
    if (!answer.ok || id !== chosen) return;
    const text = await answer.text();
    const frame = at("report");
    // The frame has an origin of its own, asks for its text when it is there, and becomes the report.
    const give = (event) => {
      if (event.source !== frame.contentWindow) return;
      removeEventListener("message", give);
      frame.contentWindow.postMessage(text, "*");
    };
    addEventListener("message", give);
    frame.src = "/assets/frame?" + Date.now();
    reported = Date.now();
  };

  const showState = async (id) => {
    const figures = await ask("/v1/runs/" + id + "/figures");
    if (!figures.ok || id !== chosen) return;
    const body = await figures.json();
    at("verdict").textContent = body.fraction < 1 ? body.progress : body.verdict;
    at("progress").value = body.fraction;
  };

  const pause = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

  const showEnd = async (id) => {
    await showState(id);
    await showReport(id);
  };

  // Shows a run as its events come; true when there is nothing more to come.
  const followOnce = async (id, stop) => {
    // All events come anew: they only say when there is something to look at.
    const answer = await ask("/v1/runs/" + id + "/events", { signal: stop.signal });
    if (answer.status === 429 || answer.status >= 500) return false;
    if (answer.status !== 200) {
      await showEnd(id);
      return true;
    }
    const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
    let rest = "";
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return false;
      rest += value;
      const frames = rest.split("\n\n");
      rest = frames.pop();
      const kinds = frames.flatMap((frame) => frame.split("\n")).filter((line) => line.startsWith("event: "));
      if (kinds.includes("event: end")) {
        await showEnd(id);
        return true;
      }
      if (!kinds.includes("event: StepDone")) continue;
      await showState(id);
      if (Date.now() - reported > 3000) await showReport(id);
    }
  };

  const follow = async (id, stop) => {
    while (!stop.signal.aborted) {
      // Whatever went wrong, a server that ends, a token that is missing, may be well again after a while.
      if (await followOnce(id, stop).catch(() => false)) return;
      await pause(2000);
    }
  };

  const choose = (run) => {
    if (following) following.abort();
    following = new AbortController();
    chosen = run.id;
    reported = 0;
    at("one").hidden = false;
    at("one-title").textContent = run.title || run.id;
    at("verdict").textContent = run.reason || "";
    at("progress").value = 0;
    at("report").removeAttribute("src");
    history.replaceState(null, "", "#" + run.id);
    at("cancel").hidden = isOver(run);
    at("json").href = "/v1/runs/" + run.id + "/report";
    at("json").download = "warpbench-" + run.id + ".json";
    at("json").hidden = token !== "";
    const stop = following;
    showState(run.id).catch(() => {});
    showReport(run.id).catch(() => {});
    follow(run.id, stop);
  };

  at("close").addEventListener("click", () => {
    if (following) following.abort();
    chosen = "";
    history.replaceState(null, "", location.pathname);
    at("one").hidden = true;
    refresh();
  });
  at("cancel").addEventListener("click", async () => {
    at("cancel").hidden = true;
    await ask("/v1/runs/" + chosen, { method: "DELETE" }).catch(() => {});
    refresh();
  });
  at("sign-in").addEventListener("submit", (event) => {
    event.preventDefault();
    token = at("token").value.trim();
    sessionStorage.setItem("token", token);
    at("token").value = "";
    at("sign-in").hidden = true;
    refresh();
  });

  const refresh = async () => {
    try {
      const [devices, runs] = await Promise.all([json("/v1/devices"), json("/v1/runs?most=50")]);
      showDevices(devices.devices);
      showRuns(runs.runs);
      const count = (state) => runs.runs.filter((run) => run.state === state).length;
      at("state").textContent = count("running") + " running, " + count("queued") + " waiting";
    } catch (error) {
      at("state").textContent = error.message || "The server does not answer.";
    }
  };
  const loop = async () => {
    if (!document.hidden && at("sign-in").hidden) await refresh();
    setTimeout(loop, 2000);
  };
  loop();
  if (location.hash) json("/v1/runs/" + location.hash.slice(1)).then(choose).catch(() => {});
})();
