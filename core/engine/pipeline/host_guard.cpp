// SPDX-License-Identifier: Apache-2.0
#include "core/engine/pipeline/host_guard.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "core/base/text.h"

namespace wb {

namespace {

constexpr std::size_t mostNamed = 6;

void append(std::vector<std::string>& to, const std::vector<std::string>& more) {
  to.insert(to.end(), more.begin(), more.end());
}

}  // namespace

HostGuard::HostGuard(EngineState& state, Compiler& compiler, const std::string& op)
    : state_(state), compiler_(compiler), dispatcher_(op) {
  if (!state_.untouched) state_.untouched.emplace();
  states().forget();
}

std::vector<std::string> HostGuard::patched() {
  RuntimeTraces traces = compiler_.traces();
  append(putBack_, traces.changed);
  return std::move(traces.patched);
}

std::string HostGuard::tampered() {
  if (!tampered_.empty()) return tampered_;
  // All operators are looked at when the kernel has just been loaded; later, when it may replace one in a
  // call, only its own.
  std::string found = looked_ ? dispatcher_.replacedOwn() : dispatcher_.replaced();
  looked_ = true;
  if (found.empty() && ownReference_)
    if (const std::vector<std::string> now = patched(); !now.empty()) found = listed(now, mostNamed);
  if (!found.empty())
    tampered_ =
        fmt::format("the kernel replaces {}: the reference would be its own code, not torch's", found);
  return tampered_;
}

std::string HostGuard::notScored() {
  if (!tampered_.empty()) return tampered_;
  const std::vector<std::string> now = patched();
  return now.empty() ? std::string()
                     : fmt::format("not scored: the kernel replaces {}", listed(now, mostNamed));
}

std::string HostGuard::disturbed() const {
  const std::string running = state_.untouched->traces.running(state_.untouched->states.threads());
  if (running.empty()) return {};
  return fmt::format("not scored: {} of the kernel's ran while the reference was timed", running);
}

HostGuard::Verdict HostGuard::end() {
  Verdict verdict;
  states().enter(false);
  std::vector<std::string> stuck = patched();
  const PutBack back = state_.untouched->traces.putBack(states().threads());
  const std::string replaced = dispatcher_.replaced();
  std::vector<std::string> changed = states().changed();
  append(changed, putBack_);
  append(changed, back.changed);
  if (!changed.empty())
    verdict.warnings.push_back(fmt::format(
        "The kernel changes {}. The reference and the next kernel run with what was set before it.",
        listed(changed, mostNamed)));
  append(stuck, back.stuck);
  if (!replaced.empty()) stuck.push_back(replaced);
  if (!stuck.empty())
    verdict.warnings.push_back(fmt::format(
        "The kernel leaves behind what cannot be undone: {}. The next kernel runs in a fresh process.",
        listed(stuck, mostNamed)));
  verdict.spoiled = !stuck.empty();
  states().forget();
  return verdict;
}

}  // namespace wb
