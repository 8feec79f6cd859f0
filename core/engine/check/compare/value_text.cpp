// SPDX-License-Identifier: Apache-2.0
#include "core/engine/check/compare/value_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <vector>

namespace wb {
namespace {

int digits(at::ScalarType dtype) {
  switch (dtype) {
    case at::kDouble:
    case at::kComplexDouble:
      return 17;
    case at::kFloat:
    case at::kComplexFloat:
      return 9;
    case at::kHalf:
    case at::kComplexHalf:
      return 5;
    default:
      return 4;
  }
}

}  // namespace

std::string indexText(std::int64_t element, at::IntArrayRef shape) {
  std::vector<std::int64_t> index(shape.size());
  for (std::size_t i = shape.size(); i-- > 0;) {
    index[i] = element % shape[i];
    element /= shape[i];
  }
  return fmt::format("[{}]", fmt::join(index, ", "));
}

std::string valueText(const at::Tensor& tensor, std::int64_t element) {
  const at::Tensor value = tensor.reshape(-1).narrow(0, element, 1).cpu();
  const at::ScalarType dtype = tensor.scalar_type();
  if (dtype == at::kBool) return value.item<bool>() ? "true" : "false";
  if (dtype == at::kUInt64) return fmt::format("{}", value.item().toUInt64());
  if (at::isIntegralType(dtype, false)) return fmt::format("{}", value.item<std::int64_t>());
  if (at::isComplexType(dtype)) {
    const c10::complex<double> z = value.to(at::kComplexDouble).item<c10::complex<double>>();
    return fmt::format("{:.{}g}{:+.{}g}j", z.real(), digits(dtype), z.imag(), digits(dtype));
  }
  return fmt::format("{:.{}g}", value.to(at::kDouble).item<double>(), digits(dtype));
}

std::string shapeText(at::IntArrayRef shape) {
  return shape.empty() ? "scalar" : fmt::format("{}", fmt::join(shape, "×"));
}

}  // namespace wb
