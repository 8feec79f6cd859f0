// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/engine/pipeline/workshop.h"
#include "core/engine/sides/dispatcher_watch.h"

namespace wb {

/// Watches over what one kernel's code does to the process that its reference and the next kernels run in.
class HostGuard {
 public:
  /// Before the kernel is compiled, since its code runs while it is loaded. `op` is "" for a problem.
  HostGuard(Workshop& workshop, Compiler& compiler, const std::string& op);

  [[nodiscard]] SideStates& states() { return workshop_.untouched->states; }
  /// The kernel's own state, for as long as what it gives lives.
  [[nodiscard]] std::unique_ptr<SideStates::Candidate> enter() {
    return std::make_unique<SideStates::Candidate>(states());
  }
  /// Its reference is Python, so that what it patches there reaches it.
  void hasOwnReference() { ownReference_ = true; }

  /// Why no verdict on it can be believed: it stands in the reference's place; "" when it does not.
  [[nodiscard]] std::string tampered();
  /// Why its times would not be worth anything; "" when they are.
  [[nodiscard]] std::string notScored();
  /// What of the kernel's ran while the reference was timed; "" when nothing did.
  [[nodiscard]] std::string disturbed() const;

  /// The kernel is done with: puts back what can be.
  struct Verdict {
    std::vector<std::string> warnings;  ///< what it changed, in sentences
    bool spoiled = false;               ///< something cannot be put back
  };
  [[nodiscard]] Verdict end();

 private:
  /// What of the language's runtime is patched; what could be put back is remembered.
  std::vector<std::string> patched();

  Workshop& workshop_;
  Compiler& compiler_;
  DispatcherWatch dispatcher_;
  bool ownReference_ = false, looked_ = false;
  std::string tampered_;
  std::vector<std::string> putBack_;
};

}  // namespace wb
