// SPDX-License-Identifier: Apache-2.0
#include "app/cli/output/backendbench_log.h"

#include <fmt/format.h>

#include "core/figures/ran.h"
#include "core/model/log_sources.h"
#include "core/model/operators/operator_name.h"
#include "core/model/report.h"
#include "core/model/verdict.h"

namespace wb {
namespace {

/// A kernel that comes from a file; null for ATen's own operators.
const KernelSource* fileOf(const Job& job, std::uint32_t kernel) {
  return kernel < job.kernels.size() && !job.kernels[kernel].path.empty() ? &job.kernels[kernel] : nullptr;
}

std::optional<LogLine> lineOf(const Job& job, const StepDone& done, const Compiled& compiled) {
  const KernelSource* kernel = fileOf(job, done.kernel);
  if (kernel == nullptr) return std::nullopt;
  const std::string op = shortName(compiled.op);
  return LogLine{Level::info, fmt::format("Loaded {} from {} -> aten.{}", op, kernel->path, op)};
}

std::optional<LogLine> lineOf(const Job& job, const StepDone& done, const CaseCheck& check) {
  if (tally(check.verdict) != Tally::fail || done.kernel >= job.kernels.size()) return std::nullopt;
  return LogLine{
      check.verdict == Verdict::threw ? Level::warning : Level::info,
      fmt::format("{}: case {}: {}{}{}", shortName(job.kernels[done.kernel].op), done.index.value_or(0) + 1,
                  name(check.verdict), check.message.empty() ? "" : ": ", check.message)};
}

std::optional<LogLine> lineOf(const Job& job, const StageFailed& failed) {
  if (!failed.kernel) return std::nullopt;  // the whole job: said at the end
  const KernelSource* kernel = fileOf(job, *failed.kernel);
  if (kernel == nullptr) return LogLine{Level::error, describe(failed.error)};
  return LogLine{Level::error, fmt::format("Error loading {} from {}: {}", shortName(kernel->op),
                                           kernel->path, describe(failed.error))};
}

/// What is to be known of a kernel whose verdicts alone say that it is right. What compilers say stays with
/// them.
std::optional<LogLine> lineOf(const Job& job, const Diagnosed& said) {
  const Diagnostic& diagnostic = said.diagnostic;
  if (diagnostic.severity != Severity::warning || diagnostic.tool != "warpbench") return std::nullopt;
  if (said.kernel >= job.kernels.size()) return std::nullopt;
  return LogLine{Level::warning,
                 fmt::format("{}: {}", shortName(job.kernels[said.kernel].op), diagnostic.message)};
}

/// A kernel's own crash is the verdict of its case.
std::optional<LogLine> lineOf(const WorkerLost& lost) {
  if (lost.blame != Blame::warpbench) return std::nullopt;
  return LogLine{Level::error,
                 describe(lost) + "; no code of the kernel's was running: a fault of Warpbench"};
}

}  // namespace

std::optional<LogLine> backendBenchLine(const Job& job, const Event& event) {
  const auto* done = std::get_if<StepDone>(&event);
  if (const auto* compiled = resultIn<Compiled>(event)) return lineOf(job, *done, *compiled);
  if (const auto* check = resultIn<CaseCheck>(event)) return lineOf(job, *done, *check);
  if (const auto* failed = std::get_if<StageFailed>(&event)) return lineOf(job, *failed);
  if (const auto* said = std::get_if<Diagnosed>(&event)) return lineOf(job, *said);
  if (const auto* lost = std::get_if<WorkerLost>(&event)) return lineOf(*lost);
  if (const auto* log = std::get_if<Log>(&event))
    return LogLine{log->source == preparingSource ? Level::info : Level::debug,
                   fmt::format("{} {}", log->source, log->text)};
  return std::nullopt;
}

std::vector<LogLine> handedToAten(const Report& report) {
  std::vector<LogLine> lines;
  for (const auto& kernel : report.kernels) {
    if (kernel->source.path.empty()) continue;
    if (const std::string handed = delegatedText(whatRan(report, *kernel)); !handed.empty())
      lines.push_back({Level::warning, fmt::format("{}: {}", shortName(kernel->source.op), handed)});
  }
  return lines;
}

}  // namespace wb
