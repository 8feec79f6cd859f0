// SPDX-License-Identifier: Apache-2.0
#include "core/engine/check/compare/lower_type.h"

#include <ATen/ops/view_as_complex.h>
#include <ATen/ops/view_as_real.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "core/engine/check/compare/chunk_errors.h"
#include "core/engine/check/compare/outputs.h"

namespace wb {
namespace {

constexpr std::int64_t spreadElements = 4096;

/// Rounds to nearest by removing `drop` bits of the mantissa. A carry into the exponent is right; infinity
/// and NaN stay as they are.
at::Tensor withoutBits(const at::Tensor& values, at::ScalarType integers, int drop) {
  const at::Tensor bits = values.contiguous().view(integers);
  const std::int64_t unit = std::int64_t{1} << drop;
  const at::Tensor rounded = bits.add(unit / 2).bitwise_and(-unit).view(values.scalar_type());
  return rounded.where(values.isfinite(), values);
}

}  // namespace

std::optional<LowerType> lowerType(at::ScalarType dtype) {
  switch (dtype) {
    case at::kDouble:
    case at::kComplexDouble:
      return LowerType{"float32", 23};
    case at::kFloat:
    case at::kComplexFloat:
      return LowerType{"TF32 or float16", 10};
    case at::kHalf:
    case at::kComplexHalf:
    case at::kBFloat16:
      return LowerType{"float8", 3};
    default:
      return std::nullopt;
  }
}

at::Tensor roundedTo(const at::Tensor& values, int mantissaBits) {
  if (!values.defined() || values.layout() != at::kStrided || values.is_meta()) return values;
  if (values.is_complex()) {
    if (values.scalar_type() == at::kComplexHalf) return values;
    return at::view_as_complex(roundedTo(at::view_as_real(values.resolve_conj()).contiguous(), mantissaBits));
  }
  const at::ScalarType dtype = values.scalar_type();
  if (!at::isFloatingType(dtype) || floatFormat(dtype).mantissaBits <= mantissaBits) return values;
  if (dtype == at::kDouble) return withoutBits(values, at::kLong, 52 - mantissaBits);
  if (dtype == at::kFloat) return withoutBits(values, at::kInt, 23 - mantissaBits);
  return withoutBits(values.to(at::kFloat), at::kInt, 23 - mantissaBits).to(dtype);
}

c10::IValue roundedTo(const c10::IValue& value, int mantissaBits) {
  if (value.isTensor()) return roundedTo(value.toTensor(), mantissaBits);
  if (value.isTensorList()) {
    c10::List<at::Tensor> rounded;
    for (const at::Tensor& each : value.toTensorVector()) rounded.push_back(roundedTo(each, mantissaBits));
    return rounded;
  }
  return value;
}

at::Tensor spread(const at::Tensor& values) {
  const at::Tensor flat = values.reshape(-1);
  const std::int64_t step = std::max<std::int64_t>(1, flat.numel() / spreadElements);
  return flat.slice(0, 0, flat.numel(), step).cpu().contiguous();
}

LowerErrors lowerErrors(const at::Tensor& lower, const at::Tensor& expected, Bounds bounds,
                        const LowerType& type, std::int64_t elements) {
  const at::Tensor wide = widened(expected), sizes = wide.abs(), differences = widened(lower).sub(wide).abs();
  const double* difference = differences.const_data_ptr<double>();
  const double* size = sizes.const_data_ptr<double>();
  const double smallest = std::ldexp(1.0, floatFormat(expected.scalar_type()).minExponent);
  std::vector<double> parts;
  std::size_t over = 0;
  for (std::int64_t i = 0; i < sizes.numel(); ++i) {
    // Zeros, and numbers so small that they have lost bits already, say nothing about the type.
    if (difference[i] == 0 || !std::isfinite(size[i]) || size[i] < smallest) continue;
    const double tolerance = bounds.atol + bounds.rtol * size[i];
    // A single number may be near by luck, so at least the usual error counts.
    const double usual = std::ldexp(size[i], -type.mantissaBits - 3);
    const double part = std::isfinite(difference[i]) && tolerance > 0
                            ? std::max(difference[i], usual) / tolerance
                            : std::numeric_limits<double>::infinity();
    over += part > 1;
    parts.push_back(part);
  }
  if (parts.empty()) return {};
  const auto middle = parts.begin() + static_cast<std::ptrdiff_t>(parts.size() / 2);
  std::nth_element(parts.begin(), middle, parts.end());
  const double scale = static_cast<double>(elements) / static_cast<double>(sizes.numel());
  return {true, *middle, static_cast<double>(over) / static_cast<double>(parts.size()),
          static_cast<double>(over) * scale};
}

}  // namespace wb
