// SPDX-License-Identifier: Apache-2.0
#include "core/doctor/doctor.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/base/cut_text.h"
#include "core/base/files/file.h"
#include "core/base/files/paths.h"
#include "core/base/process/process.h"
#include "core/base/quantity.h"
#include "core/base/sandbox/sandbox.h"
#include "core/doctor/caches.h"
#include "core/model/json/json_codec.h"
#include "core/runner/prepare.h"
#include "core/runner/runner.h"
#include "core/suites/suites.h"

namespace wb {
namespace {

using State = DoctorLine::State;
using Lines = std::vector<DoctorLine>;

constexpr std::chrono::seconds patience{60};
/// How much is shown of what a program said that is no worker.
constexpr std::size_t longestAnswer = 300;

void checkCache(Lines& lines) {
  const auto probe = cacheFolder() / "doctor-probe";
  if (auto written = writeFileAtomically(probe, "x"); !written) {
    lines.push_back({State::missing, "cache folder", describe(written.error()),
                     "kernels still build, each time anew; set WARPBENCH_CACHE to a writable folder"});
    return;
  }
  std::error_code ignored;
  std::filesystem::remove(probe, ignored);
  lines.push_back({State::good, "cache folder",
                   fmt::format("{} ({})", cacheFolder().string(), formatBytes(double(bytesOf(caches()))))});
}

void checkResources(Lines& lines) {
  auto found = suites();
  // These are the suites that are made.
  std::erase_if(found, [](const SuiteInfo& suite) { return suite.file.empty(); });
  if (found.empty())
    lines.push_back({State::bad, "suites", "none in " + resourceFolder().string(),
                     "set WARPBENCH_RESOURCES to the folder with suites, templates and samples"});
  else
    lines.push_back({State::good, "suites",
                     fmt::format("{} in {}", found.size(), (resourceFolder() / "suites").string())});
}

// Takes what the worker found, row by row: {"checks": [{"name", "state": "ok"|"missing"|"bad", "found",
// "hint"}]}.
void checkWorker(Lines& lines, const std::stop_token& stop) {
  const auto run = runToEnd({.argv = {workerProgram().string(), "--doctor"}, .folder = {}, .environment = {}},
                            patience, stop);
  if (!run) {
    lines.push_back({State::bad, "worker", describe(run.error()),
                     "build it (packaging/setup build), or set WARPBENCH_WORKER"});
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
    lines.push_back(
        {State::bad, "worker",
         fmt::format("{} gave no findings ({}): {}", workerProgram().string(), describe(run->ending),
                     cutText(run->err.empty() ? run->out : run->err, longestAnswer)),
         "build it again: packaging/setup build; is WARPBENCH_WORKER set?"});
    return;
  }
  for (const auto& check : json->at("checks")) {
    const std::string state = word(check, "state", "bad");
    lines.push_back({state == "ok"        ? State::good
                     : state == "missing" ? State::missing
                                          : State::bad,
                     word(check, "name", "?"), word(check, "found", ""), word(check, "hint", "")});
  }
}

/// What of --sandbox this machine can do.
void checkWalls(Lines& lines) {
  const SandboxSupport& support = sandboxSupport();
  const auto tell = [&](const char* what, const WallSupport& wall, const std::string& found) {
    lines.push_back({wall.there ? State::good : State::missing, what, wall.there ? found : wall.missing});
  };
  tell("walls: files", support.landlock, fmt::format("Landlock, version {}", support.landlockVersion));
  tell("walls: calls", support.seccomp, "seccomp");
  tell("walls: view", support.namespaces, "processes, network and mounts of their own");
  if (!support.landlock.there || !support.seccomp.there)
    lines.push_back({State::missing, "--sandbox", "kernels cannot run inside walls here",
                     "without --sandbox they run with your rights"});
}

}  // namespace

std::string_view name(DoctorLine::State state) {
  switch (state) {
    case State::good:
      return "ok";
    case State::missing:
      return "missing";
    case State::bad:
      break;
  }
  return "wrong";
}

std::vector<DoctorLine> examineMachine(const std::stop_token& stop) {
  Lines lines;
  checkWorker(lines, stop);
  if (stop.stop_requested()) return lines;
  for (const Device& device : devices())
    lines.push_back({State::good, "device " + device.id,
                     device.architecture.empty() ? device.name
                                                 : fmt::format("{} ({})", device.name, device.architecture)});
  checkCache(lines);
  checkResources(lines);
  checkWalls(lines);
  return lines;
}

bool canRunKernels(const std::vector<DoctorLine>& lines) {
  return std::ranges::none_of(lines, [](const DoctorLine& one) { return one.state == State::bad; });
}

std::string conclusion(const std::vector<DoctorLine>& lines) {
  return canRunKernels(lines) ? "Kernels can run here." : "Kernels cannot run here yet.";
}

}  // namespace wb
