// SPDX-License-Identifier: Apache-2.0
#include "app/worker/doctor.h"

#include <fmt/format.h>

#include <cstdio>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "app/worker/engine_library.h"
#include "app/worker/torch_finder.h"
#include "core/model/json/json_codec.h"

namespace wb {
namespace {

/// Writes a line. Where the stream takes none, the line is lost and the program ends as it would have.
void write(std::FILE* stream, const std::string& line) {
  std::fputs((line + "\n").c_str(), stream);
}

struct Examined {
  std::vector<Finding> findings;
  bool bad = false;
  void add(Finding finding) {
    bad = bad || finding.state == Finding::State::bad;
    findings.push_back(std::move(finding));
  }
};

Examined examine(const WorkerOptions& options) {
  using State = Finding::State;
  Examined examined;
  const Result<TorchFolder> torch = findTorchFolder(options.torch);
  if (!torch) {
    examined.add({"torch", State::bad, torch.error().text, torch.error().hint});
    return examined;
  }
  examined.add({"torch", State::ok, fmt::format("{} in {}", torch->version, torch->root.string()), {}});
  const Result<std::unique_ptr<Engine>> engine = openEngine(*torch, options.device);
  if (!engine) {
    examined.add({"engine", State::bad, engine.error().text, engine.error().hint});
    return examined;
  }
  for (Finding& finding : (*engine)->examine()) examined.add(std::move(finding));
  return examined;
}

}  // namespace

int printDoctor(const WorkerOptions& options) {
  const Examined examined = examine(options);
  nlohmann::json checks = nlohmann::json::array();
  for (const Finding& finding : examined.findings) {
    const char* state = finding.state == Finding::State::ok        ? "ok"
                        : finding.state == Finding::State::missing ? "missing"
                                                                   : "bad";
    checks.push_back(
        {{"name", finding.name}, {"state", state}, {"found", finding.found}, {"hint", finding.hint}});
  }
  write(stdout, dump({{"checks", std::move(checks)}}, 2));
  return examined.bad ? 3 : 0;
}

int prepareKernels(const WorkerOptions& options) {
  const Result<TorchFolder> torch = findTorchFolder(options.torch);
  Result<std::unique_ptr<Engine>> engine =
      torch ? openEngine(*torch, options.device) : Result<std::unique_ptr<Engine>>(torch.error());
  if (!engine) {
    write(stderr, describe(engine.error()));
    return 3;
  }
  const Result<void> done = (*engine)->prepare([](const Log& log) { write(stderr, log.text); });
  if (done) return 0;
  write(stderr, describe(done.error()));
  return 1;
}

}  // namespace wb
