// SPDX-License-Identifier: Apache-2.0
#include "core/suites/literals/editable_call.h"

#include <algorithm>
#include <utility>

#include "core/suites/literals/literal_parser.h"

namespace wb {
namespace {

using Kind = Literal::Kind;

bool isTensor(const Literal& literal) {
  return literal.kind == Kind::call && literal.text == "T";
}

bool isIntegerList(const Literal& literal) {
  return (literal.kind == Kind::list || literal.kind == Kind::tuple) && !literal.items.empty() &&
         std::all_of(literal.items.begin(), literal.items.end(),
                     [](const Literal& item) { return item.kind == Kind::integer; });
}

Literal integer(std::int64_t value) {
  Literal made;
  made.kind = Kind::integer;
  made.integer = value;
  return made;
}

Literal listOf(const std::vector<std::int64_t>& values) {
  Literal made;
  made.kind = Kind::list;
  for (const std::int64_t value : values) made.items.push_back(integer(value));
  return made;
}

Literal literalOf(const TensorLiteral& tensor) {
  Literal made, dtype;
  made.kind = Kind::call;
  made.text = "T";
  dtype.kind = Kind::symbol;
  dtype.text = tensor.dtype;
  made.items = {listOf(tensor.shape), std::move(dtype)};
  if (tensor.strided) made.items.push_back(listOf(tensor.stride));
  return made;
}

/// Visits what can be edited, in the text's order. `call` is the pair of arguments; its own tuple of
/// positional arguments does not count as a list of integers, whatever is in it.
template <class Call, class OnTensor, class OnList, class OnInteger>
void walk(Call& literal, int depth, const OnTensor& onTensor, const OnList& onList,
          const OnInteger& onInteger) {
  if (isTensor(literal)) return onTensor(literal);
  if (depth > 1 && isIntegerList(literal)) return onList(literal);
  if (literal.kind == Kind::integer) return onInteger(literal);
  for (auto& item : literal.items) walk(item, depth + 1, onTensor, onList, onInteger);
}

}  // namespace

Result<EditableCall> editCall(std::string_view args) {
  WB_TRY(auto literal, parseLiteral(args));
  EditableCall call;
  call.literal = std::move(literal);
  Result<void> read;
  walk(
      std::as_const(call.literal), 0,
      [&](const Literal& each) {
        auto tensor = tensorLiteral(each);
        if (tensor)
          call.tensors.push_back(*std::move(tensor));
        else
          read = std::move(tensor).error();
      },
      [&](const Literal& each) {
        auto& list = call.integerLists.emplace_back();
        for (const Literal& item : each.items) list.push_back(item.integer);
      },
      [&](const Literal& each) { call.integers.push_back(each.integer); });
  if (!read) return read.error();
  return call;
}

std::string text(const EditableCall& call) {
  Literal edited = call.literal;
  std::size_t tensor = 0, list = 0;
  walk(
      edited, 0, [&](Literal& each) { each = literalOf(call.tensors[tensor++]); },
      [&](Literal& each) {
        const auto& values = call.integerLists[list++];
        each.items.clear();
        for (const std::int64_t value : values) each.items.push_back(integer(value));
      },
      [](Literal&) {});
  return print(edited);
}

std::vector<std::int64_t> contiguousStrides(const std::vector<std::int64_t>& shape) {
  std::vector<std::int64_t> strides(shape.size(), 1);
  for (std::size_t i = shape.size(); i-- > 1;)
    strides[i - 1] = strides[i] * std::max<std::int64_t>(shape[i], 1);
  return strides;
}

}  // namespace wb
