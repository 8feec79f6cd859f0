// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "core/base/quantity.h"
#include "core/figures/cells.h"
#include "core/figures/figures.h"
#include "core/model/log_sources.h"

namespace wb {

namespace {

double part(int done, int total) {
  return total > 0 ? std::clamp(static_cast<double>(done) / total, 0.0, 1.0) : 1.0;
}

/// How far one kernel is, 0 to 1. Weights are what the stages take for a small suite; only that it never goes
/// back matters.
double kernelFraction(const Report& report, const KernelReport& kernel) {
  const double compile = 2, check = report.stages.check ? 2 : 0, time = report.stages.time ? 4 : 0;
  const double profile = report.stages.profile ? 2 : 0;
  const double all = compile + check + time + profile;
  switch (kernel.progress) {
    case Progress::waiting:
      return 0;
    case Progress::compiling:
      return 0.25 * compile / all;
    case Progress::checking:
      return (compile + check * part(kernel.counts.checked, kernel.counts.total)) / all;
    case Progress::timing:
      return (compile + check + time * part(kernel.counts.timed, kernel.counts.toTime)) / all;
    case Progress::profiling:
      return (compile + check + time + profile * 0.25) / all;
    case Progress::done:
    case Progress::failed:
      return 1;
  }
  return 0;
}

std::size_t activeKernel(const Report& report) {
  for (std::size_t k = 0; k < report.kernels.size(); ++k)
    if (underWay(report, *report.kernels[k]) && report.kernels[k]->progress != Progress::waiting) return k;
  for (std::size_t k = 0; k < report.kernels.size(); ++k)
    if (underWay(report, *report.kernels[k])) return k;
  return report.kernels.size();
}

std::string speedupSoFar(const std::vector<Speedup>& timed) {
  return timed.empty() ? std::string() : formatRatio(summarize(timed).geomean);
}

/// What the worker makes once before it can compile, if that was its last word.
std::string preparation(const Report& report) {
  constexpr std::size_t mostLines = 100;  // of what else was said meanwhile
  for (std::size_t i = report.log.size(), seen = 0; i-- > 0 && seen < mostLines; ++seen) {
    const Log& log = report.log[i];
    if (log.source == preparingSource) return "preparing " + firstLine(log.text);
    if (log.source == "worker") return {};
  }
  return {};
}

/// " · first call: the kernel compiles or tunes itself, 34 s"; "" where nothing takes long.
std::string whatTakesLong(const Report& report) {
  const auto& at = report.underWay;
  if (!at || at->seconds < 1) return {};
  const std::string_view who = at->first ? "first call: the kernel compiles or tunes itself"
                               : at->side == Side::candidate ? "the kernel runs"
                               : at->side == Side::reference ? "the reference runs"
                               : at->stage == Stage::check   ? "making inputs or comparing"
                               : at->stage == Stage::profile ? "profiling"
                                                             : "timing both sides";
  return fmt::format(" · {}, {:.0f} s", who, at->seconds);
}

std::string runningLine(const Report& report) {
  if (report.startedAt.empty()) return "waiting for the worker";
  const std::size_t k = activeKernel(report);
  if (k == report.kernels.size()) return "finishing";
  const KernelReport& kernel = *report.kernels[k];
  const Counts& counts = kernel.counts;
  std::string line;
  switch (kernel.progress) {
    case Progress::waiting:
      line = "starting " + kernelLabel(report, k);
      break;
    case Progress::compiling:
      line = preparation(report);
      if (line.empty()) line = "compiling " + kernelLabel(report, k);
      break;
    case Progress::checking:
      line = fmt::format("checking {}: {} of {}", kernelLabel(report, k), formatCount(counts.checked),
                         formatCount(counts.total));
      break;
    case Progress::timing: {
      line = fmt::format("timing {}: {} of {}", kernelLabel(report, k), formatCount(counts.timed),
                         formatCount(counts.toTime));
      if (const std::string speedup = speedupSoFar(speedups(kernel)); !speedup.empty())
        line += " · " + speedup + " so far";
      break;
    }
    case Progress::profiling:
      line = "profiling " + kernelLabel(report, k);
      break;
    case Progress::done:
    case Progress::failed:
      break;
  }
  line += whatTakesLong(report);
  if (counts.failed > 0) line += fmt::format(" · {} failed", formatCount(counts.failed));
  if (report.kernels.size() > 1) line += fmt::format(" · kernel {} of {}", k + 1, report.kernels.size());
  return line;
}

/// "relu.cpp did not compile: 2 errors", for the kernels that failed a stage.
std::string failures(const Report& report) {
  std::string line;
  int failed = 0;
  for (std::size_t k = 0; k < report.kernels.size(); ++k) {
    const KernelReport& kernel = *report.kernels[k];
    if (!kernel.failure || ++failed > 1) continue;
    if (kernel.failure->stage != Stage::compile) {
      line = fmt::format("{}: {}", kernelLabel(report, k), firstLine(kernel.failure->text, 120));
      continue;
    }
    const auto errors = std::count_if(kernel.diagnostics.begin(), kernel.diagnostics.end(),
                                      [](const Diagnostic& d) { return d.severity == Severity::error; });
    line = kernelLabel(report, k) + " did not compile: ";
    line += errors > 0 ? plural(errors, "error", "errors") : firstLine(kernel.failure->text, 120);
  }
  if (failed > 1) line += fmt::format(" · {} more kernels failed", failed - 1);
  return line;
}

std::string endedLine(const Report& report) {
  const Counts all = counts(report);
  std::string line = failures(report);
  const auto say = [&line](std::string text) { line += (line.empty() ? "" : " · ") + std::move(text); };
  if (report.outcome == Outcome::cancelled) say("cancelled");
  if (report.outcome == Outcome::workerLost) say("the worker was lost");
  const int scored = all.passed + all.failed;
  if (scored > 0) say(fmt::format("{} of {} passed", formatCount(all.passed), formatCount(scored)));
  if (const int left = all.total - all.checked; left > 0 && all.checked > 0)
    say(formatCount(left) + " not run");
  for (const auto& kernel : report.kernels)
    if (kernel->compiled && !kernel->compiled->note.empty()) {
      say(kernel->compiled->note);
      break;
    }
  if (all.timed > 0) {
    const Card speedup = headline(report).cards.front();
    const bool number = speedup.value != "not scored";
    say(speedup.value +
        (all.timed > 1 && number ? (speedup.title == "Speedup" ? " geometric mean" : " at best") : ""));
  }
  if (line.empty()) say(report.stages.check ? "nothing ran" : "compiled");
  say(formatSeconds(report.seconds));
  return line;
}

}  // namespace

std::string progressLine(const Report& report) {
  if (report.failure) return firstLine(describe(*report.failure), 240);
  if (report.kernels.empty()) return "nothing to run";
  return report.outcome == Outcome::running ? runningLine(report) : endedLine(report);
}

double progressFraction(const Report& report) {
  if (report.outcome == Outcome::finished) return 1;
  if (report.kernels.empty()) return 0;
  double sum = 0;
  for (const auto& kernel : report.kernels) sum += kernelFraction(report, *kernel);
  return sum / static_cast<double>(report.kernels.size());
}

}  // namespace wb
