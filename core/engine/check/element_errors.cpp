// SPDX-License-Identifier: Apache-2.0
#include "core/engine/check/element_errors.h"

#include <ATen/ops/stack.h>
#include <ATen/ops/where.h>
#include <ATen/ops/zeros.h>

#include <algorithm>
#include <cstring>
#include <vector>

namespace wb {
namespace {

/// Elements compared at once: on a CPU what stays in the cache as float64, on a GPU what keeps it busy.
std::int64_t chunkElements(at::Device device) {
  return device.is_cpu() ? std::int64_t{1} << 17 : std::int64_t{1} << 24;
}

struct FloatFormat {
  int mantissaBits;  ///< stored ones
  int minExponent;   ///< of the smallest normal number
};

FloatFormat formatOf(at::ScalarType dtype) {
  switch (dtype) {
    case at::kHalf:
    case at::kComplexHalf:
      return {10, -14};
    case at::kBFloat16:
      return {7, -126};
    case at::kFloat:
    case at::kComplexFloat:
      return {23, -126};
    case at::kFloat8_e4m3fn:
    case at::kFloat8_e4m3fnuz:
      return {3, -6};
    case at::kFloat8_e5m2:
    case at::kFloat8_e5m2fnuz:
      return {2, -14};
    default:
      return {52, -1022};
  }
}

/// Distance between neighbours of `dtype` at each |value|, in float64.
at::Tensor unitInLastPlace(const at::Tensor& values, at::ScalarType dtype) {
  const FloatFormat format = formatOf(dtype);
  const at::Tensor exponent = std::get<1>(values.abs().frexp());  // |value| = m·2^exponent, m in [0.5, 1)
  return exponent.to(at::kDouble).sub_(1).clamp_min_(format.minExponent).sub_(format.mantissaBits).exp2_();
}

bool isIntegral(at::ScalarType dtype) {
  return at::isIntegralType(dtype, /*includeBool=*/true);
}

at::Tensor widened(const at::Tensor& values) {
  return values.to(values.is_complex() ? at::kComplexDouble : at::kDouble);
}

at::Tensor onlyWhere(const at::Tensor& mask, const at::Tensor& values) {
  return at::where(mask, values, at::zeros({}, values.options()));
}

/// One chunk of one output, flat.
struct Chunk {
  at::Tensor candidate, expected, oracle;  ///< in the outputs' own types
  at::ScalarType dtype;
};

/// What comparing a chunk gives, still on the device.
struct ChunkErrors {
  at::Tensor bad;    ///< booleans
  at::Tensor stats;  ///< maxAbs, maxRel, maxUlp, mismatches
};

ChunkErrors compareChunk(const Chunk& chunk, const ElementRule& rule, double referenceWorst) {
  const at::Tensor c = widened(chunk.candidate), e = widened(chunk.expected);
  const at::Tensor same = chunk.candidate.eq(chunk.expected).logical_or_(c.isnan().logical_and_(e.isnan()));
  const at::Tensor difference = c.sub(e).abs();
  const at::Tensor finite = difference.isfinite();
  const at::Tensor magnitude = e.abs();

  at::Tensor close = at::zeros({}, same.options());
  if (rule.tolerance) {
    const at::Tensor allowed =
        (rule.relativeToCandidate ? c.abs() : magnitude).mul(rule.bounds.rtol).add_(rule.bounds.atol);
    close = difference.le(allowed);
  }
  if (rule.oracle) {
    const at::Tensor o = widened(chunk.oracle);
    const at::Tensor allowed = unitInLastPlace(o.abs(), chunk.dtype).mul_(2).add_(2 * referenceWorst);
    close = close.logical_or(c.sub(o).abs().le(allowed));
  }
  const at::Tensor bad = same.logical_or(finite.logical_and(close)).logical_not_();

  const at::Tensor absolute = onlyWhere(finite, difference);
  const at::Tensor relative =
      onlyWhere(finite.logical_and(magnitude.ne(0)), difference.div(magnitude)).amax();
  const at::Tensor ulp =
      isIntegral(chunk.dtype)
          ? at::zeros({}, absolute.options())
          : onlyWhere(finite, difference.div(unitInLastPlace(magnitude, chunk.dtype))).amax();
  return {bad, at::stack({absolute.amax(), relative, ulp, bad.sum().to(at::kDouble)})};
}

class FlatOutputs {
 public:
  FlatOutputs(const at::Tensor& candidate, const at::Tensor& expected, const at::Tensor& oracle)
      : candidate_(candidate.reshape(-1)), expected_(expected.reshape(-1)) {
    if (oracle.defined()) oracle_ = oracle.reshape(-1);
  }
  [[nodiscard]] std::int64_t size() const { return expected_.numel(); }
  [[nodiscard]] Chunk chunk(std::int64_t first, std::int64_t count) const {
    return {candidate_.narrow(0, first, count), expected_.narrow(0, first, count),
            oracle_.defined() ? oracle_.narrow(0, first, count) : at::Tensor(), expected_.scalar_type()};
  }

 private:
  at::Tensor candidate_, expected_, oracle_;
};

/// Worst |e − o|: how far the reference in its working type is from float64.
double referenceError(const FlatOutputs& outputs, std::int64_t step) {
  std::vector<at::Tensor> worst;
  for (std::int64_t first = 0; first < outputs.size(); first += step) {
    const Chunk chunk = outputs.chunk(first, std::min(step, outputs.size() - first));
    const at::Tensor difference = widened(chunk.expected).sub(widened(chunk.oracle)).abs();
    worst.push_back(onlyWhere(difference.isfinite(), difference).amax());
  }
  return at::stack(worst).amax().item<double>();
}

}  // namespace

bool sameBits(const at::Tensor& a, const at::Tensor& b) {
  const std::size_t bytes = a.nbytes();
  if (bytes == 0 || a.const_data_ptr() == b.const_data_ptr()) return true;
  if (a.device().is_cpu()) return std::memcmp(a.const_data_ptr(), b.const_data_ptr(), bytes) == 0;
  return a.reshape(-1).view(at::kByte).equal(b.reshape(-1).view(at::kByte));
}

ElementErrors elementErrors(const at::Tensor& candidate, const at::Tensor& expected, const at::Tensor& oracle,
                            const ElementRule& rule) {
  ElementErrors errors;
  errors.elements = expected.numel();
  if (errors.elements == 0) return errors;
  const at::Tensor c = candidate.contiguous(), e = expected.contiguous();
  if (sameBits(c, e)) return errors;

  const FlatOutputs outputs(c, e, oracle);
  const std::int64_t step = chunkElements(e.device());
  const double referenceWorst = rule.oracle ? referenceError(outputs, step) : 0;
  std::vector<at::Tensor> stats;
  for (std::int64_t first = 0; first < outputs.size(); first += step)
    stats.push_back(
        compareChunk(outputs.chunk(first, std::min(step, outputs.size() - first)), rule, referenceWorst)
            .stats);
  const at::Tensor table = at::stack(stats).cpu();  // one wait for the device
  const double* row = table.const_data_ptr<double>();
  for (std::size_t i = 0; i < stats.size(); ++i, row += 4) {
    errors.maxAbs = std::max(errors.maxAbs, row[0]);
    errors.maxRel = std::max(errors.maxRel, row[1]);
    errors.maxUlp = std::max(errors.maxUlp, row[2]);
    errors.mismatches += static_cast<std::int64_t>(row[3]);
    if (row[3] == 0 || errors.firstBad >= 0) continue;
    const std::int64_t first = static_cast<std::int64_t>(i) * step;
    const Chunk chunk = outputs.chunk(first, std::min(step, outputs.size() - first));
    errors.firstBad =
        first + compareChunk(chunk, rule, referenceWorst).bad.nonzero().select(0, 0).item<std::int64_t>();
  }
  return errors;
}

}  // namespace wb
