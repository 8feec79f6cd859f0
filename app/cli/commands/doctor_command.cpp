// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "app/cli/commands/verb.h"
#include "app/cli/output/output.h"
#include "app/cli/output/terminal.h"
#include "core/base/files/file.h"
#include "core/base/files/paths.h"
#include "core/base/process/process.h"
#include "core/base/quantity.h"
#include "core/base/sandbox/sandbox.h"
#include "core/figures/text/text_width.h"
#include "core/model/exit_status.h"
#include "core/model/json/json_codec.h"
#include "core/runner/prepare.h"
#include "core/runner/runner.h"
#include "core/suites/suites.h"

namespace wb {
namespace {

enum class State { good, missing, bad };

/// Prints findings and remembers whether a needed one is bad.
class Findings {
 public:
  explicit Findings(Terminal terminal) : terminal_(terminal) {}
  void add(State state, const std::string& what, const std::string& found, const std::string& hint = {}) {
    const std::string mark = state == State::good      ? ink(terminal_, Ink::green, "ok     ")
                             : state == State::missing ? ink(terminal_, Ink::yellow, "missing")
                                                       : ink(terminal_, Ink::red, "wrong  ");
    show(fmt::format("{}  {:<18} {}\n", mark, printable(what), printable(found)));
    if (!hint.empty())
      show(fmt::format("         {:<18} {}\n", "", ink(terminal_, Ink::dim, "→ " + printable(hint))));
    bad_ = bad_ || state == State::bad;
  }
  [[nodiscard]] bool bad() const { return bad_; }

 private:
  Terminal terminal_;
  bool bad_ = false;
};

void checkCache(Findings& findings) {
  const auto probe = cacheFolder() / "doctor-probe";
  if (auto written = writeFileAtomically(probe, "x"); !written) {
    findings.add(State::missing, "cache folder", describe(written.error()),
                 "kernels still build, each time anew; set WARPBENCH_CACHE to a writable folder");
    return;
  }
  std::error_code ignored;
  std::filesystem::remove(probe, ignored);
  double bytes = 0;
  for (auto it = std::filesystem::recursive_directory_iterator(
           cacheFolder(), std::filesystem::directory_options::skip_permission_denied, ignored);
       it != std::filesystem::recursive_directory_iterator(); it.increment(ignored))
    if (it->is_regular_file(ignored)) bytes += static_cast<double>(it->file_size(ignored));
  findings.add(State::good, "cache folder",
               fmt::format("{} ({})", cacheFolder().string(), formatBytes(bytes)));
}

void checkResources(Findings& findings) {
  auto found = suites();
  // These are the suites that are made.
  std::erase_if(found, [](const SuiteInfo& suite) { return suite.file.empty(); });
  if (found.empty())
    findings.add(State::bad, "suites", "none in " + resourceFolder().string(),
                 "set WARPBENCH_RESOURCES to the folder with suites, templates and samples");
  else
    findings.add(State::good, "suites",
                 fmt::format("{} in {}", found.size(), (resourceFolder() / "suites").string()));
}

/// Shows what the worker found, row by row: {"checks": [{"name", "state": "ok"|"missing"|"bad", "found",
/// "hint"}]}.
void checkWorker(Findings& findings) {
  const auto run = runToEnd({.argv = {workerProgram().string(), "--doctor"}, .folder = {}, .environment = {}},
                            std::chrono::seconds{60});
  if (!run) {
    findings.add(State::bad, "worker", describe(run.error()),
                 "build it (packaging/setup build), or set WARPBENCH_WORKER");
    return;
  }
  const auto json = parseJson(run->out);
  const auto word = [](const nlohmann::json& check, const char* key, const char* otherwise) {
    const auto found = check.find(key);
    return found != check.end() && found->is_string() ? found->get<std::string>() : std::string(otherwise);
  };
  // Any program may be in the worker's place, and print anything.
  const bool rows = json && json->is_object() && json->contains("checks") && json->at("checks").is_array() &&
                    !json->at("checks").empty() &&
                    std::all_of(json->at("checks").begin(), json->at("checks").end(),
                                [](const nlohmann::json& check) { return check.is_object(); });
  if (!rows) {
    findings.add(State::bad, "worker",
                 fmt::format("{} gave no findings ({}): {}", workerProgram().string(), describe(run->ending),
                             fit(run->err.empty() ? run->out : run->err, 300)),
                 "build it again: packaging/setup build; is WARPBENCH_WORKER set?");
    return;
  }
  for (const auto& check : json->at("checks")) {
    const std::string state = word(check, "state", "bad");
    findings.add(state == "ok"        ? State::good
                 : state == "missing" ? State::missing
                                      : State::bad,
                 word(check, "name", "?"), word(check, "found", ""), word(check, "hint", ""));
  }
}

/// What of --sandbox this machine can do.
void checkWalls(Findings& findings) {
  const SandboxSupport& support = sandboxSupport();
  const auto tell = [&](const char* what, const WallSupport& wall, const std::string& found) {
    findings.add(wall.there ? State::good : State::missing, what, wall.there ? found : wall.missing);
  };
  tell("walls: files", support.landlock, fmt::format("Landlock, version {}", support.landlockVersion));
  tell("walls: calls", support.seccomp, "seccomp");
  tell("walls: view", support.namespaces, "processes, network and mounts of their own");
  if (!support.landlock.there || !support.seccomp.there)
    findings.add(State::missing, "--sandbox", "kernels cannot run inside walls here",
                 "without --sandbox they run with your rights");
}

/// Gives 0 when kernels can run here (on the CPU at least), else 3.
int examine() {
  Findings findings(terminal(STDOUT_FILENO));
  checkWorker(findings);
  for (const Device& device : devices())
    findings.add(
        State::good, "device " + device.id,
        device.architecture.empty() ? device.name : fmt::format("{} ({})", device.name, device.architecture));
  checkCache(findings);
  checkResources(findings);
  checkWalls(findings);
  show(fmt::format("{}\n", findings.bad() ? "Kernels cannot run here yet." : "Kernels can run here."));
  return findings.bad() ? ExitStatus::noWorker : ExitStatus::good;
}

}  // namespace

Verb doctorVerb() {
  return {"doctor", "Say what is installed, what is missing and what to do", [](CLI::App&) {},
          [](const std::string&) { return examine(); }};
}

}  // namespace wb
