// SPDX-License-Identifier: Apache-2.0
// The memory of results while calls are timed.
#include <unistd.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/process/mapped_parts.h"
#include "core/engine/check/shared_memory.h"
#include "core/engine/reference/operator.h"
#include "core/engine/reference/tensor_factory.h"
#include "core/engine/sides/memory/memory_settings.h"
#include "core/engine/sides/memory/page_entries.h"
#include "core/engine/sides/memory/readable.h"
#include "core/engine/time/cross_checks/written_results.h"
#include "core/engine/time/timed_calls.h"

namespace wb {
namespace {

/// What takes fewer bytes shares its page with others, and so many bytes are made present at most.
constexpr std::size_t smallestPages = 4096, mostPresent = std::size_t{32} << 20;

}  // namespace

/// A problem's model may give out what it keeps for itself. Then two of its calls give the same memory.
bool TimedCalls::mayWrite() {
  if (!isProblem(kernel_.op)) return true;
  if (givesFresh_ || sets_.size() < 2) return givesFresh_.value_or(false);
  Call &one = *sets_[0].reference, &other = *sets_[1].reference;
  if (!one.hasRun || !other.hasRun) return false;
  if (CallElsewhere* const there = elsewhere(one); there != nullptr) {
    // What they give is known once both were looked at.
    if (there->hasOwnResults() && elsewhere(other)->hasOwnResults())
      givesFresh_ = !there->sharesResults(other);
  } else {
    const Result<Stack> first = one.outputs(), second = other.outputs();
    if (first && second) {
      const SharedArguments shared = sharedArguments({*second, *first});
      givesFresh_ = std::none_of(shared.begin(), shared.end(), [](const std::vector<bool>& each) {
        return std::find(each.begin(), each.end(), true) != each.end();
      });
    }
  }
  return givesFresh_.value_or(false);
}

/// Who got results may write to them. A kernel that keeps them, and gives them again, has to know. After
/// every second sample of either side this is done with what it gave.
void TimedCalls::writeToLast(bool candidate, std::size_t first, int calls) {
  const bool isThere = kernel_.timedReference != nullptr;
  if ((kernel_.device != "cpu" && !isThere) || once() || random_() % 2 == 0 || !mayWrite()) return;
  // To take results from the candidate is part of its turn, and as much is done with the reference's.
  std::optional<SideStates::Candidate> apart;
  if (kernel_.states != nullptr) apart.emplace(*kernel_.states);
  const std::size_t used = std::min(static_cast<std::size_t>(calls), rotation_);
  for (std::size_t i = 0; i < used; ++i) writeToResultsOf(sets_[(first + i) % rotation_], candidate);
}

void TimedCalls::writeToResultsOf(const Set& set, bool candidate) {
  Call& call = candidate ? *set.candidate : *set.reference;
  if (!std::exchange(call.hasResults, false)) return;
  if (CallElsewhere* const there = elsewhere(call); there != nullptr) {
    there->writeToResults(random_());
  } else if (Result<Stack> results = call.outputs(); results) {
    if (!writeToResults(*results, set.given.arguments, random_()) && candidate)
      found(Verdict::mismatch, std::string(notWritable));
  }
}

/// The same on a GPU, before a set is used again: what is written is enqueued, as all else there.
void TimedCalls::writeOnDevice(const Set& set, bool candidate) {
  if (once() || random_() % 2 == 0 || !mayWrite()) return;
  std::optional<SideStates::Candidate> apart;
  if (kernel_.states != nullptr) apart.emplace(*kernel_.states);
  writeToResultsOf(set, candidate);
}

/// A kernel could give the system back the pages that the reference gets next, for its result or for what it
/// needs meanwhile. So neither side fetches any while its clock runs. Where too much is free, the C library
/// gives it back, so that there is a limit.
void TimedCalls::makeMemoryPresent(int calls) const {
  if (kernel_.device != "cpu" || kernel_.timedReference != nullptr) return;
  std::vector<std::size_t> sizes;
  std::size_t all = 0;
  for (int call = 0; call < calls; ++call) {
    const std::size_t before = all;
    for (const std::size_t bytes : allocated_)
      if (bytes >= smallestPages && all + bytes <= mostPresent) {
        sizes.push_back(bytes);
        all += bytes;
      }
    if (all == before) break;
  }
  if (!sizes.empty()) makeHeapPresent(sizes);
}

/// What has no pages of its own yet is filled when somebody reads it.
void TimedCalls::lookAtPages(const Stack& results, bool candidate) {
  if (kernel_.device != "cpu" || kernel_.timedReference != nullptr) return;
  for (const at::Tensor& each : planFrom(results).examples) {
    if (!each.defined() || each.layout() != at::kStrided || each.numel() == 0) continue;
    PagesSeen& seen = pages_[candidate ? 1 : 0];
    const std::int64_t bytes = each.element_size() * extent(each.sizes(), each.strides());
    const auto begin = reinterpret_cast<std::uintptr_t>(each.const_data_ptr());
    seen.results += 1;
    seen.without += hasItsPages(begin, static_cast<std::size_t>(bytes)) ? 0 : 1;
  }
}

/// An answer in memory that cannot be read is filled when somebody reads it.
void TimedCalls::lookAtMemory(const Stack& results) {
  for (const at::Tensor& tensor : planFrom(results).examples)
    if (tensor.defined() && tensor.is_cpu() && tensor.layout() == at::kStrided && tensor.numel() > 0 &&
        !isReadable(tensor.const_data_ptr(), tensor.element_size() * extent(tensor.sizes(), tensor.strides()),
                    random_()))
      found(Verdict::mismatch, "the answer's memory cannot be read yet when the call has returned");
}

/// A result of which a page lies at several places takes less work to fill, and is not what its caller
/// thinks.
std::string TimedCalls::memoryTwice() {
  if (kernel_.device != "cpu" || kernel_.timedReference != nullptr) return {};
  const std::vector<MappedPart> parts = mappedParts(::getpid());
  for (const Set& set : sets_) {
    if (!set.candidate->hasRun) continue;
    const Result<Stack> results = set.candidate->outputs();
    if (!results) return {};
    for (const at::Tensor& each : planFrom(*results).examples) {
      if (!each.defined() || each.layout() != at::kStrided) continue;
      const auto begin = reinterpret_cast<std::uint64_t>(each.const_data_ptr());
      if (liesTwice(parts, begin, begin + each.nbytes()))
        return "the result has the same memory at several places";
    }
  }
  return {};
}

}  // namespace wb
