// SPDX-License-Identifier: Apache-2.0
#include "core/engine/sides/operator_watch.h"

#include <ATen/Parallel.h>
#include <ATen/record_function.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <functional>
#include <map>
#include <mutex>
#include <string_view>
#include <thread>
#include <utility>

namespace wb {

/// What was seen. Callbacks hold it too, since a thread of the kernel's may still be in an operator when the
/// watch has ended.
struct OperatorWatch::Tally {
  using Clock = std::chrono::steady_clock;
  struct Seen {
    std::int64_t times = 0;
    double seconds = 0;
  };
  explicit Tally(std::string stoodAgainst) : reference(std::move(stoodAgainst)) {}
  const std::string reference;
  const std::thread::id caller = std::this_thread::get_id();
  /// The operators that the calling thread is in.
  std::atomic<int> open = 0;
  std::mutex mutex;
  std::map<std::string, Seen, std::less<>> seen;
};

namespace {

using Tally = OperatorWatch::Tally;

std::function<void(bool)> told;  // by the thread on which all kernels run
std::mutex guard;
std::shared_ptr<Tally> current;  // guarded by `guard`
/// The operators that this thread is in.
thread_local int depth = 0;
/// Those that all threads are in.
std::atomic<int> allOpen = 0;

/// The libraries of operators that come with torch. Other ones are the kernel's own: what they call counts.
constexpr std::array torchs{"aten", "prims", "quantized", "_quantized", "mkldnn", "onednn", "mkl", "xnnpack"};

std::string_view libraryOf(std::string_view name) {
  const std::size_t end = name.find("::");
  return end == std::string_view::npos ? std::string_view() : name.substr(0, end);
}

std::string_view withoutOverload(std::string_view name) {
  return name.substr(0, name.find('.'));
}

bool counts(const Tally& tally, std::string_view name) {
  const std::string_view library = libraryOf(name);
  return std::find(torchs.begin(), torchs.end(), library) != torchs.end() ||
         withoutOverload(name) == withoutOverload(tally.reference);
}

/// Whether somebody says that an operator runs whom torch's dispatcher has not called.
bool isOnlySaid(const at::RecordFunction& function) {
  return function.scope() == at::RecordScope::FUNCTION && !function.operator_name();
}

/// One call of an operator.
struct Call : at::ObserverContext {
  std::shared_ptr<Tally> tally;
  bool isOutermost = false;
  Tally::Clock::time_point began{};
};

std::unique_ptr<at::ObserverContext> started(const at::RecordFunction& function) {
  std::shared_ptr<Tally> tally;
  {
    const std::lock_guard lock(guard);
    tally = current;
  }
  if (!tally || !counts(*tally, function.name()) || isOnlySaid(function)) return nullptr;
  auto call = std::make_unique<Call>();
  const bool isCaller = std::this_thread::get_id() == tally->caller;
  // A thread of torch's pool that works for an operator is within that operator.
  call->isOutermost = depth == 0 && (isCaller || tally->open == 0 || !at::in_parallel_region());
  ++depth;
  allOpen.fetch_add(1, std::memory_order_relaxed);
  if (isCaller) ++tally->open;
  call->tally = std::move(tally);
  call->began = Tally::Clock::now();
  return call;
}

void ended(const at::RecordFunction& function, at::ObserverContext* context) {
  if (context == nullptr) return;
  const auto& call = static_cast<Call&>(*context);
  Tally& tally = *call.tally;
  const double seconds = std::chrono::duration<double>(Tally::Clock::now() - call.began).count();
  --depth;
  allOpen.fetch_sub(1, std::memory_order_relaxed);
  if (std::this_thread::get_id() == tally.caller) --tally.open;
  const std::lock_guard lock(tally.mutex);
  auto& seen = tally.seen[function.name()];
  ++seen.times;
  if (call.isOutermost) seen.seconds += seconds;
}

void endWatch() {
  {
    const std::lock_guard lock(guard);
    current.reset();
  }
  if (told) told(false);
}

}  // namespace

bool isInOperator() {
  return depth > 0;
}

bool isAnyInOperator() {
  return allOpen.load(std::memory_order_relaxed) > 0;
}

void tellOfWatches(std::function<void(bool)> tell) {
  told = std::move(tell);
}

OperatorWatch::OperatorWatch(std::string reference) : tally_(std::make_shared<Tally>(std::move(reference))) {
  try {
    if (told) told(true);
    {
      const std::lock_guard lock(guard);
      current = tally_;
    }
    handle_ =
        // A problem's own model says by a scope of its own that somebody else calls it.
        at::addGlobalCallback(at::RecordFunctionCallback(started, ended)
                                  .scopes({at::RecordScope::FUNCTION, at::RecordScope::USER_SCOPE}));
  } catch (...) {
    // No watch will end, and the reference must not go on saying that it is called.
    endWatch();
    throw;
  }
}

OperatorWatch::~OperatorWatch() {
  // A kernel may have removed all observers.
  if (at::hasGlobalCallbacks()) at::removeCallback(handle_);
  endWatch();
}

std::vector<RanPart> OperatorWatch::ran(double seconds) const {
  std::vector<RanPart> parts;
  double theirs = 0;
  const std::lock_guard lock(tally_->mutex);
  for (const auto& [name, seen] : tally_->seen) {
    const bool isReference = libraryOf(name) == "problem";
    parts.push_back(
        {std::string(isReference ? ownedByReference : ownedByAten), name, seen.times, seen.seconds});
    theirs += seen.seconds;
  }
  parts.push_back({std::string(ownedByKernel), "", 1, std::max(0.0, seconds - theirs)});
  keepLargest(parts, tally_->reference);
  return parts;
}

}  // namespace wb
