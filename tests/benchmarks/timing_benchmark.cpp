// SPDX-License-Identifier: Apache-2.0
// How far from 1 ATen against itself comes out, and what a case costs, beside Triton's do_bench.
#include <fmt/format.h>

#include <cmath>
#include <map>

#include "app/cli/run/case_times.h"
#include "app/cli/run/run_job.h"
#include "core/base/quantity.h"
#include "core/figures/selftest/null_test_figure.h"
#include "core/jobs/selftest.h"
#include "tests/benchmarks/benchmarks.h"

namespace wb::bench {
namespace {

/// What do_bench measured on an H100, in two runs one after the other: the worst |ratio − 1|, and the seconds
/// per pair.
struct Known {
  double worst = 0, seconds = 0;
  const char *aim = "", *costAim = "";
};
const std::map<std::int64_t, Known> doBench{{25, {0.166, 0.214, "≤ 2 %", "≤ 50 ms"}},
                                            {65536, {0.129, 0.216, "≤ 2 %", "≤ 50 ms"}},
                                            {4194304, {0.044, 0.215, "≤ 1 %", "≤ 50 ms"}},
                                            {67108864, {0.003, 0.239, "≤ 1 %", "≤ 150 ms"}}};

}  // namespace

void timing(const std::string& device) {
  const auto job = makeJob(nullTestRequest(device == "cpu" ? 3 : 100, device));
  if (!job) return;
  CaseTimes times;
  const auto report = runJob(*job, {.onEvent = [&](const Event& event) { times.take(event); }});
  if (!report) return;
  for (const NullRow& each : nullRows(*report, times.seconds())) {
    const auto known = doBench.find(each.elements);
    if (known == doBench.end()) continue;
    const std::string what = fmt::format("null test, {} elements, {} repeats", each.elements, each.repeats);
    row(what + ": worst |ratio − 1|", formatPercent(each.worst), known->second.aim,
        "do_bench " + formatPercent(known->second.worst));
    row(what + ": intervals that cover 1", fmt::format("{} of {}", each.covered, each.repeats), "≥ 90 %", "");
    row(what + ": a case", formatSeconds(each.caseSeconds), known->second.costAim,
        "do_bench pair " + formatSeconds(known->second.seconds));
    if (!std::isnan(each.clocks))
      row(fmt::format("events against CUPTI, {} elements", each.elements), formatChange(each.clocks),
          each.seconds >= 100e-6 ? "within 2 %" : "-", "");
  }
}

}  // namespace wb::bench
