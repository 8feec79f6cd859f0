#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The systemd unit and the container file say what is so, as far as that can be seen without starting either.

    packaging_test.py WARPBENCH SOURCES

Exit status 77: systemd-analyze is not there, so the unit was not looked at."""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

# systemd's own measure, times ten: 0 is shut off, 100 is without any protection.
MOST_EXPOSED = 40


def output_of(command, **more):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=60, **more)
    return done.returncode, done.stdout


def look_at_unit(program, text, folder):
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


def look_at_container(program, sources, folder):
    text = (sources / "packaging/service/Containerfile").read_text().replace("\\\n", " ")
    entry, = re.findall(r'^ENTRYPOINT \["/src/build/bin/(\w+)", "serve"\]$', text, re.M)
    assert entry == pathlib.Path(program).name
    for script in re.findall(r"&& (packaging/\S+)", text):
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
        if shutil.which("systemd-analyze") is None:
            print("skipped: systemd-analyze is not installed here")
            sys.exit(77)
        look_at_unit(program, text, folder)


main()
