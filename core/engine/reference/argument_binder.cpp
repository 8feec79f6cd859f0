// SPDX-License-Identifier: Apache-2.0
#include "core/engine/reference/argument_binder.h"

#include <ATen/core/List.h>
#include <ATen/core/jit_type.h>
#include <ATen/ops/scalar_tensor.h>
#include <c10/core/Layout.h>
#include <c10/core/MemoryFormat.h>
#include <fmt/format.h>

#include <array>
#include <stdexcept>
#include <utility>

#include "core/base/error.h"
#include "core/engine/reference/seed.h"
#include "core/engine/reference/tensor_factory.h"
#include "core/suites/literals/literal_parser.h"

namespace wb {
namespace {

using Kind = Literal::Kind;

[[noreturn]] void doesNotFit(const Literal& value, const c10::Type& type) {
  throw std::invalid_argument(fmt::format("{} does not fit {}", print(value), type.annotation_str()));
}

/// The number of an enumerator that the dispatcher passes as an integer: dtypes, layouts, memory formats.
std::optional<std::int64_t> enumerator(std::string_view name) {
  if (const auto type = scalarType(name)) return static_cast<std::int64_t>(*type);
  for (const std::string_view prefix : {"torch.", "th."})
    if (name.starts_with(prefix)) name.remove_prefix(prefix.size());
  constexpr std::array<std::pair<std::string_view, c10::Layout>, 7> layouts{
      {{"strided", c10::Layout::Strided},
       {"sparse_coo", c10::Layout::Sparse},
       {"sparse_csr", c10::Layout::SparseCsr},
       {"sparse_csc", c10::Layout::SparseCsc},
       {"sparse_bsr", c10::Layout::SparseBsr},
       {"sparse_bsc", c10::Layout::SparseBsc},
       {"jagged", c10::Layout::Jagged}}};
  for (const auto& [known, layout] : layouts)
    if (known == name) return static_cast<std::int64_t>(layout);
  constexpr std::array<std::pair<std::string_view, c10::MemoryFormat>, 4> formats{
      {{"contiguous_format", c10::MemoryFormat::Contiguous},
       {"channels_last", c10::MemoryFormat::ChannelsLast},
       {"channels_last_3d", c10::MemoryFormat::ChannelsLast3d},
       {"preserve_format", c10::MemoryFormat::Preserve}}};
  for (const auto& [known, format] : formats)
    if (known == name) return static_cast<std::int64_t>(format);
  return std::nullopt;
}

std::int64_t integer(const Literal& value, const c10::Type& type) {
  if (value.kind == Kind::integer) return value.integer;
  if (value.kind == Kind::boolean) return value.boolean ? 1 : 0;
  if (value.kind == Kind::symbol || value.kind == Kind::string)
    if (const auto known = enumerator(value.text)) return *known;
  doesNotFit(value, type);
}

double real(const Literal& value, const c10::Type& type) {
  if (value.kind == Kind::real) return value.real;
  if (value.kind == Kind::integer) return static_cast<double>(value.integer);
  if (value.kind == Kind::boolean) return value.boolean ? 1 : 0;
  doesNotFit(value, type);
}

bool boolean(const Literal& value, const c10::Type& type) {
  if (value.kind == Kind::boolean) return value.boolean;
  if (value.kind == Kind::integer) return value.integer != 0;
  doesNotFit(value, type);
}

c10::IValue number(const Literal& value, const c10::Type& type) {
  switch (value.kind) {
    case Kind::integer:
      return value.integer;
    case Kind::boolean:
      return value.boolean;
    case Kind::real:
      return value.real;
    case Kind::complex:
      return c10::complex<double>(value.real, value.imaginary);
    default:
      doesNotFit(value, type);
  }
}

/// A Python number that is given for a tensor: it has no dimensions and is weak in type promotion, as in
/// Python's torch.
at::Tensor wrappedNumber(const at::Scalar& scalar) {
  const at::ScalarType type = scalar.isFloatingPoint() ? at::kDouble
                              : scalar.isComplex()     ? at::kComplexDouble
                              : scalar.isBoolean()     ? at::kBool
                                                       : at::kLong;
  at::Tensor tensor = at::scalar_tensor(scalar, at::TensorOptions().dtype(type));
  tensor.unsafeGetTensorImpl()->set_wrapped_number(true);
  return tensor;
}

template <class T, class Make>
c10::IValue listOf(const Literal& value, std::optional<std::int32_t> size, Make make) {
  c10::List<T> list;
  if (value.kind == Kind::list || value.kind == Kind::tuple) {
    list.reserve(value.items.size());
    for (const Literal& item : value.items) list.push_back(make(item));
  } else {
    // One value for `int[2]` fills both places; in a list without a size it is the only element.
    for (std::int32_t i = 0; i < size.value_or(1); ++i) list.push_back(make(value));
  }
  return list;
}

}  // namespace

c10::IValue ArgumentBinder::bindArgument(const Literal& value, const c10::Argument& argument) {
  argument_ = argument.name();
  return bind(value, argument.type(), argument.N());
}

c10::IValue ArgumentBinder::bind(const Literal& value, const c10::TypePtr& type,
                                 std::optional<std::int32_t> size) {
  using c10::TypeKind;
  switch (type->kind()) {
    case TypeKind::OptionalType:
      if (value.kind == Kind::none) return {};
      return bind(value, type->castRaw<c10::OptionalType>()->getElementType(), size);
    case TypeKind::TensorType:
      return bindTensor(value, *type);
    case TypeKind::IntType:
    case TypeKind::SymIntType:
    case TypeKind::ScalarTypeType:
    case TypeKind::LayoutType:
    case TypeKind::MemoryFormatType:
      return integer(value, *type);
    case TypeKind::FloatType:
    case TypeKind::SymFloatType:
      return real(value, *type);
    case TypeKind::BoolType:
    case TypeKind::SymBoolType:
      return boolean(value, *type);
    case TypeKind::NumberType:
      return number(value, *type);
    case TypeKind::ComplexType:
      return value.kind == Kind::complex ? c10::complex<double>(value.real, value.imaginary)
                                         : c10::complex<double>(real(value, *type), 0);
    case TypeKind::StringType:
      if (value.kind == Kind::string) return value.text;
      doesNotFit(value, *type);
    case TypeKind::DeviceObjType:
      return bindDevice(value, *type);
    case TypeKind::ListType:
      return bindList(value, type->castRaw<c10::ListType>()->getElementType(), size);
    default:
      doesNotFit(value, *type);
  }
}

c10::IValue ArgumentBinder::bindTensor(const Literal& value, const c10::Type& type) {
  if (value.kind == Kind::none) return at::Tensor();
  if (value.kind != Kind::call) return wrappedNumber(number(value, type).toScalar());
  const Result<TensorLiteral> literal = tensorLiteral(value);
  if (!literal) throw std::invalid_argument(literal.error().text);
  return source_({value, *literal, argument_, device_, mixSeeds(seed_, ++tensors_)});
}

c10::IValue ArgumentBinder::bindDevice(const Literal& value, const c10::Type& type) const {
  const Literal* name = &value;
  if (value.kind == Kind::call && value.items.size() == 1) name = &value.items.front();
  if (name->kind != Kind::string) doesNotFit(value, type);
  // In a trace that was recorded on a GPU this means "the device"; it is replayed on the job's device.
  if (name->text.starts_with("cuda")) return device_;
  return c10::Device(name->text);
}

c10::IValue ArgumentBinder::bindList(const Literal& value, const c10::TypePtr& element,
                                     std::optional<std::int32_t> size) {
  using c10::TypeKind;
  if (value.kind == Kind::none) doesNotFit(value, *element);
  switch (element->kind()) {
    case TypeKind::TensorType:
      return listOf<at::Tensor>(value, size,
                                [&](const Literal& item) { return bindTensor(item, *element).toTensor(); });
    case TypeKind::IntType:
    case TypeKind::SymIntType:
      return listOf<std::int64_t>(value, size, [&](const Literal& item) { return integer(item, *element); });
    case TypeKind::FloatType:
      return listOf<double>(value, size, [&](const Literal& item) { return real(item, *element); });
    case TypeKind::BoolType:
      return listOf<bool>(value, size, [&](const Literal& item) { return boolean(item, *element); });
    case TypeKind::StringType:
      return listOf<std::string>(value, size, [&](const Literal& item) { return item.text; });
    default:
      break;
  }
  const auto* optional = element->castRaw<c10::OptionalType>();
  if (optional && optional->getElementType()->kind() == TypeKind::TensorType)
    return listOf<std::optional<at::Tensor>>(value, size, [&](const Literal& item) {
      return item.kind == Kind::none
                 ? std::optional<at::Tensor>()
                 : std::optional<at::Tensor>(bindTensor(item, *optional->getElementType()).toTensor());
    });
  c10::impl::GenericList list(element);
  for (const Literal& item : value.items) list.push_back(bind(item, element, std::nullopt));
  return list;
}

}  // namespace wb
