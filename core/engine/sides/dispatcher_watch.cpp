// SPDX-License-Identifier: Apache-2.0
#include "core/engine/sides/dispatcher_watch.h"

#include <ATen/core/dispatch/Dispatcher.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <string_view>

namespace wb {

namespace {

constexpr std::array helpers{"aten::clone",
                             "aten::copy_",
                             "aten::_to_copy",
                             "aten::empty_strided",
                             "aten::empty.memory_format",
                             "aten::zero_",
                             "aten::fill_.Scalar",
                             "aten::eq.Tensor",
                             "aten::eq.Scalar",
                             "aten::ne.Tensor",
                             "aten::sub.Tensor",
                             "aten::abs",
                             "aten::le.Tensor",
                             "aten::isclose",
                             "aten::equal",
                             "aten::stack",
                             "aten::max",
                             "aten::any",
                             "aten::all",
                             "aten::_local_scalar_dense",
                             "aten::normal_",
                             "aten::uniform_",
                             "aten::as_strided",
                             "aten::view"};

/// Registrations under these keys are not met by a call without gradients and modes; torch itself adds some
/// of them late.
constexpr std::array elsewhere{"Meta", "Autograd", "Tracer", "FuncTorch", "Batched", "Functionalize"};

std::string registered(const std::string& op) {
  const std::size_t dot = op.find('.');
  const c10::OperatorName name(op.substr(0, dot), dot == std::string::npos ? "" : op.substr(dot + 1));
  const auto found = c10::Dispatcher::singleton().findOp(name);
  if (!found) return {};
  const std::string state = found->dumpState();
  std::string lines;
  std::string_view rest = state;
  while (!rest.empty()) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(rest.size(), line.size() + 1));
    const bool registration =
        line.find(": registered at ") != std::string_view::npos && !line.starts_with("debug");
    const bool met = std::none_of(elsewhere.begin(), elsewhere.end(),
                                  [&](const char* key) { return line.starts_with(key); });
    if (registration && met) lines.append(line).append("\n");
  }
  return lines;
}

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
std::string difference(const std::string& op, const std::string& before) {
  const std::string now = registered(op);
  if (now == before) return {};
  const auto known = linesOf(before);
  for (const std::string_view line : linesOf(now)) {
    if (known.contains(line) || line.find("(inactive)") != std::string_view::npos) continue;
    const std::size_t colon = line.find(": ");
    const std::size_t end = std::min(line.find(" :: "), line.size());
    return fmt::format("the kernel of {} for {} ({})", op, line.substr(0, colon),
                       line.substr(colon + 2, end - colon - 2));
  }
  return fmt::format("the kernels of {}", op);
}

}  // namespace

DispatcherWatch::DispatcherWatch(const std::string& op) : op_(op) {
  for (const char* helper : helpers) before_[helper] = registered(helper);
  if (!op_.empty()) before_[op_] = registered(op_);
}

std::string DispatcherWatch::replacedOwn() const {
  return op_.empty() ? std::string() : difference(op_, before_.at(op_));
}

std::string DispatcherWatch::replaced() const {
  if (std::string own = replacedOwn(); !own.empty()) return own;
  for (const auto& [op, before] : before_)
    if (std::string found = difference(op, before); !found.empty()) return found;
  return {};
}

}  // namespace wb
