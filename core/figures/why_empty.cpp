// SPDX-License-Identifier: Apache-2.0
#include "core/figures/why_empty.h"

#include "core/figures/cells.h"

namespace wb {

std::string whyNoCases(const Report& report) {
  if (report.failure) return "Nothing ran: " + firstLine(report.failure->text);
  if (report.kernels.empty()) return "There was no kernel to run.";
  for (const auto& kernel : report.kernels)
    if (kernel->compiled) {
      if (!kernel->compiled->note.empty()) return kernel->compiled->note;
      return "The suite has no cases for " + operatorLabel(kernel->compiled->op) + ". Choose another suite.";
    }
  if (report.outcome == Outcome::running) return "Cases appear once a kernel has compiled.";
  for (const auto& kernel : report.kernels)
    if (kernel->failure)
      return kernel->failure->stage == Stage::compile
                 ? "The kernel does not compile, so no case ran. Its errors are under Problems."
                 : "No case ran: " + firstLine(kernel->failure->text);
  return report.outcome == Outcome::cancelled ? "Cancelled before a case ran. Run again." : "No case ran.";
}

std::string whyNoTimes(const Report& report) {
  if (!report.stages.has(Stage::time)) return "Timing was not asked for. Run again with it.";
  if (counts(report).total == 0) return whyNoCases(report);
  if (report.outcome == Outcome::running && !report.failure) return "This comes as cases are timed.";
  if (std::string why = whyNotTimed(report); !why.empty()) {
    // Some reasons are sentences that say what to do; the others go on after what happened.
    const bool isSentence = why.front() >= 'A' && why.front() <= 'Z';
    return isSentence ? why : "No case was timed: " + why + ". Run again.";
  }
  if (counts(report).passed == 0)
    return counts(report).failed > 0
               ? "No case passed, so none was timed. The failing cases are under Problems."
               : "No case was checked, so none was timed. Run again.";
  return "No case was timed. Run again.";
}

}  // namespace wb
