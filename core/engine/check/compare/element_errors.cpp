// SPDX-License-Identifier: Apache-2.0
#include "core/engine/check/compare/element_errors.h"

#include <ATen/ops/where.h>
#include <ATen/ops/zeros.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "core/engine/check/compare/chunk_errors.h"
#include "core/engine/check/compare/outputs.h"

namespace wb {
namespace {

/// How many elements are compared at once. On a CPU they are few enough for the cache, and for torch not to
/// wake its threads for the conversions; on a GPU they are enough to keep it busy.
std::int64_t chunkElements(at::Device device) {
  return device.is_cpu() ? std::int64_t{1} << 14 : std::int64_t{1} << 25;
}

/// Up to this many elements a copy to the host takes less time than the launches of a comparison on the
/// device.
constexpr std::int64_t worthStayingOnDevice = std::int64_t{1} << 16;

class FlatOutputs {
 public:
  FlatOutputs(const at::Tensor& candidate, const at::Tensor& expected, const at::Tensor& oracle,
              const at::Tensor& room)
      : candidate_(candidate.reshape(-1)), expected_(expected.reshape(-1)) {
    // An expanded or diagonal view flattens to a view with strides of its own, which plain code would
    // misread.
    if (oracle.defined()) oracle_ = oracle.contiguous().reshape(-1);
    if (room.defined()) room_ = room.contiguous().reshape(-1);
  }

  template <class Visit>
  void forEachChunk(Visit visit) const {
    const std::int64_t step = chunkElements(expected_.device());
    for (std::int64_t first = 0; first < expected_.numel(); first += step) {
      const std::int64_t count = std::min(step, expected_.numel() - first);
      const auto part = [&](const at::Tensor& whole) {
        return whole.defined() && count != expected_.numel() ? whole.narrow(0, first, count) : whole;
      };
      visit(Chunk{part(candidate_), part(expected_), part(oracle_), part(room_), expected_.scalar_type(),
                  first});
    }
  }

 private:
  at::Tensor candidate_, expected_, oracle_, room_;
};

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
  // A dimension of size one may have any stride, which a view with other elements does not accept.
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
                            const ElementRule& rule, const at::Tensor& room) {
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
  const FlatOutputs outputs(c, e, near(oracle), near(room));
  const bool host = e.device().is_cpu();
  if (oracle.defined()) {
    outputs.forEachChunk([&](const Chunk& chunk) {
      (host ? referenceErrorsOnHost : referenceErrorsOnDevice)(chunk, rule, all.reference);
    });
    all.reference.conclude(rule.bounds);
    all.oracleReferenceAbs = all.reference.worst();
  }
  if (same) {
    all.oracleAbs = all.oracleReferenceAbs;
    return all;
  }
  const auto compare = [&](const ReferenceErrors& reference) {
    ElementErrors errors;
    errors.elements = all.elements;
    errors.differences = DifferenceSample(all.elements);
    errors.reference = reference;
    errors.oracleReferenceAbs = all.oracleReferenceAbs;
    outputs.forEachChunk(
        [&](const Chunk& chunk) { (host ? compareOnHost : compareOnDevice)(chunk, rule, errors); });
    return errors;
  };
  const ReferenceErrors reference = all.reference;
  all = compare(reference);
  // They are more than the reference's own errors explain, so these errors excuse none.
  if (rule.shareBound && all.forgiven - all.forgivenByRoom > reference.mostForgiven())
    all = compare(ReferenceErrors());
  all.mismatches = all.bad.count();
  all.firstBad = all.bad.count() > 0 ? all.bad.places()[0] : -1;
  return all;
}

}  // namespace wb
