// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sched.h>
#include <sys/types.h>

#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/engine/cases/kernel_context.h"
#include "core/engine/guest/guest_session.h"
#include "core/model/job.h"

namespace wb {

/// A process of a worker's in which no kernel's code ever runs. Where a kernel shares the worker with its
/// reference and seems to be faster, the reference is timed there as well: whatever slows it down beside the
/// kernel, or replaces it, is not there. It serves one kernel after the other.
class ReferenceProcess {
 public:
  /// `command`: this worker's own as a parent of guests, which knows Python where this one does. `program`:
  /// the worker without Python. `copy`: a copy of this process, where it knows Python, which stands for
  /// `command` the first time. Call it before any user code runs.
  ReferenceProcess(std::vector<std::string> command, std::string program, ParentOfGuests copy = {})
      : command_(std::move(command)), program_(std::move(program)) {
    if (copy.pid < 0) return;
    problems_ = startedFrom(command_, copy);
    problems_.placing = placingOf(copy.pid);
    isAsleep_ = true;
  }

  /// A kernel comes next, with its problem's own reference or with an operator: starts what the process is
  /// forked from, and waits no longer than until it is closed to this process, in which the kernel's code
  /// will be. Call it before that is loaded. False: it does not start.
  [[nodiscard]] bool begin(bool problem);
  /// The processes that were started, which are none of the kernel's.
  [[nodiscard]] std::vector<pid_t> processes() const;
  /// The reference of the kernel that `order` loads. The result lives until the next call. Errors: the
  /// process does not start, was ended, or cannot load it.
  Result<ReferenceApart> load(const LoadOrder& order, bool random);
  /// The time for what is asked begins anew, and a stop of the run ends it.
  void allow(double seconds, std::stop_token stop);
  /// What was done to it since load(), in words, if that was not asked for yet: somebody ended it, after
  /// which the next call gets another one, or holds it back from the processors. "" for nothing.
  [[nodiscard]] std::string disturbed();
  /// What it is forked from was ended.
  [[nodiscard]] bool isGone() const;
  /// The kernel is done.
  void rest();

 private:
  struct Placing {
    cpu_set_t processors{};
    int policy = 0, niceness = 0;
    bool operator==(const Placing& other) const {
      return CPU_EQUAL(&processors, &other.processors) != 0 && policy == other.policy &&
             niceness == other.niceness;
    }
  };
  static Placing placingOf(pid_t process);
  void start(bool problem);
  /// What is forked, and in it the reference.
  struct Kind {
    std::shared_ptr<GuestParent> parent;
    std::shared_ptr<GuestSession> session;
    /// Where and how gladly the system runs it.
    Placing placing;
    /// 0 before it was measured.
    double orderSeconds = 0;
  };
  static Kind startedFrom(std::vector<std::string> command, ParentOfGuests copy = {});
  std::vector<std::string> command_;
  std::string program_;
  /// One with ATen's operators alone, which is there at once, and one with Python.
  Kind operators_, problems_;
  Kind* kind_ = nullptr;
  /// The copy was not needed yet.
  bool isAsleep_ = false;
  std::unique_ptr<Candidate> reference_, drawing_;
};

}  // namespace wb
