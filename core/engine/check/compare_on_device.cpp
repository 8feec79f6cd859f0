// SPDX-License-Identifier: Apache-2.0
#include <ATen/ops/stack.h>
#include <ATen/ops/where.h>
#include <ATen/ops/zeros.h>

#include "core/engine/check/chunk_errors.h"

namespace wb {
namespace {

/// Distance between neighbours of `dtype` at each magnitude, in float64.
at::Tensor unitInLastPlace(const at::Tensor& magnitudes, at::ScalarType dtype) {
  const FloatFormat format = floatFormat(dtype);
  const at::Tensor exponent = std::get<1>(magnitudes.frexp());  // magnitude = m·2^exponent, m in [0.5, 1)
  return exponent.to(at::kDouble).sub_(1).clamp_min_(format.minExponent).sub_(format.mantissaBits).exp2_();
}

at::Tensor onlyWhere(const at::Tensor& mask, const at::Tensor& values) {
  return at::where(mask, values, at::zeros({}, values.options()));
}

}  // namespace

ElementErrors compareOnDevice(const Chunk& chunk, const ElementRule& rule, double referenceWorst) {
  const at::Tensor c = widened(chunk.candidate), e = widened(chunk.expected);
  const bool integral = isIntegral(chunk.dtype);
  const at::Tensor same =
      integral ? chunk.candidate.eq(chunk.expected) : c.eq(e).logical_or_(c.isnan().logical_and_(e.isnan()));
  const at::Tensor difference = c.sub(e).abs(), finite = difference.isfinite(), magnitude = e.abs();

  at::Tensor close = at::zeros({}, same.options());
  if (rule.tolerance && !comparesBits(rule, chunk.dtype)) {
    const at::Tensor scale = rule.relativeToCandidate ? c.abs() : magnitude;
    close = difference.le(scale.mul(rule.bounds.rtol).add_(rule.bounds.atol));
  }
  if (rule.oracle) {
    const at::Tensor o = widened(chunk.oracle);
    const at::Tensor allowed = unitInLastPlace(o.abs(), chunk.dtype).mul_(2).add_(2 * referenceWorst);
    close = close.logical_or(c.sub(o).abs().le(allowed));
  }
  const at::Tensor bad = same.logical_or(finite.logical_and(close)).logical_not_();

  const at::Tensor none = at::zeros({}, difference.options());
  const at::Tensor relative = onlyWhere(finite.logical_and(magnitude.ne(0)), difference.div(magnitude));
  const at::Tensor ulp =
      integral ? none : onlyWhere(finite, difference.div(unitInLastPlace(magnitude, chunk.dtype))).amax();
  const at::Tensor row = at::stack({onlyWhere(finite, difference).amax(), relative.amax(), ulp,
                                    bad.sum().to(at::kDouble), bad.to(at::kByte).argmax().to(at::kDouble)})
                             .cpu();  // the one wait for the device
  const double* values = row.const_data_ptr<double>();
  ElementErrors errors;
  errors.elements = chunk.expected.numel();
  errors.maxAbs = values[0];
  errors.maxRel = values[1];
  errors.maxUlp = values[2];
  errors.mismatches = static_cast<std::int64_t>(values[3]);
  if (errors.mismatches > 0) errors.firstBad = static_cast<std::int64_t>(values[4]);
  return errors;
}

}  // namespace wb
