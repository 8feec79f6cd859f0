// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/backendbench/serialize_args.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/model/operators/dtype.h"
#include "core/suites/literals/literal_parser.h"
#include "core/suites/literals/python_string.h"

namespace wb {
namespace {

using Kind = Literal::Kind;

/// Whether torch's is_contiguous() is true: dimensions of one element do not matter, and a tensor without
/// elements always is.
bool contiguous(const TensorLiteral& tensor) {
  if (!tensor.strided) return true;
  for (const std::int64_t size : tensor.shape)
    if (size == 0) return true;
  std::int64_t expected = 1;
  for (std::size_t i = tensor.shape.size(); i-- > 0;) {
    if (tensor.shape[i] == 1) continue;
    if (tensor.stride[i] != expected) return false;
    expected *= tensor.shape[i];
  }
  return true;
}

std::string tensorText(const TensorLiteral& tensor) {
  const std::string dtype(findDType(tensor.dtype)->abbreviation);
  if (contiguous(tensor)) return fmt::format("T([{}], {})", fmt::join(tensor.shape, ", "), dtype);
  return fmt::format("T([{}], {}, [{}])", fmt::join(tensor.shape, ", "), dtype,
                     fmt::join(tensor.stride, ", "));
}

std::string symbolText(const std::string& symbol) {
  if (const DType* dtype = findDType(symbol)) return fmt::format("torch.{}", dtype->torchName);
  return symbol.starts_with("th.") ? "torch." + symbol.substr(3) : symbol;
}

std::string valueText(const Literal& value);

std::string itemsText(const std::vector<Literal>& items, std::string_view last) {
  std::string text;
  for (std::size_t i = 0; i < items.size(); ++i) text += (i > 0 ? ", " : "") + valueText(items[i]);
  return text.append(items.empty() ? "" : last);
}

std::string valueText(const Literal& value) {
  switch (value.kind) {
    case Kind::list:
      return "[" + itemsText(value.items, "") + "]";
    case Kind::tuple:
      return "(" + itemsText(value.items, value.items.size() == 1 ? "," : "") + ")";
    case Kind::symbol:
      return symbolText(value.text);
    case Kind::call:
      if (const auto tensor = tensorLiteral(value)) return tensorText(*tensor);
      if (value.text == "torch.device" && value.items.size() == 1)
        return fmt::format("device(type={})", print(value.items[0]));
      return print(value);
    default:
      return print(value);
  }
}

}  // namespace

Result<std::string> serializeArgs(const std::string& args) {
  WB_TRY(auto call, parseLiteral(args));
  const bool shaped = call.kind == Kind::tuple && call.items.size() == 2 &&
                      (call.items[0].kind == Kind::tuple || call.items[0].kind == Kind::list) &&
                      call.items[1].kind == Kind::dict;
  if (!shaped)
    return Error{Stage::job, fmt::format("\"{}\" are no arguments of a call", args.substr(0, 100)),
                 "they look like ((T([2], f32),), {})"};
  std::string keywords;
  const std::vector<Literal>& pairs = call.items[1].items;
  for (std::size_t i = 0; i + 1 < pairs.size(); i += 2)
    keywords += fmt::format("{}{}: {}", i > 0 ? ", " : "", valueText(pairs[i]), valueText(pairs[i + 1]));
  return fmt::format("(({}), {{{}}})", itemsText(call.items[0].items, ","), keywords);
}

}  // namespace wb
