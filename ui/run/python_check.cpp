// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/run/python_check.h"

#include <fmt/format.h>

#include <chrono>
#include <sstream>

#include "core/base/process/process.h"
#include "core/base/python.h"

namespace wb {
namespace {

constexpr std::chrono::seconds patience{20};

// This prints one fact per line. find_spec imports nothing for a top-level name, and version.py has the local
// part ("+cu130") that the metadata may lack.
const char* const question = R"(
import importlib.util as u, os, platform, runpy, sys
def version(name, *files):
    spec = u.find_spec(name)
    for file in files if spec and spec.origin else ():
        path = os.path.join(os.path.dirname(spec.origin), file)
        if os.path.exists(path):
            return str(runpy.run_path(path).get('__version__', ''))
    if not spec: return ''
    import importlib.metadata as m
    return m.version(name)
def ask(name, *files):
    try: return version(name, *files)
    except Exception: return ''
print('warpbench-python')
print(platform.python_version())
print(ask('torch', 'version.py'))
print(ask('triton'))
)";

Error wrong(std::string text, std::string hint) {
  return Error{Stage::setup, std::move(text), std::move(hint)};
}

std::string lastLine(const std::string& text) {
  std::istringstream lines(text);
  std::string line, last;
  while (std::getline(lines, line))
    if (!line.empty()) last = line;
  return last;
}

Result<PythonFacts> read(const std::filesystem::path& python, const std::string& answer) {
  PythonFacts facts{.path = python, .version = {}, .torch = {}, .triton = {}};
  std::istringstream lines(answer);
  std::string mark;
  std::getline(lines, mark);
  std::getline(lines, facts.version);
  std::getline(lines, facts.torch);
  std::getline(lines, facts.triton);
  if (mark != "warpbench-python")
    return wrong(fmt::format("{} is not a Python interpreter", python.string()),
                 "choose the python program of an environment: …/bin/python");
  if (facts.torch.empty())
    return wrong(fmt::format("{} (Python {}) has no torch", python.string(), facts.version),
                 fmt::format("install torch {} into its environment, or choose another", wantedTorch));
  if (!facts.torch.starts_with(std::string(wantedTorch) + "."))
    return wrong(fmt::format("It has torch {}; Warpbench is built for torch {}", facts.torch, wantedTorch),
                 fmt::format("choose an environment with torch {}", wantedTorch));
  return facts;
}

}  // namespace

Result<PythonFacts> askPython(const std::string& given, const std::stop_token& stop) {
  std::filesystem::path python = given;
  if (given.empty()) {
    WB_TRY(python, findPython());
  }
  std::error_code ignored;
  if (std::filesystem::is_directory(python, ignored)) {
    if (!std::filesystem::exists(python / "bin" / "python", ignored))
      return wrong(fmt::format("{} is a folder without bin/python", python.string()),
                   "choose the python program of an environment: …/bin/python");
    python = python / "bin" / "python";
  }
  Result<Captured> answer = runToEnd({{python.string(), "-c", question}, {}, {}}, patience, stop);
  if (!answer) {
    Error error = std::move(answer).error();
    error.stage = Stage::setup;
    return error;
  }
  if (answer->stopped) return wrong("Stopped", "");
  if (answer->timedOut)
    return wrong(fmt::format("{} did not answer within {} seconds", python.string(), patience.count()), "");
  if (!answer->ok()) {
    const std::string said = lastLine(answer->err);
    return wrong(
        fmt::format("{} failed: {}", python.string(), said.empty() ? describe(answer->ending) : said),
        "choose the python program of an environment: …/bin/python");
  }
  return read(python, answer->out);
}

std::string describe(const PythonFacts& facts) {
  std::string text = fmt::format("Python {} · torch {}", facts.version, facts.torch);
  if (!facts.triton.empty()) text += fmt::format(" · Triton {}", facts.triton);
  return text;
}

}  // namespace wb
