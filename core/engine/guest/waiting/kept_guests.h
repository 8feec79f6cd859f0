// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>

#include "core/engine/compile/compiler.h"
#include "core/engine/guest/guest_session.h"
#include "core/model/job.h"

namespace wb {

/// What a guest has served. It serves nothing else: who hands in another job, which differs in a letter of a
/// source, in a case or in a setting, gets another guest.
struct ServedKernel {
  /// Without what of it one worker was to do, and without what the guest never hears of.
  Job job;
  std::uint32_t kernel = 0;
  /// Of a problem, which side of it.
  ProblemPart part = ProblemPart::candidate;
  bool operator==(const ServedKernel&) const = default;
};

/// The same for each worker that has a part of the job. What serves a problem's reference that has a file of
/// its own never hears of the kernel, and serves any.
[[nodiscard]] ServedKernel servedKernel(const Job& job, std::uint32_t kernel, ProblemPart part);
/// Where there are many kernels in a job they hardly come again.
[[nodiscard]] inline bool mayComeAgain(const Job& job) {
  return job.kernels.size() == 1;
}

/// Guests that stand still until the same job comes again, since to start one takes much longer than most
/// kernels need.
class KeptGuests {
 public:
  /// The session that served this last, with its guest; null where it is not kept.
  std::shared_ptr<GuestSession> take(const ServedKernel& served);
  /// Keeps the guest of a session that nobody uses any more, until rest() at least.
  void keep(ServedKernel served, std::shared_ptr<GuestSession> session);
  /// Has those that were added forget their kernels, and ends those that do not, that are still used by
  /// somebody, or that are too many.
  void rest();
  /// Whether one of them may have left work on the GPU (GuestSession::mayHaveLeftWork).
  [[nodiscard]] bool mayHaveLeftWork() const;
  /// The GPU was seen at rest.
  void haveLeftNothing();
  void endThoseThatMayHaveLeftWork();
  /// One or the other.
  void settle(bool isAtRest) { isAtRest ? haveLeftNothing() : endThoseThatMayHaveLeftWork(); }
  void endAll() { all_.clear(); }
  [[nodiscard]] std::size_t count() const { return all_.size(); }

 private:
  struct Kept {
    ServedKernel served;
    std::shared_ptr<GuestSession> session;
    bool rests = false;
  };
  /// The one that was used last stands last.
  std::deque<Kept> all_;
};

}  // namespace wb
