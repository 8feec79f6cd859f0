// SPDX-License-Identifier: Apache-2.0
// What the looks at either side's code tell of the two.
#include <dlfcn.h>

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <vector>

#include "core/engine/sides/code/code_samples.h"

namespace wb {

namespace {

/// Fewer looks tell nothing. A function counts as the reference's own from this share of its looks on.
constexpr std::size_t enoughLooks = 20;
constexpr double ownShare = 0.25;
/// To make room for an answer takes less.
constexpr double leastHotSeconds = 3e-6;

/// Whether a function is one of the vector library's that torch holds for extensions as well: whoever
/// computes with at::vec, as torch.compile does, calls it and works alone all the same.
bool isForExtensions(std::uintptr_t function) {
  Dl_info info{};
  return ::dladdr(reinterpret_cast<const void*>(function), &info) != 0 && info.dli_sname != nullptr &&
         std::string_view(info.dli_sname).starts_with("Sleef_");
}

/// The share of the looks that met functions in which the reference spends its own time.
double shareOf(const SeenCode::Functions& functions, const SeenCode& candidate, const SeenCode& reference) {
  if (candidate.looks < enoughLooks || reference.looks < enoughLooks) return 0;
  std::size_t shared = 0;
  for (const auto& [function, times] : reference.torchs) {
    if (static_cast<double>(times) < ownShare * static_cast<double>(reference.looks)) continue;
    const auto found = functions.find(function);
    if (found != functions.end() && !isForExtensions(function)) shared += found->second;
  }
  return static_cast<double>(shared) / static_cast<double>(candidate.looks);
}

}  // namespace

void SeenCode::add(const SeenCode& more) {
  for (const auto& [function, times] : more.torchs) torchs[function] += times;
  for (const auto& [function, times] : more.hidden) hidden[function] += times;
  executed.insert(more.executed.begin(), more.executed.end());
  looks += more.looks;
  interruptions += more.interruptions;
  waits += more.waits;
  heldOff += more.heldOff;
}

std::vector<HotCode> hotCodeOf(const SeenCode& reference, double secondsPerCall) {
  std::vector<HotCode> code;
  // Beside torch's code there are the waits for its other threads, which are long on a busy machine.
  double all = 0;
  for (const auto& [function, times] : reference.torchs) all += static_cast<double>(times);
  if (all < enoughLooks) return code;
  for (const auto& [function, times] : reference.torchs) {
    const double share = static_cast<double>(times) / all, seconds = share * secondsPerCall;
    const auto executed = reference.executed.find(function);
    if (share >= ownShare && seconds >= leastHotSeconds && executed != reference.executed.end() &&
        !isForExtensions(function))
      code.push_back({executed->second, seconds});
  }
  std::sort(code.begin(), code.end(),
            [](const HotCode& a, const HotCode& b) { return a.seconds > b.seconds; });
  return code;
}

double hiddenShare(const SeenCode& candidate, const SeenCode& reference) {
  return shareOf(candidate.hidden, candidate, reference);
}

double sharedCode(const SeenCode& candidate, const SeenCode& reference) {
  return shareOf(candidate.torchs, candidate, reference);
}

double heldOffShare(const SeenCode& candidate) {
  if (candidate.interruptions < enoughLooks) return 0;
  return static_cast<double>(candidate.heldOff) / static_cast<double>(candidate.interruptions);
}

}  // namespace wb
