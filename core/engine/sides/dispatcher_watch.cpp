// SPDX-License-Identifier: Apache-2.0
#include "core/engine/sides/dispatcher_watch.h"

#include <ATen/core/dispatch/Dispatcher.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <string_view>

namespace wb {

namespace {

/// What is called to make inputs, to widen, to compare, and to look for trivial answers.
constexpr std::array helpers{"aten::clone",
                             "aten::copy_",
                             "aten::_to_copy",
                             "aten::empty_strided",
                             "aten::empty.memory_format",
                             "aten::zero_",
                             "aten::fill_.Scalar",
                             "aten::fill_.Tensor",
                             "aten::zeros",
                             "aten::full",
                             "aten::arange.start_step",
                             "aten::scalar_tensor",
                             "aten::eq.Tensor",
                             "aten::eq.Scalar",
                             "aten::ne.Tensor",
                             "aten::ne.Scalar",
                             "aten::gt.Tensor",
                             "aten::gt.Scalar",
                             "aten::le.Tensor",
                             "aten::le.Scalar",
                             "aten::lt.Tensor",
                             "aten::lt.Scalar",
                             "aten::ge.Tensor",
                             "aten::ge.Scalar",
                             "aten::add.Tensor",
                             "aten::sub.Tensor",
                             "aten::mul.Tensor",
                             "aten::div.Tensor",
                             "aten::abs",
                             "aten::isclose",
                             "aten::equal",
                             "aten::isnan",
                             "aten::isfinite",
                             "aten::isinf",
                             "aten::where.self",
                             "aten::logical_and",
                             "aten::logical_or",
                             "aten::logical_not",
                             "aten::bitwise_xor.Tensor",
                             "aten::stack",
                             "aten::cat",
                             "aten::max",
                             "aten::min",
                             "aten::amax",
                             "aten::sum",
                             "aten::sum.dim_IntList",
                             "aten::mean",
                             "aten::any",
                             "aten::all",
                             "aten::argmax",
                             "aten::nonzero",
                             "aten::index.Tensor",
                             "aten::index_select",
                             "aten::roll",
                             "aten::_local_scalar_dense",
                             "aten::normal_",
                             "aten::uniform_",
                             "aten::random_",
                             "aten::random_.from",
                             "aten::randperm",
                             "aten::bernoulli_.float",
                             "aten::as_strided",
                             "aten::view",
                             "aten::expand",
                             "aten::slice.Tensor",
                             "aten::select.int",
                             "aten::_conj_physical",
                             "aten::view_as_real"};

/// The keys that a call on plain tensors meets. Looking at these alone is cheap.
constexpr std::array metKeys{c10::DispatchKey::CPU, c10::DispatchKey::CUDA, c10::DispatchKey::BackendSelect};

/// Registrations under these keys are not met by a call without gradients and modes; torch itself adds some
/// of them late.
constexpr std::array elsewhere{"Meta", "Autograd", "Tracer", "FuncTorch", "Batched", "Functionalize"};

std::optional<c10::OperatorHandle> handleOf(const std::string& op) {
  const std::size_t dot = op.find('.');
  const c10::OperatorName name(op.substr(0, dot), dot == std::string::npos ? "" : op.substr(dot + 1));
  return c10::Dispatcher::singleton().findOp(name);
}

std::string registered(const std::string& op) {
  const auto found = handleOf(op);
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

/// Where the kernels were registered that a call meets now.
std::string metNow(const c10::OperatorHandle& op) {
  std::string places;
  for (const c10::DispatchKey key : metKeys)
    if (op.hasComputedKernelForDispatchKey(key))
      places.append(op.getComputedKernelForDispatchKey(key).debug()).append("\n");
  return places;
}

}  // namespace

DispatcherWatch::DispatcherWatch(const std::string& op) : op_(op) {
  std::vector<std::string> names(helpers.begin(), helpers.end());
  if (!op_.empty()) names.push_back(op_);
  for (const std::string& name : names) {
    before_[name] = registered(name);
    if (const auto found = handleOf(name)) met_.push_back({*found, metNow(*found)});
  }
}

std::string DispatcherWatch::replacedInCall() const {
  const bool same =
      std::all_of(met_.begin(), met_.end(), [](const Met& each) { return metNow(each.op) == each.places; });
  return same ? std::string() : replaced();
}

std::string DispatcherWatch::replaced() const {
  if (std::string own = op_.empty() ? std::string() : difference(op_, before_.at(op_)); !own.empty())
    return own;
  for (const auto& [op, before] : before_)
    if (std::string found = difference(op, before); !found.empty()) return found;
  return {};
}

}  // namespace wb
