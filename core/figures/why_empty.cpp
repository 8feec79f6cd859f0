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

}  // namespace wb
