// SPDX-License-Identifier: Apache-2.0
#include "core/engine/guest/values.h"

#include <ATen/core/List.h>
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <string_view>

namespace wb {
namespace {

enum class Tag : std::uint8_t {
  none,
  boolean,
  integer,
  real,
  complex,
  text,
  device,
  tensor,
  undefined,
  integers,
  reals,
  booleans,
  tensors,
  optionalTensors,
  list,
  tuple,
};

constexpr std::uint32_t mostDimensions = 64;
constexpr std::int64_t mostBytes = std::int64_t{1} << 46;
constexpr int deepest = 4;
constexpr std::size_t longestText = 4000, longestTrace = 12000;

bool isOrdinary(at::ScalarType type) {
  if (type < at::ScalarType::Byte || type >= at::ScalarType::NumOptions) return false;
  return !at::isQIntType(type) && !at::isBitsType(type) && type != at::ScalarType::Undefined;
}

using WriteTensor = std::function<void(ByteWriter&, const at::Tensor&)>;
using ReadTensor = std::function<at::Tensor(ByteReader&)>;

void writeTensor(ByteWriter& to, const at::Tensor& value, const WriteTensor& tensor) {
  to.put(value.defined() ? Tag::tensor : Tag::undefined);
  if (value.defined()) tensor(to, value);
}

template <class List, class Each>
void writeList(ByteWriter& to, Tag tag, const List& list, const Each& each) {
  to.put(tag);
  to.put(static_cast<std::uint32_t>(list.size()));
  for (const auto& item : list) each(item);
}

at::Tensor readTensorOf(ByteReader& from, const ReadTensor& tensor) {
  const Tag tag = from.get<Tag>();
  if (tag == Tag::tensor) return tensor(from);
  if (tag != Tag::undefined && tag != Tag::none) from.fail();
  return {};
}

c10::TypePtr elementOf(const c10::TypePtr& type) {
  if (!type) return nullptr;
  if (const auto optional = type->cast<c10::OptionalType>()) return elementOf(optional->getElementType());
  if (const auto list = type->cast<c10::ListType>()) return list->getElementType();
  return nullptr;
}

c10::IValue readAt(ByteReader& from, const c10::TypePtr& type, const ReadTensor& tensor, int depth);

c10::IValue readItems(ByteReader& from, Tag tag, const c10::TypePtr& type, const ReadTensor& tensor,
                      int depth) {
  const std::size_t size = from.count(1);
  std::vector<c10::IValue> items;
  const c10::TypePtr element = elementOf(type);
  for (std::size_t i = 0; i < size && !from.bad(); ++i)
    items.push_back(readAt(from, element, tensor, depth + 1));
  if (tag == Tag::tuple) return c10::ivalue::Tuple::create(std::move(items));
  c10::impl::GenericList list(element ? element : c10::TypePtr(c10::AnyType::get()));
  for (c10::IValue& item : items) list.push_back(std::move(item));
  return list;
}

template <class T>
c10::IValue readNumbers(ByteReader& from) {
  c10::List<T> list;
  const std::size_t size = from.count(sizeof(T));
  for (std::size_t i = 0; i < size; ++i) {
    if constexpr (std::is_same_v<T, bool>)
      list.push_back(from.get<std::uint8_t>() != 0);
    else
      list.push_back(from.get<T>());
  }
  return list;
}

c10::IValue readAt(ByteReader& from, const c10::TypePtr& type, const ReadTensor& tensor, int depth) {
  const Tag tag = from.get<Tag>();
  if (depth > deepest) from.fail();
  switch (tag) {
    case Tag::none:
      return {};
    case Tag::boolean:
      return from.get<std::uint8_t>() != 0;
    case Tag::integer:
      return from.get<std::int64_t>();
    case Tag::real:
      return from.get<double>();
    case Tag::complex: {
      const double real = from.get<double>();
      return c10::complex<double>(real, from.get<double>());
    }
    case Tag::text:
      return from.text();
    case Tag::device: {
      const auto kind = static_cast<at::DeviceType>(from.get<std::int8_t>());
      const auto index = from.get<std::int8_t>();
      if (kind == at::kCUDA && index >= 0) return at::Device(kind, index);
      return at::Device(kind == at::kMeta ? at::kMeta : at::kCPU);
    }
    case Tag::tensor:
      return tensor(from);
    case Tag::undefined:
      return at::Tensor();
    case Tag::integers:
      return readNumbers<std::int64_t>(from);
    case Tag::reals:
      return readNumbers<double>(from);
    case Tag::booleans:
      return readNumbers<bool>(from);
    case Tag::tensors: {
      c10::List<at::Tensor> list;
      const std::size_t size = from.count(1);
      for (std::size_t i = 0; i < size && !from.bad(); ++i) list.push_back(readTensorOf(from, tensor));
      return list;
    }
    case Tag::optionalTensors: {
      c10::List<std::optional<at::Tensor>> list;
      const std::size_t size = from.count(1);
      for (std::size_t i = 0; i < size && !from.bad(); ++i) {
        at::Tensor item = readTensorOf(from, tensor);
        list.push_back(item.defined() ? std::optional(std::move(item)) : std::nullopt);
      }
      return list;
    }
    case Tag::list:
    case Tag::tuple:
      return readItems(from, tag, type, tensor, depth);
  }
  from.fail();
  return {};
}

}  // namespace

std::string whyNotShared(const at::Tensor& tensor) {
  if (tensor.layout() != at::kStrided) return "it is not strided";
  if (!tensor.device().is_cpu() && !tensor.is_cuda()) return "it is on " + tensor.device().str();
  if (!isOrdinary(tensor.scalar_type())) return std::string("its type is ") + toString(tensor.scalar_type());
  return {};
}

void writeShape(ByteWriter& to, const at::Tensor& tensor) {
  to.put(static_cast<std::int8_t>(tensor.scalar_type()));
  to.put(static_cast<std::uint8_t>((tensor.is_conj() ? 1 : 0) | (tensor.is_neg() ? 2 : 0) |
                                   (tensor.unsafeGetTensorImpl()->is_wrapped_number() ? 4 : 0) |
                                   (tensor.is_cuda() ? 8 : 0)));
  to.put(static_cast<std::uint32_t>(tensor.dim()));
  for (const std::int64_t size : tensor.sizes()) to.put(size);
  for (const std::int64_t stride : tensor.strides()) to.put(stride);
}

TensorShape readShape(ByteReader& from) {
  TensorShape shape;
  shape.type = static_cast<at::ScalarType>(from.get<std::int8_t>());
  const auto bits = from.get<std::uint8_t>();
  shape.conjugate = (bits & 1) != 0;
  shape.negative = (bits & 2) != 0;
  shape.wrapped = (bits & 4) != 0;
  shape.onDevice = (bits & 8) != 0;
  const std::size_t dimensions = from.count(2 * sizeof(std::int64_t));
  for (std::size_t i = 0; i < dimensions; ++i) shape.sizes.push_back(from.get<std::int64_t>());
  for (std::size_t i = 0; i < dimensions; ++i) shape.strides.push_back(from.get<std::int64_t>());
  const bool complex = isOrdinary(shape.type) && at::isComplexType(shape.type);
  if (!isOrdinary(shape.type) || dimensions > mostDimensions || (shape.conjugate && !complex) ||
      (shape.wrapped && dimensions > 0) || extentBytes(shape) < 0)
    from.fail();
  return from.bad() ? TensorShape{at::kByte, {0}, {1}} : shape;
}

std::int64_t extentBytes(const TensorShape& shape) {
  std::int64_t last = 0, elements = 1;
  for (std::size_t i = 0; i < shape.sizes.size(); ++i) {
    const std::int64_t size = shape.sizes[i], stride = shape.strides[i];
    if (size < 0 || stride < 0 || size > mostBytes || stride > mostBytes) return -1;
    std::int64_t reach = 0;
    if (__builtin_mul_overflow(elements, size, &elements) || elements > mostBytes) return -1;
    if (size > 0 && (__builtin_mul_overflow(size - 1, stride, &reach) || reach > mostBytes)) return -1;
    last += reach;
    if (last > mostBytes) return -1;
  }
  const auto item = static_cast<std::int64_t>(c10::elementSize(shape.type));
  return elements == 0 ? 0 : (last + 1) * item;
}

void write(ByteWriter& to, const c10::IValue& value, const WriteTensor& tensor) {
  const auto put = [&to](Tag tag, auto what) {
    to.put(tag);
    to.put(what);
  };
  if (value.isNone()) return to.put(Tag::none);
  if (value.isTensor()) return writeTensor(to, value.toTensor(), tensor);
  if (value.isBool()) return put(Tag::boolean, static_cast<std::uint8_t>(value.toBool()));
  if (value.isInt()) return put(Tag::integer, value.toInt());
  if (value.isDouble()) return put(Tag::real, value.toDouble());
  if (value.isComplexDouble()) {
    put(Tag::complex, value.toComplexDouble().real());
    return to.put(value.toComplexDouble().imag());
  }
  if (value.isString()) {
    to.put(Tag::text);
    return to.text(value.toStringRef());
  }
  if (value.isDevice()) {
    put(Tag::device, static_cast<std::int8_t>(value.toDevice().type()));
    return to.put(static_cast<std::int8_t>(value.toDevice().index()));
  }
  const auto number = [&to](const auto& item) { to.put(item); };
  if (value.isIntList()) return writeList(to, Tag::integers, value.toIntVector(), number);
  if (value.isDoubleList()) return writeList(to, Tag::reals, value.toDoubleVector(), number);
  if (value.isBoolList())
    return writeList(to, Tag::booleans, value.toBoolList().vec(),
                     [&to](bool item) { to.put(static_cast<std::uint8_t>(item)); });
  if (value.isTensorList())
    return writeList(to, Tag::tensors, value.toTensorVector(),
                     [&](const at::Tensor& item) { writeTensor(to, item, tensor); });
  if (value.isOptionalTensorList())
    return writeList(
        to, Tag::optionalTensors, value.toOptionalTensorVector(),
        [&](const std::optional<at::Tensor>& item) { writeTensor(to, item ? *item : at::Tensor(), tensor); });
  const auto item = [&](const c10::IValue& each) { write(to, each, tensor); };
  if (value.isTuple()) return writeList(to, Tag::tuple, value.toTupleRef().elements(), item);
  if (value.isList()) return writeList(to, Tag::list, value.toListRef(), item);
  throw std::runtime_error("a value of type " + value.tagKind() + " cannot go to another process");
}

c10::IValue readValue(ByteReader& from, const c10::TypePtr& type, const ReadTensor& tensor) {
  return readAt(from, type, tensor, 0);
}

void write(ByteWriter& to, const Error& error) {
  to.put(error.stage);
  to.text(std::string_view(error.text).substr(0, longestText));
  to.text(std::string_view(error.hint).substr(0, longestText));
  to.text(std::string_view(error.place.file).substr(0, longestText));
  to.put(error.place.line);
  to.put(error.place.column);
  to.text(std::string_view(error.type).substr(0, longestText));
  to.text(std::string_view(error.trace).substr(0, longestTrace));
}

Error readError(ByteReader& from) {
  Error error;
  const auto stage = from.get<Stage>();
  error.stage = stage == Stage::compile ? Stage::compile : Stage::check;
  error.text = from.text(longestText);
  error.hint = from.text(longestText);
  error.place.file = from.text(longestText);
  error.place.line = std::max(from.get<int>(), 0);
  error.place.column = std::max(from.get<int>(), 0);
  error.type = from.text(longestText);
  error.trace = from.text(longestTrace);
  return error;
}

}  // namespace wb
