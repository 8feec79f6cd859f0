#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The systemd unit and the container file say what is so, as far as that can be seen without systemd as the first
process and without building a container. What the unit starts is started, with the unit's environment and mask, no
capabilities and, where root runs this test, as a user without rights; it does a run by the fake worker and ends.

    packaging_test.py WARPBENCH SOURCES FAKE_WORKER

Exit status 77: systemd-analyze is not there, so the unit was not looked at."""
import http.client
import json
import os
import pathlib
import re
import shutil
import signal
import stat
import subprocess
import sys
import tempfile

# systemd's own measure, times ten: 0 is shut off, 100 is without any protection.
MOST_EXPOSED = 40


def output_of(command, **more):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=60, **more)
    return done.returncode, done.stdout


# What these do beside what they are for takes away what walls or GPUs need; the unit says how.
HARMFUL = ("ProtectKernelTunables|ProtectKernelLogs|ProtectClock|ProcSubset|ProtectProc|PrivateDevices|DeviceAllow|"
           "RestrictNamespaces")


def look_at_unit(program, text, folder):
    assert not re.search(rf"^({HARMFUL})=", text, re.M)
    unit = folder / "warpbench.service"
    unit.write_text(text.replace("/usr/bin/warpbench", program))
    code, said = output_of(["systemd-analyze", "verify", "--man=no", str(unit)])
    # Units of the machine are read too; only what is said of ours counts.
    ours = [line for line in said.splitlines() if unit.name in line or "Unknown" in line]
    assert code == 0 and not ours, said
    code, said = output_of(["systemd-analyze", "security", "--no-pager", "--offline=true",
                            f"--threshold={MOST_EXPOSED}", str(unit)])
    assert code == 0, said
    print(said.strip().splitlines()[-1])


def look_at_start(program, text, folder):
    """What the unit starts takes its settings from the file that it names."""
    command, = re.findall(r"^ExecStartPre=(.*)$", text, re.M)
    config = folder / "serve.toml"
    config.write_text(f'folder = "{folder}/runs"\ndevices = ["cpu"]\nport = 4321\n')
    words = command.replace("/usr/bin/warpbench", program).replace("/etc/warpbench/serve.toml", str(config)).split()
    code, said = output_of(words, env={**os.environ, "WARPBENCH_DATA": str(folder)})
    assert code == 0 and "127.0.0.1:4321" in said, said


def unprivileged(program, folder):
    """Words before a command that take its rights away, as the unit does; `folder` is then its user's."""
    if shutil.which("setpriv") is None:
        return []
    words = ["setpriv", "--no-new-privs"]
    if os.getuid() == 0:
        nobody = ["--reuid=65534", "--regid=65534", "--clear-groups", "--bounding-set=-all", "--inh-caps=-all"]
        for each in [folder, *folder.rglob("*")]:
            os.chown(each, 65534, 65534)
        # The sources may lie where only root comes.
        if subprocess.run(words + nobody + ["test", "-x", program], check=False).returncode == 0:
            return words + nobody
        for each in [folder, *folder.rglob("*")]:
            os.chown(each, 0, 0)
    return words


def look_at_service(program, text, folder, worker):
    """What the unit starts serves and stops, with nothing around it but what the unit gives it."""
    command, = re.findall(r"^ExecStart=(.*)$", text, re.M)
    variables = dict(re.findall(r"(\w+)=(\S+)", re.search(r"^Environment=(.*)$", text, re.M).group(1)))
    places = {"/var/lib/warpbench": "state", "/var/cache/warpbench": "cache", "/etc/warpbench": "config"}
    for place, name in places.items():
        (folder / name).mkdir()
        variables = {key: value.replace(place, str(folder / name)) for key, value in variables.items()}
    # The rest of the environment is what systemd gives to every service.
    environment = {"PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "LANG": "C.UTF-8",
                   **variables, "WARPBENCH_WORKER": worker}
    (folder / "config/serve.toml").write_text(
        f'folder = "{folder}/state"\ndevices = ["cpu"]\nport = 0\nlog = "text"\nstrict = "false"\nsandbox = "false"\n')
    words = command.replace("/usr/bin/warpbench", program).replace("/etc/warpbench", str(folder / "config")).split()
    os.umask(int(re.search(r"^UMask=(\d+)$", text, re.M).group(1), 8))
    service = subprocess.Popen(unprivileged(program, folder) + words, env=environment, cwd="/",
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)  # fmt: skip
    address = service.stdout.readline()
    if not address:
        raise AssertionError(service.communicate()[1])
    port = int(re.search(r":(\d+)/", address).group(1))

    def ask(method, path, body=None):
        connection = http.client.HTTPConnection("127.0.0.1", port)
        connection.request(method, path, body, {"Content-Type": "application/json"} if body else {})
        answer = connection.getresponse()
        return answer.status, json.loads(answer.read())

    try:
        status, run = ask("POST", "/v1/runs?wait=60", json.dumps({"op": "relu", "stages": ["compile", "check"]}))
        assert status < 300 and run["state"] == "finished", (status, run)
        status, health = ask("GET", "/v1/health")
        assert status == 200, (status, health)
        service.send_signal(signal.SIGTERM)
        said = service.communicate()[1]
        assert service.returncode == 0, (service.returncode, said)
    finally:
        service.kill()
    kept = [each for each in (folder / "state").rglob("*") if each.is_file()]
    assert any(each.name == "journal.sqlite" for each in kept), kept
    for each in kept:
        assert not stat.S_IMODE(each.stat().st_mode) & 0o077, (each, oct(each.stat().st_mode))


def look_at_container(program, sources, folder):
    text = (sources / "packaging/service/Containerfile").read_text().replace("\\\n", " ")
    entry, = re.findall(r'^ENTRYPOINT \["/src/build/bin/(\w+)", "serve"\]$', text, re.M)
    assert entry == pathlib.Path(program).name
    scripts = re.findall(r"^RUN (?:/src/)?(packaging/\S+)", text, re.M)
    assert scripts, text
    for script in scripts:
        assert os.access(sources / script, os.X_OK), script
    settings = dict(re.findall(r"\b(WARPBENCH_\w+)=(\S+)", text))
    settings["WARPBENCH_SERVE_FOLDER"] = str(folder / "service")
    settings["WARPBENCH_SERVE_DEVICES"] = "cpu"
    tokens = settings["WARPBENCH_SERVE_ACCESS_TOKENS"] = str(folder / "tokens")
    environment = {**os.environ, **settings, "WARPBENCH_CONFIG": str(folder / "config")}
    code, said = output_of([program, "serve", "--check"], env=environment)
    assert code == 2 and tokens in said, said  # it listens to others, so it needs them
    code, said = output_of([program, "serve", "token", "ci"], env=environment)
    assert code == 0 and os.path.exists(tokens), said
    code, said = output_of([program, "serve", "--check"], env=environment)
    assert code == 0 and "0.0.0.0:" in said and "one of 1 tokens" in said, said


def main():
    program, sources = sys.argv[1], pathlib.Path(sys.argv[2])
    text = (sources / "packaging/service/warpbench.service").read_text()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        look_at_start(program, text, folder)
        look_at_container(program, sources, folder)
        if os.getuid() == 0:
            folder.chmod(0o755)
        (folder / "served").mkdir()
        look_at_service(program, text, folder / "served", sys.argv[3])
        if shutil.which("systemd-analyze") is None:
            print("skipped: systemd-analyze is not installed here")
            sys.exit(77)
        look_at_unit(program, text, folder)


main()
