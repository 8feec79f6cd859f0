// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <limits>
#include <numeric>

#include "core/model/operators/dtype.h"
#include "core/suites/literals/literal_parser.h"

namespace wb {
namespace {

using Kind = Literal::Kind;

constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max();

Error errorAt(const Literal& literal, std::string what) {
  return Error{Stage::job, std::move(what), "", Place{"", 0, static_cast<int>(literal.offset) + 1}};
}

Result<std::vector<std::int64_t>> sizes(const Literal& literal, std::string_view what) {
  if (literal.kind != Kind::list && literal.kind != Kind::tuple)
    return errorAt(literal, fmt::format("the {} of a tensor is a list of integers", what));
  std::vector<std::int64_t> values;
  for (const Literal& item : literal.items) {
    if (item.kind != Kind::integer)
      return errorAt(item, fmt::format("the {} of a tensor is a list of integers", what));
    if (item.integer < 0) return errorAt(item, fmt::format("a negative {} in a tensor", what));
    values.push_back(item.integer);
  }
  return values;
}

std::int64_t saturatingMultiply(std::int64_t a, std::int64_t b) {
  std::int64_t product = 0;
  return __builtin_mul_overflow(a, b, &product) ? largest : product;
}
std::int64_t saturatingAdd(std::int64_t a, std::int64_t b) {
  std::int64_t sum = 0;
  return __builtin_add_overflow(a, b, &sum) ? largest : sum;
}

/// The elements of the buffer that a tensor lies in: 1 + Σ (size − 1)·stride where it has strides.
std::int64_t extent(const TensorLiteral& tensor) {
  for (const std::int64_t size : tensor.shape) {
    if (size == 0) return 0;
  }
  std::int64_t elements = 1;
  for (std::size_t i = 0; i < tensor.shape.size(); ++i) {
    elements = tensor.strided
                   ? saturatingAdd(elements, saturatingMultiply(tensor.shape[i] - 1, tensor.stride[i]))
                   : saturatingMultiply(elements, tensor.shape[i]);
  }
  return elements;
}

/// The bytes of all tensors in the arguments; `elements` says how many elements a tensor has.
template <class Elements>
std::int64_t sumOverTensors(const Literal& args, const Elements& elements) {
  std::int64_t bytes = 0;
  if (args.kind == Kind::call && args.text == "T") {
    if (const auto tensor = tensorLiteral(args))
      bytes =
          saturatingMultiply(elements(*tensor), static_cast<std::int64_t>(findDType(tensor->dtype)->bytes));
    return bytes;
  }
  for (const Literal& item : args.items) bytes = saturatingAdd(bytes, sumOverTensors(item, elements));
  for (const Literal& value : args.keywords) bytes = saturatingAdd(bytes, sumOverTensors(value, elements));
  return bytes;
}

Result<void> readStride(const Literal& literal, TensorLiteral& tensor) {
  if (literal.kind == Kind::none) return {};
  WB_TRY(auto stride, sizes(literal, "stride"));
  if (stride.size() != tensor.shape.size())
    return errorAt(literal, fmt::format("{} strides for {} dimensions", stride.size(), tensor.shape.size()));
  tensor.strided = true;
  tensor.stride = std::move(stride);
  return {};
}

}  // namespace

Result<TensorLiteral> tensorLiteral(const Literal& call) {
  if (call.kind != Kind::call || call.text != "T") return errorAt(call, "expected a tensor: T([2, 3], f32)");
  const Literal *shape = nullptr, *dtype = nullptr, *stride = nullptr;
  const Literal** positions[] = {&shape, &dtype, &stride};
  if (call.items.size() > 4) return errorAt(call.items[4], "a tensor takes shape, dtype, stride and device");
  for (std::size_t i = 0; i < call.items.size() && i < 3; ++i) *positions[i] = &call.items[i];
  for (const Literal& value : call.keywords) {
    const std::string& keyword = value.keyword;
    const Literal** slot = keyword == "dtype" ? &dtype : keyword == "stride" ? &stride : nullptr;
    if (keyword == "device" && call.items.size() < 4) continue;  // the job decides on which device it lies
    if (!slot || *slot)
      return errorAt(
          value, fmt::format("\"{}\" {}", keyword,
                             slot || keyword == "device" ? "is given twice" : "is no argument of a tensor"));
    *slot = &value;
  }
  if (!shape || !dtype) return errorAt(call, "a tensor needs a shape and a dtype: T([2, 3], f32)");

  TensorLiteral tensor;
  WB_TRY(tensor.shape, sizes(*shape, "shape"));
  if (dtype->kind != Kind::symbol || !findDType(dtype->text))
    return errorAt(*dtype, fmt::format("\"{}\" is no dtype", print(*dtype).substr(0, 100)));
  tensor.dtype = dtype->text;
  if (stride) {
    WB_DO(readStride(*stride, tensor));
  }
  return tensor;
}

std::int64_t tensorBytes(const Literal& args) {
  return sumOverTensors(args, extent);
}

std::int64_t elementBytes(const Literal& args) {
  return sumOverTensors(args, [](const TensorLiteral& tensor) {
    return std::accumulate(tensor.shape.begin(), tensor.shape.end(), std::int64_t{1}, saturatingMultiply);
  });
}

}  // namespace wb
