// SPDX-License-Identifier: Apache-2.0
#include "core/engine/sides/dispatcher_watch.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string_view>

namespace wb {

namespace {

std::set<std::string_view> linesOf(std::string_view text) {
  std::set<std::string_view> lines;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    lines.insert(line);
  }
  return lines;
}

/// What is registered now and was not before, in words: "CPU: registered at relu.py:4 :: (none) [ boxed ]".
std::string difference(const std::string& op, const Registrations::Lines& before,
                       const Registrations::Lines& now) {
  if (now == before || *now == *before) return {};
  const auto known = linesOf(*before);
  for (const std::string_view line : linesOf(*now)) {
    if (known.contains(line) || line.find("(inactive)") != std::string_view::npos) continue;
    const std::size_t colon = line.find(": ");
    const std::size_t end = std::min(line.find(" :: "), line.size());
    return fmt::format("the kernel of {} for {} ({})", op, line.substr(0, colon),
                       line.substr(colon + 2, end - colon - 2));
  }
  return fmt::format("the kernels of {}", op);
}

}  // namespace

DispatcherWatch::DispatcherWatch(const AllRegistrations& all, const std::string& op) : all_(all), own_(op) {
  if (!op.empty()) before_ = own_.lines();
}

std::string DispatcherWatch::ownReplaced() {
  return before_ ? difference(own_.op(), before_, own_.lines()) : std::string();
}

std::string DispatcherWatch::replaced() {
  if (std::string found = ownReplaced(); !found.empty()) return found;
  const auto start = std::chrono::steady_clock::now();
  std::string found = all_.replaced();
  looked_ = std::chrono::steady_clock::now();
  took_ = *looked_ - start;
  return found;
}

std::string DispatcherWatch::replacedSoFar() {
  constexpr int share = 10;
  const bool isEarly = looked_ && std::chrono::steady_clock::now() - *looked_ < share * took_;
  return isEarly ? ownReplaced() : replaced();
}

}  // namespace wb
