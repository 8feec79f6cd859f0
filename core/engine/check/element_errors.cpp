// SPDX-License-Identifier: Apache-2.0
#include "core/engine/check/element_errors.h"

#include <ATen/ops/where.h>
#include <ATen/ops/zeros.h>

#include <algorithm>
#include <cstring>

#include "core/engine/check/chunk_errors.h"

namespace wb {
namespace {

/// Elements compared at once. On a CPU few enough for the cache, and for torch not to wake its threads for
/// the conversions; on a GPU enough to keep it busy.
std::int64_t chunkElements(at::Device device) {
  return device.is_cpu() ? std::int64_t{1} << 14 : std::int64_t{1} << 25;
}

class FlatOutputs {
 public:
  FlatOutputs(const at::Tensor& candidate, const at::Tensor& expected, const at::Tensor& oracle)
      : candidate_(candidate.reshape(-1)), expected_(expected.reshape(-1)) {
    if (oracle.defined()) oracle_ = oracle.reshape(-1);
  }

  template <class Visit>
  void forEachChunk(Visit visit) const {
    const std::int64_t step = chunkElements(expected_.device());
    for (std::int64_t first = 0; first < expected_.numel(); first += step) {
      const std::int64_t count = std::min(step, expected_.numel() - first);
      visit(first, Chunk{candidate_.narrow(0, first, count), expected_.narrow(0, first, count),
                         oracle_.defined() ? oracle_.narrow(0, first, count) : at::Tensor(),
                         expected_.scalar_type()});
    }
  }

 private:
  at::Tensor candidate_, expected_, oracle_;
};

/// Worst |e − o|: how far the reference in its working type is from float64.
double referenceError(const FlatOutputs& outputs) {
  double worst = 0;
  outputs.forEachChunk([&](std::int64_t, const Chunk& chunk) {
    const at::Tensor difference = widened(chunk.expected).sub(widened(chunk.oracle)).abs();
    const at::Tensor finite =
        at::where(difference.isfinite(), difference, at::zeros({}, difference.options()));
    worst = std::max(worst, finite.amax().item<double>());
  });
  return worst;
}

}  // namespace

FloatFormat floatFormat(at::ScalarType dtype) {
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

bool isIntegral(at::ScalarType dtype) {
  return at::isIntegralType(dtype, /*includeBool=*/true);
}

at::Tensor widened(const at::Tensor& values) {
  return values.to(values.is_complex() ? at::kComplexDouble : at::kDouble);
}

bool comparesBits(const ElementRule& rule, at::ScalarType dtype) {
  return isIntegral(dtype) && rule.bounds.rtol == 0 && rule.bounds.atol == 0;
}

bool sameBits(const at::Tensor& a, const at::Tensor& b) {
  const std::size_t bytes = a.nbytes();
  if (bytes == 0 || a.const_data_ptr() == b.const_data_ptr()) return true;
  if (a.device().is_cpu()) return std::memcmp(a.const_data_ptr(), b.const_data_ptr(), bytes) == 0;
  return a.reshape(-1).view(at::kByte).equal(b.reshape(-1).view(at::kByte));
}

ElementErrors elementErrors(const at::Tensor& candidate, const at::Tensor& expected, const at::Tensor& oracle,
                            const ElementRule& rule) {
  ElementErrors all;
  all.elements = expected.numel();
  if (all.elements == 0) return all;
  const at::Tensor c = candidate.contiguous(), e = expected.contiguous();
  if (sameBits(c, e)) return all;
  const FlatOutputs outputs(c, e, oracle);
  const double referenceWorst = rule.oracle ? referenceError(outputs) : 0;
  const auto compare = e.device().is_cpu() ? compareOnHost : compareOnDevice;
  outputs.forEachChunk([&](std::int64_t first, const Chunk& chunk) {
    const ElementErrors errors = compare(chunk, rule, referenceWorst);
    all.maxAbs = std::max(all.maxAbs, errors.maxAbs);
    all.maxRel = std::max(all.maxRel, errors.maxRel);
    all.maxUlp = std::max(all.maxUlp, errors.maxUlp);
    all.mismatches += errors.mismatches;
    if (all.firstBad < 0 && errors.firstBad >= 0) all.firstBad = first + errors.firstBad;
  });
  return all;
}

}  // namespace wb
