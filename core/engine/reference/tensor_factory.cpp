// SPDX-License-Identifier: Apache-2.0
#include "core/engine/reference/tensor_factory.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/Context.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_strided.h>
#include <ATen/ops/view_as_real.h>

#include <array>
#include <stdexcept>
#include <string>
#include <utility>

#include "core/engine/reference/tensor_source.h"
#include "core/model/operators/dtype.h"

namespace wb {
namespace {

/// A GPU draws the values itself when there are more elements than this.
constexpr std::int64_t elementsDrawnOnCpu = std::int64_t{1} << 20;

constexpr std::array<std::pair<std::string_view, at::ScalarType>, 23> typesByTorchName{{
    {"float64", at::kDouble},
    {"float32", at::kFloat},
    {"float16", at::kHalf},
    {"bfloat16", at::kBFloat16},
    {"complex32", at::kComplexHalf},
    {"complex64", at::kComplexFloat},
    {"complex128", at::kComplexDouble},
    {"int64", at::kLong},
    {"int32", at::kInt},
    {"int16", at::kShort},
    {"int8", at::kChar},
    {"uint8", at::kByte},
    {"bool", at::kBool},
    {"uint16", at::kUInt16},
    {"uint32", at::kUInt32},
    {"uint64", at::kUInt64},
    {"float8_e4m3fn", at::kFloat8_e4m3fn},
    {"float8_e5m2", at::kFloat8_e5m2},
    {"float8_e4m3fnuz", at::kFloat8_e4m3fnuz},
    {"float8_e5m2fnuz", at::kFloat8_e5m2fnuz},
    {"float", at::kFloat},
    {"double", at::kDouble},
    {"half", at::kHalf},
}};

at::Generator generatorFor(at::Device device, std::uint64_t seed) {
  if (device.is_cpu()) return at::detail::createCPUGenerator(seed);
  at::Generator generator =
      at::globalContext().getAcceleratorHooksInterface(device.type()).getNewGenerator(device.index());
  generator.set_current_seed(seed);
  return generator;
}

/// The type in which values are drawn. Types that have no random fill of their own are drawn in a related
/// type and converted; so are the short floating types, whose own fill gives exact zeros (it draws a uniform
/// number of 8 or 11 bits first).
at::ScalarType drawnType(at::ScalarType type) {
  if (at::isReducedFloatingType(type) || at::isFloat8Type(type)) return at::kFloat;
  if (type == at::kComplexHalf) return at::kComplexFloat;
  if (type == at::kUInt16 || type == at::kUInt32 || type == at::kUInt64) return at::kLong;
  return type;
}

bool isUnsigned(at::ScalarType type) {
  return type == at::kByte || type == at::kUInt16 || type == at::kUInt32 || type == at::kUInt64;
}

enum class Drawn { normal, uniform };

void fillUniform(const at::Tensor& values, const at::Generator& generator) {
  if (values.is_complex())
    at::view_as_real(values).uniform_(-9, 9, generator);
  else
    values.uniform_(0, 1, generator);
}

at::Tensor draw(at::IntArrayRef sizes, at::ScalarType type, at::Device device, std::uint64_t seed,
                Drawn drawn) {
  const at::Generator generator = generatorFor(device, seed);
  at::Tensor values = at::empty(sizes, at::TensorOptions().dtype(drawnType(type)).device(device));
  if (drawn == Drawn::uniform && (values.is_floating_point() || values.is_complex())) {
    fillUniform(values, generator);
  } else if (values.is_floating_point() || values.is_complex()) {
    values.normal_(0, 1, generator);
  } else if (type == at::kBool) {
    values.random_(0, 2, generator);
  } else {
    values.random_(isUnsigned(type) ? 0 : -9, 10, generator);
  }
  return values.to(type);
}

at::Tensor filled(at::IntArrayRef sizes, at::ScalarType type, at::Device device, std::uint64_t seed,
                  Drawn drawn) {
  if (device.is_cpu() || c10::multiply_integers(sizes) > elementsDrawnOnCpu)
    return draw(sizes, type, device, seed, drawn);
  return draw(sizes, type, at::kCPU, seed, drawn).to(device);
}

at::Tensor made(const TensorLiteral& literal, at::Device device, std::uint64_t seed, Drawn drawn) {
  const std::optional<at::ScalarType> type = scalarType(literal.dtype);
  if (!type) throw std::invalid_argument("unknown dtype '" + literal.dtype + "'");
  if (!literal.strided) return filled(literal.shape, *type, device, seed, drawn);
  const std::int64_t elements = extent(literal.shape, literal.stride);
  if (elements == 0)
    return at::empty_strided(literal.shape, literal.stride, at::TensorOptions().dtype(*type).device(device));
  return filled({elements}, *type, device, seed, drawn).as_strided(literal.shape, literal.stride);
}

}  // namespace

std::optional<at::ScalarType> scalarType(std::string_view name) {
  if (const DType* known = findDType(name)) name = known->torchName;
  for (const std::string_view prefix : {"torch.", "th."})
    if (name.starts_with(prefix)) name.remove_prefix(prefix.size());
  for (const auto& [torchName, type] : typesByTorchName)
    if (torchName == name) return type;
  return std::nullopt;
}

std::string_view abbreviation(at::ScalarType type) {
  for (const auto& [torchName, known] : typesByTorchName) {
    if (known != type) continue;
    const DType* dtype = findDType(torchName);
    return dtype ? dtype->abbreviation : torchName;
  }
  return c10::toString(type);
}

std::int64_t extent(at::IntArrayRef sizes, at::IntArrayRef strides) {
  std::int64_t last = 0;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    if (sizes[i] == 0) return 0;
    last += (sizes[i] - 1) * strides[i];
  }
  return last + 1;
}

at::Tensor drawnTensor(const TensorRequest& request) {
  return makeTensor(request.literal, request.device, request.seed);
}

at::Tensor uniformTensor(const TensorRequest& request) {
  return makeUniformTensor(request.literal, request.device, request.seed);
}

at::Tensor makeTensor(const TensorLiteral& literal, at::Device device, std::uint64_t seed) {
  return made(literal, device, seed, Drawn::normal);
}

at::Tensor makeUniformTensor(const TensorLiteral& literal, at::Device device, std::uint64_t seed) {
  return made(literal, device, seed, Drawn::uniform);
}

}  // namespace wb
