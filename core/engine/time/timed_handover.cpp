// SPDX-License-Identifier: Apache-2.0
// Contents that a process meets on a GPU only when its clock begins: before that the GPU has turned to it,
// and in that time it could work for all calls of a sample at once.
#include <algorithm>
#include <limits>

#include "core/engine/device/driver.h"
#include "core/engine/time/timed_calls.h"

namespace wb {
namespace {

/// So much is copied in about a millisecond. To do for larger inputs what a sample does takes longer than
/// what is usual before a clock.
constexpr std::int64_t mostBytes = std::int64_t{32} << 20;
constexpr std::size_t mostCopies = 128;

}  // namespace

bool TimedCalls::handsOver(std::size_t sets) const {
  if (kernel_.device == "cpu" || kernel_.timedReference == nullptr || !contents_.change()) return false;
  const std::size_t tensors = scratch_.memory.size();
  return tensors > 0 && tensors * sets <= mostCopies &&
         contents_.bytes() * static_cast<std::int64_t>(sets) <= mostBytes;
}

/// Makes the contents of a sample's sets, and takes them to the host. In the sets lies what lay there before.
Result<void> TimedCalls::stage(bool candidate, std::size_t first, std::size_t sets) {
  if (staged_.memory.empty()) staged_ = contents_.copy(random_());
  const std::uint64_t shared = random_();
  for (std::size_t i = 0; i < sets; ++i) {
    if (i == handed_.size()) {
      handed_.emplace_back();
      for (const at::Tensor& memory : staged_.memory) handed_.back().emplace_back(memory);
    }
    Set& set = sets_[(first + i) % rotation_];
    const LateChange late = (candidate ? set.candidate : set.reference)->late;
    contents_.renew(staged_, shared, random_(), std::numeric_limits<std::int64_t>::max(), {late, mutable_});
    for (std::size_t each = 0; each < staged_.memory.size(); ++each)
      WB_DO(handed_[i][each].takeFrom(staged_.memory[each]));
    inputs(set, candidate).seeds = staged_.seeds;
    forget(set);
  }
  stagedSets_ = sets;
  return synchronize(Stage::time);
}

/// A GPU does not turn back to this process for what its copy engines carry. What the first call reads comes
/// last. A sample that goes round its sets has all that they need from its first calls on.
Result<void> TimedCalls::handOver(bool candidate, std::size_t first, int from, int to) {
  const std::size_t begin = static_cast<std::size_t>(from),
                    end = std::min(static_cast<std::size_t>(to), stagedSets_);
  if (begin >= end) return {};
  for (std::size_t i = end; i-- > begin;) {
    const InputCopy& into = inputs(sets_[(first + i) % rotation_], candidate);
    for (std::size_t each = 0; each < into.memory.size(); ++each)
      WB_DO(handed_[i][each].giveTo(into.memory[each]));
  }
  return synchronize(Stage::time);
}

}  // namespace wb
