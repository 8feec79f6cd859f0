// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "core/base/quantity.h"
#include "core/figures/cells.h"
#include "core/figures/figures.h"
#include "core/figures/verdict/run_speedup.h"
#include "core/figures/verdict/verdict_line.h"
#include "core/model/log_sources.h"

namespace wb {

namespace {

double part(double done, int total) {
  return total > 0 ? std::clamp(done / total, 0.0, 1.0) : 1.0;
}

/// How far one kernel is, 0 to 1, by the weights of the stages. It only matters that this never decreases.
double kernelFraction(const Report& report, const KernelReport& kernel) {
  constexpr double begun = 0.25;  // what counts of a step while it is under way
  if (kernel.progress == Progress::waiting) return 0;
  if (kernel.progress.state != Progress::State::underWay) return 1;
  double all = 0, done = 0;
  bool before = true;
  for (const StageRow& row : stageRows()) {
    if (!report.stages.has(row.stage)) continue;
    all += row.weight;
    if (row.stage == kernel.progress.stage) {
      const Steps at = steps(report, kernel, row.stage);
      done += row.weight * part(at.done + begun, at.due);
      before = false;
    }
    if (before) done += row.weight;
  }
  return done / all;
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

/// What the worker is preparing once before it can compile, if that was the last thing it said.
std::string preparation(const Report& report) {
  constexpr std::size_t mostLines = 100;  // other lines that may have come meanwhile
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
                                                             : stageRow(at->stage).between;
  return fmt::format(" · {}, {:.0f} s", who, at->seconds);
}

/// "checking relu.cpp: 3 of 8"
std::string stageLine(const Report& report, std::size_t k, Stage stage) {
  const KernelReport& kernel = *report.kernels[k];
  const StageRow& row = stageRow(stage);
  std::string line = stage == Stage::compile ? preparation(report) : std::string();
  if (line.empty()) line = fmt::format("{} {}", row.doing, kernelLabel(report, k));
  if (row.scope == Scope::perKernel) return line;
  const Steps all = steps(report, kernel, stage);
  line += fmt::format(": {} of {}", formatCount(all.done), formatCount(all.due));
  if (stage != Stage::time) return line;
  const std::string speedup = speedupSoFar(timedCases(kernel).speedups);
  return speedup.empty() ? line : line + " · " + speedup + " so far";
}

/// Where the first worker waits, if that is known.
std::string whereItWaits(const Report& report) {
  for (std::size_t i = report.log.size(); i-- > 0;) {
    if (report.log[i].source == waitingSource) return "waiting in " + firstLine(report.log[i].text);
    if (report.log[i].source == connectionSource) return firstLine(report.log[i].text);
  }
  const std::string targets = targetsText(report);
  return targets.empty() ? "waiting for the worker" : "starting the worker on " + targets;
}

std::string runningLine(const Report& report) {
  if (report.startedAt.empty()) return whereItWaits(report);
  const std::size_t k = activeKernel(report);
  if (k == report.kernels.size()) return "finishing";
  const KernelReport& kernel = *report.kernels[k];
  std::string line = kernel.progress == Progress::waiting ? "starting " + kernelLabel(report, k)
                                                          : stageLine(report, k, kernel.progress.stage);
  line += whatTakesLong(report);
  if (kernel.counts.failed > 0) line += fmt::format(" · {} failed", formatCount(kernel.counts.failed));
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

/// "no errors", "errors at 3 places"; "" where nothing watched or its messages are still to come.
std::string sanitizerFound(const Report& report) {
  int places = 0;
  bool heard = false;
  for (const auto& kernel : report.kernels) {
    if (!kernel->sanitized) continue;
    heard = true;
    places += kernel->sanitized->places;
  }
  if (!heard) return {};
  return places == 0   ? "no errors"
         : places == 1 ? "errors at one place"
                       : fmt::format("errors at {} places", places);
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
  if (const std::string found = sanitizerFound(report); !found.empty())
    say(report.sanitizer + " found " + found);
  if (report.strict && scored > 0) say("strict");
  if (line.empty()) say(report.stages.has(Stage::check) ? "nothing ran" : "compiled");
  say(formatSeconds(report.seconds));
  return line;
}

}  // namespace

std::string progressLine(const Report& report) {
  if (report.failure) return firstLine(describe(*report.failure), 240);
  if (report.kernels.empty()) return "nothing to run";
  return report.outcome == Outcome::running ? runningLine(report) : endedLine(report);
}

std::string sanitizerLine(const Report& report) {
  const std::string found = sanitizerFound(report);
  if (found.empty()) return {};
  return fmt::format("compute-sanitizer {} found {}. Nothing was timed or profiled under it.",
                     report.sanitizer, found);
}

double progressFraction(const Report& report) {
  if (report.outcome == Outcome::finished) return 1;
  if (report.kernels.empty()) return 0;
  double sum = 0;
  for (const auto& kernel : report.kernels) sum += kernelFraction(report, *kernel);
  return sum / static_cast<double>(report.kernels.size());
}

}  // namespace wb
