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

DispatcherWatch::DispatcherWatch(std::vector<Registrations>& helpers, const std::string& op) : own_(op) {
  if (!op.empty()) watched_.push_back({&own_, own_.lines()});
  for (Registrations& each : helpers) watched_.push_back({&each, each.lines()});
}

std::string DispatcherWatch::replaced() const {
  for (const Watched& each : watched_)
    if (std::string found = difference(each.registrations->op(), each.before, each.registrations->lines());
        !found.empty())
      return found;
  return {};
}

}  // namespace wb
