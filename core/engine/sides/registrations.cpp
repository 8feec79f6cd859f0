// SPDX-License-Identifier: Apache-2.0
#include "core/engine/sides/registrations.h"

#include <ATen/core/dispatch/Dispatcher.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
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

/// Registrations under these keys are not met by a call without gradients and modes; torch itself adds some
/// of them late.
constexpr std::array elsewhere{"Meta", "Autograd", "Tracer", "FuncTorch", "Batched", "Functionalize"};

/// The keys that a call without gradients meets.
constexpr std::array keys{c10::DispatchKey::CPU, c10::DispatchKey::CUDA, c10::DispatchKey::BackendSelect,
                          c10::DispatchKey::ADInplaceOrView};

/// The first words of an entry, which say what is called. Behind them torch keeps who asked for it.
using Code = std::array<std::uint64_t, 4>;
static_assert(sizeof(c10::KernelFunction) == sizeof(Code) + sizeof(void*));

Code codeOf(const c10::OperatorHandle& op, c10::DispatchKey key) {
  const auto index = static_cast<std::size_t>(c10::getDispatchTableIndexForDispatchKey(key));
  Code code{};
  std::memcpy(code.data(), tableOf(op).data() + index * sizeof(c10::KernelFunction), sizeof code);
  return code;
}

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

struct AllRegistrations::All {
  struct Known {
    c10::OperatorHandle op;
    std::array<Code, keys.size()> code;
  };
  std::vector<Known> operators;
};

AllRegistrations::AllRegistrations() {
  auto all = std::make_shared<All>();
  for (const c10::OperatorName& name : c10::Dispatcher::singleton().getAllOpNames()) {
    const auto op = c10::Dispatcher::singleton().findOp(name);
    if (!op || !name.name.starts_with("aten::")) continue;
    All::Known known{*op, {}};
    for (std::size_t i = 0; i < keys.size(); ++i) known.code[i] = codeOf(*op, keys[i]);
    all->operators.push_back(known);
  }
  all_ = std::move(all);
}

std::string AllRegistrations::replaced() const {
  for (const All::Known& each : all_->operators)
    for (std::size_t i = 0; i < keys.size(); ++i) {
      if (codeOf(each.op, keys[i]) == each.code[i]) continue;
      const char* const key = c10::toString(keys[i]);
      const std::string lines = linesOf(each.op), from = std::string(key) + ": ";
      const std::size_t at = lines.starts_with(from) ? 0 : lines.find("\n" + from);
      std::string words = fmt::format("the kernel of {} for {}", c10::toString(each.op.operator_name()), key);
      if (at == std::string::npos) return words;
      const std::string_view line = std::string_view(lines).substr(lines.find(from, at) + from.size());
      return fmt::format("{} ({})", words, line.substr(0, std::min(line.find(" :: "), line.find('\n'))));
    }
  return {};
}

}  // namespace wb
