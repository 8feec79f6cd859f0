// SPDX-License-Identifier: Apache-2.0
#include "core/engine/check/shared_memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "core/engine/check/compare/outputs.h"

namespace wb {
namespace {

/// The tensors in a value, however deep.
void tensorsOf(const c10::IValue& value, std::vector<at::Tensor>& into) {
  if (value.isTensor()) {
    if (value.toTensor().defined()) into.push_back(value.toTensor());
  } else if (isSequence(value)) {
    for (const c10::IValue& item : itemsOf(value)) tensorsOf(item, into);
  }
}

std::vector<at::Tensor> tensorsOf(const c10::IValue& value) {
  std::vector<at::Tensor> tensors;
  tensorsOf(value, tensors);
  return tensors;
}

bool anyShared(const c10::IValue& a, const c10::IValue& b) {
  for (const at::Tensor& left : tensorsOf(a))
    for (const at::Tensor& right : tensorsOf(b))
      if (sharesMemory(left, right)) return true;
  return false;
}

/// The argument that a return of the schema is, marked by `Tensor(a!)` on both sides.
std::optional<std::size_t> argumentOf(const c10::FunctionSchema& schema, const c10::AliasInfo& returned) {
  for (std::size_t i = 0; i < schema.arguments().size(); ++i) {
    const c10::AliasInfo* alias = schema.arguments()[i].alias_info();
    if (alias && alias->isWrite() && alias->beforeSets() == returned.beforeSets()) return i;
  }
  return std::nullopt;
}

}  // namespace

bool sharesMemory(const at::Tensor& a, const at::Tensor& b) {
  if (!a.has_storage() || !b.has_storage() || a.device() != b.device()) return false;
  const auto begin = [](const at::Tensor& tensor) {
    return static_cast<const char*>(tensor.storage().data());
  };
  const char *left = begin(a), *right = begin(b);
  if (!left || !right || a.storage().nbytes() == 0 || b.storage().nbytes() == 0) return false;
  return left < right + b.storage().nbytes() && right < left + a.storage().nbytes();
}

SharedArguments sharedArguments(const CallResults& call) {
  SharedArguments shared;
  for (const c10::IValue& result : call.results) {
    std::vector<bool>& arguments = shared.emplace_back();
    for (const c10::IValue& argument : call.arguments) arguments.push_back(anyShared(result, argument));
  }
  return shared;
}

std::string forbiddenAlias(const c10::FunctionSchema& schema, const CallResults& candidate,
                           const SharedArguments& reference) {
  const auto& returns = schema.returns();
  const std::size_t count = std::min({returns.size(), candidate.results.size(), reference.size()});
  for (std::size_t r = 0; r < count; ++r) {
    if (returns[r].alias_info()) continue;
    for (std::size_t i = 0; i < candidate.arguments.size(); ++i) {
      if (!anyShared(candidate.results[r], candidate.arguments[i])) continue;
      if (i < reference[r].size() && reference[r][i]) continue;
      return fmt::format("output {} shares memory with input '{}'", r, schema.arguments()[i].name());
    }
  }
  return {};
}

std::string missingAlias(const c10::FunctionSchema& schema, const CallResults& candidate) {
  const auto& returns = schema.returns();
  for (std::size_t r = 0; r < returns.size() && r < candidate.results.size(); ++r) {
    const c10::AliasInfo* alias = returns[r].alias_info();
    if (!alias || !alias->isWrite() || !candidate.results[r].isTensor()) continue;
    const std::optional<std::size_t> argument = argumentOf(schema, *alias);
    if (!argument || !candidate.arguments[*argument].isTensor()) continue;
    const at::Tensor &got = candidate.results[r].toTensor(), &own = candidate.arguments[*argument].toTensor();
    if (!got.defined() || !own.defined() || got.is_same(own)) continue;
    if (sharesMemory(got, own) && got.storage_offset() == own.storage_offset()) continue;
    if (own.numel() == 0 && got.numel() == 0) continue;
    return fmt::format("output {} must be argument '{}' itself, and is another tensor", r,
                       schema.arguments()[*argument].name());
  }
  return {};
}

}  // namespace wb
