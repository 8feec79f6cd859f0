// SPDX-License-Identifier: Apache-2.0
#include "core/engine/check/element_errors.h"

#include <ATen/ops/where.h>
#include <ATen/ops/zeros.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "core/engine/check/chunk_errors.h"
#include "core/engine/check/outputs.h"

namespace wb {
namespace {

/// Elements compared at once. On a CPU few enough for the cache, and for torch not to wake its threads for
/// the conversions; on a GPU enough to keep it busy.
std::int64_t chunkElements(at::Device device) {
  return device.is_cpu() ? std::int64_t{1} << 14 : std::int64_t{1} << 25;
}

/// Up to here a copy to the host costs less than the launches of a comparison on the device.
constexpr std::int64_t worthStayingOnDevice = std::int64_t{1} << 16;

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
      if (count == expected_.numel()) return visit(chunk(candidate_, expected_, oracle_, first));
      visit(chunk(candidate_.narrow(0, first, count), expected_.narrow(0, first, count),
                  oracle_.defined() ? oracle_.narrow(0, first, count) : at::Tensor(), first));
    }
  }

 private:
  static Chunk chunk(const at::Tensor& candidate, const at::Tensor& expected, const at::Tensor& oracle,
                     std::int64_t first) {
    return Chunk{candidate, expected, oracle, expected.scalar_type(), first};
  }

  at::Tensor candidate_, expected_, oracle_;
};

/// Worst |e − o|: how far the reference in its working type is from float64.
double referenceError(const FlatOutputs& outputs) {
  double worst = 0;
  outputs.forEachChunk([&](const Chunk& chunk) {
    const at::Tensor difference = widened(chunk.expected).sub(widened(chunk.oracle)).abs();
    if (difference.is_cpu()) {
      const double* values = difference.const_data_ptr<double>();
      for (std::int64_t i = 0; i < difference.numel(); ++i)
        if (std::isfinite(values[i])) worst = std::max(worst, values[i]);
      return;
    }
    const at::Tensor finite =
        at::where(difference.isfinite(), difference, at::zeros({}, difference.options()));
    worst = std::max(worst, finite.amax().item<double>());
  });
  return worst;
}

}  // namespace

void DifferenceSample::append(const DifferenceSample& other) {
  taken_ += other.taken_;
  others_.insert(others_.end(), other.others_.begin(), other.others_.end());
}

double DifferenceSample::percentile(double rank) {
  if (taken_ <= 0) return 0;
  const auto nearest = static_cast<std::int64_t>(std::ceil(rank * static_cast<double>(taken_))) - 1;
  const std::int64_t zeros = taken_ - static_cast<std::int64_t>(others_.size());
  const std::int64_t place = std::clamp<std::int64_t>(nearest, 0, taken_ - 1) - zeros;
  if (place < 0) return 0;
  std::nth_element(others_.begin(), others_.begin() + place, others_.end());
  return others_[static_cast<std::size_t>(place)];
}

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
  // A dimension of size one may have any stride, which a view of other elements does not take.
  const auto asBytes = [](const at::Tensor& tensor) {
    return tensor.as_strided({tensor.numel()}, {1}).view(at::kByte);
  };
  return asBytes(a).equal(asBytes(b));
}

bool sameBits(const Stack& a, const Stack& b) {
  const std::vector<Output> left = flatOutputs(a), right = flatOutputs(b);
  return std::equal(left.begin(), left.end(), right.begin(), right.end(),
                    [](const Output& x, const Output& y) {
                      if (x.dtype != y.dtype || x.tensor.defined() != y.tensor.defined()) return false;
                      if (!x.tensor.defined()) return true;
                      return x.tensor.sizes() == y.tensor.sizes() && x.tensor.device() == y.tensor.device() &&
                             !x.tensor.is_meta() && sameBits(x.tensor.contiguous(), y.tensor.contiguous());
                    });
}

ElementErrors elementErrors(const at::Tensor& candidate, const at::Tensor& expected, const at::Tensor& oracle,
                            const ElementRule& rule) {
  ElementErrors all;
  all.elements = expected.numel();
  all.differences = DifferenceSample(all.elements);
  if (all.elements == 0) return all;
  const auto near = [&](const at::Tensor& tensor) {
    return tensor.defined() && all.elements <= worthStayingOnDevice ? tensor.cpu() : tensor;
  };
  const at::Tensor c = near(candidate.contiguous()), e = near(expected.contiguous());
  const bool same = sameBits(c, e);
  if (same && !oracle.defined()) return all;
  const FlatOutputs outputs(c, e, near(oracle));
  if (oracle.defined()) all.oracleReferenceAbs = referenceError(outputs);
  if (same) {
    all.oracleAbs = all.oracleReferenceAbs;
    return all;
  }
  const auto compare = e.device().is_cpu() ? compareOnHost : compareOnDevice;
  outputs.forEachChunk([&](const Chunk& chunk) { compare(chunk, rule, all); });
  all.mismatches = all.bad.count();
  all.firstBad = all.bad.count() > 0 ? all.bad.places()[0] : -1;
  return all;
}

}  // namespace wb
