// SPDX-License-Identifier: Apache-2.0
// A kernel that is only built, for another machine.
#include "core/engine/pipeline/kernel/kernel_run.h"

namespace wb {

Result<void> KernelRun::compileAhead(const Ahead& ahead) {
  ahead_ = &ahead;
  exchange_ = {{}, {}, ahead.built};
  WB_TRY(Plan planned, plan());
  // The kernels of an extension are named when it is loaded; nothing else is loaded.
  if (planned.language == "torch_cuda" && !strict_) {
    sealed_.emplace(job_, kernel_).seal(planned.cases);
    guard_.emplace(state_, *planned.compiler, planned.op.name, turns_, job_, *sealed_);
  }
  const Result<CompileOutcome> outcome = build(planned, source(), ProblemPart::both);
  if (guard_ && !stop_.stop_requested() && !state_.poisoned)
    state_.spoiled = guard_->end(source().referencePath, /*isLast=*/true, {}).spoiled;
  if (!outcome) return outcome.error();
  return {};
}

/// What other machines have built is used in the place of compiling.
void KernelRun::takeGiven() {
  exchange_ = {[this](const std::string& key) { return state_.given.find(key); },
               [this](const std::string& key) { state_.given.use(key); },
               {}};
  (void)state_.given.takeBuilders();
}

std::string KernelRun::builtElsewhere() {
  std::string note;
  for (const std::string& builder : state_.given.takeBuilders()) note += " Built on " + builder + ".";
  return note.empty() ? note : note.substr(1);
}

}  // namespace wb
