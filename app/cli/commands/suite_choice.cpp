// SPDX-License-Identifier: Apache-2.0
#include "app/cli/commands/suite_choice.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <utility>

#include "app/cli/options/words.h"
#include "app/cli/output/output.h"
#include "app/cli/output/terminal.h"
#include "app/cli/run/run_job.h"
#include "core/figures/text/text_width.h"
#include "core/runner/runner.h"

namespace wb {
namespace {

/// Says what goes on while a suite is made.
class ProgressLine {
 public:
  ~ProgressLine() {
    if (shown_ && terminal_.interactive) std::fputs("\r\033[K", stderr);
  }
  void show(const std::string& text) {
    const auto now = std::chrono::steady_clock::now();
    if (terminal_.interactive) {
      std::fputs(("\r\033[K" + fit(printable(text), terminal_.width - 1)).c_str(), stderr);
    } else if (!shown_ || now - last_ > std::chrono::seconds{5}) {
      say(text);
      last_ = now;
    }
    std::fflush(stderr);
    shown_ = true;
  }

 private:
  Terminal terminal_ = terminal(STDERR_FILENO);
  bool shown_ = false;
  std::chrono::steady_clock::time_point last_;
};

/// Samples are made for a device; asking what there is takes time, so only for the suites that need it.
std::string samplesDevice(const SuiteChoice& choice) {
  constexpr std::array made{"opinfo", "shapes", "layouts", "values"};
  if (choice.device != "auto") return choice.device.substr(0, choice.device.find(':'));
  if (std::find(made.begin(), made.end(), choice.suite) == made.end()) return "cpu";
  const auto device = resolveDevice(choice.device, knownDevices());
  return device ? device->substr(0, device->find(':')) : "cpu";
}

}  // namespace

Result<Suite> chooseSuite(const SuiteChoice& choice) {
  ProgressLine line;
  const SuiteProgress progress{.onText = [&](const std::string& text) { line.show(text); }};
  SuiteRequest request{.name = choice.suite,
                       .dtype = choice.dtype,
                       .device = samplesDevice(choice),
                       .operators = words(choice.ops, ','),
                       .topn = choice.topn};
  if (choice.suite != "beside" || choice.kernels.size() < 2) {
    if (!choice.kernels.empty()) request.kernel = choice.kernels.front();
    return loadSuite(request, progress);
  }
  // Several kernels bring their cases together; the filter is for all of them.
  Suite all{.name = "beside"};
  for (const std::string& kernel : choice.kernels) {
    auto own = casesBeside(kernel);
    if (!own) return own;
    for (Case& definition : own->cases) {
      const bool known = std::any_of(all.cases.begin(), all.cases.end(), [&](const Case& each) {
        return each.op == definition.op && each.args == definition.args;
      });
      if (!known) all.cases.push_back(std::move(definition));
    }
  }
  auto filtered = filterOperators(std::move(all), request.operators);
  if (!filtered) return filtered;
  return largestPerOperator(std::move(*filtered), choice.topn);
}

}  // namespace wb
