// SPDX-License-Identifier: Apache-2.0
#include "core/model/ran.h"

#include <algorithm>

namespace wb {

namespace {

/// What all variants of an operator have in common: neither its overload, nor the mark of its in-place
/// variant, nor that of the one for lists of tensors. "aten::add_.Tensor" and "aten::_foreach_add.List" give
/// "add".
std::string base(std::string_view op) {
  constexpr std::string_view aten = "aten::", forLists = "_foreach_";
  op = op.substr(0, op.find('.'));
  if (op.ends_with('_') && !op.ends_with("__")) op.remove_suffix(1);
  if (op.starts_with(aten)) op.remove_prefix(aten.size());
  if (op.starts_with(forLists)) op.remove_prefix(forLists.size());
  return std::string(op);
}

bool isSame(const RanPart& a, const RanPart& b) {
  return a.owner == b.owner && a.name == b.name;
}

}  // namespace

std::string delegatedTo(std::string_view op, std::span<const RanPart> ran) {
  const std::string asked = base(op);
  const auto found = std::find_if(ran.begin(), ran.end(), [&](const RanPart& part) {
    return part.owner != ownedByKernel && !asked.empty() && base(part.name) == asked;
  });
  return found == ran.end() ? std::string() : found->name;
}

std::vector<RanPart> overTwoCalls(const std::vector<RanPart>& first, std::vector<RanPart> second) {
  for (const RanPart& part : first) {
    const bool known =
        std::any_of(second.begin(), second.end(), [&](const RanPart& other) { return isSame(part, other); });
    if (known) continue;
    second.push_back(part);
    second.back().seconds = 0;
  }
  return second;
}

void keepLargest(std::vector<RanPart>& parts, std::string_view op, std::size_t most) {
  const std::string delegated = delegatedTo(op, parts);
  const auto rank = [&](const RanPart& part) { return !delegated.empty() && part.name == delegated; };
  std::stable_sort(parts.begin(), parts.end(),
                   [](const RanPart& a, const RanPart& b) { return a.seconds > b.seconds; });
  if (parts.size() <= most) return;
  // The one delegated to is kept, in the last place at the latest.
  const auto kept = std::find_if(parts.begin(), parts.end(), rank);
  const auto last = parts.begin() + static_cast<std::ptrdiff_t>(most) - 1;
  if (kept != parts.end() && kept > last) std::iter_swap(kept, last);
  parts.resize(most);
}

}  // namespace wb
