// SPDX-License-Identifier: Apache-2.0
#include "core/engine/sides/registrations.h"

#include <ATen/core/dispatch/Dispatcher.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

namespace wb {

namespace {

// Where torch keeps an operator's table. To ask for the kernels one by one leaves memory behind for each that
// is asked for (KernelFunction::registerToken), and a worker that serves others asks millions of times. An
// explicit instantiation may name private members, and the compiler sees whether they are there.
template <auto definition, auto table>
struct TableOf {
  friend std::span<const std::byte> tableOf(const c10::OperatorHandle& op) {
    return std::as_bytes(std::span((op.*definition)->op.*table));
  }
};
template struct TableOf<&c10::OperatorHandle::operatorDef_, &c10::impl::OperatorEntry::dispatchTable_>;
std::span<const std::byte> tableOf(const c10::OperatorHandle& op);

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

/// Registrations under these keys are not met by a call without gradients and modes; torch itself adds some
/// of them late.
constexpr std::array elsewhere{"Meta", "Autograd", "Tracer", "FuncTorch", "Batched", "Functionalize"};

std::optional<c10::OperatorHandle> handleOf(const std::string& op) {
  const std::size_t dot = op.find('.');
  const c10::OperatorName name(op.substr(0, dot), dot == std::string::npos ? "" : op.substr(dot + 1));
  return c10::Dispatcher::singleton().findOp(name);
}

std::string linesOf(const c10::OperatorHandle& op) {
  const std::string state = op.dumpState();
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

}  // namespace

Registrations::Lines Registrations::lines() {
  const auto found = handleOf(op_);
  const std::span<const std::byte> table = found ? tableOf(*found) : std::span<const std::byte>();
  const bool isSame =
      table.size() == table_.size() && std::memcmp(table.data(), table_.data(), table.size()) == 0;
  if (lines_ && isSame) return lines_;
  std::string now = found ? linesOf(*found) : std::string();
  table_.assign(table.begin(), table.end());
  if (!lines_ || *lines_ != now) lines_ = std::make_shared<const std::string>(std::move(now));
  return lines_;
}

std::vector<Registrations> registrationsOfHelpers() {
  std::vector<Registrations> all;
  for (const char* const name : helpers) all.emplace_back(name);
  return all;
}

}  // namespace wb
