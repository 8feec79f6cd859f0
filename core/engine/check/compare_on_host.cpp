// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <complex>

#include "core/engine/check/chunk_errors.h"

namespace wb {
namespace {

double unitInLastPlace(double magnitude, FloatFormat format) {
  int exponent = 0;
  std::frexp(magnitude, &exponent);  // magnitude = m·2^exponent, m in [0.5, 1)
  return std::ldexp(1.0, std::max(exponent - 1, format.minExponent) - format.mantissaBits);
}

bool isNan(double x) {
  return std::isnan(x);
}
bool isNan(std::complex<double> x) {
  return std::isnan(x.real()) || std::isnan(x.imag());
}

/// Widened values of a chunk as plain arrays.
template <class T>
class Values {
 public:
  explicit Values(const at::Tensor& tensor) : tensor_(tensor.defined() ? widened(tensor) : tensor) {
    if (tensor_.defined()) data_ = static_cast<const T*>(tensor_.const_data_ptr());
  }
  [[nodiscard]] T operator[](std::int64_t i) const { return data_[i]; }

 private:
  at::Tensor tensor_;
  const T* data_ = nullptr;
};

template <class T>
ElementErrors compare(const Chunk& chunk, const ElementRule& rule, double referenceWorst) {
  const Values<T> candidate(chunk.candidate), expected(chunk.expected), oracle(chunk.oracle);
  const bool integral = isIntegral(chunk.dtype), bits = comparesBits(rule, chunk.dtype);
  const at::Tensor equal = integral ? chunk.candidate.eq(chunk.expected) : at::Tensor();
  const bool* equalData = integral ? equal.const_data_ptr<bool>() : nullptr;
  const FloatFormat format = floatFormat(chunk.dtype);
  ElementErrors errors;
  errors.elements = chunk.expected.numel();
  for (std::int64_t i = 0; i < errors.elements; ++i) {
    const T c = candidate[i], e = expected[i];
    if (integral ? equalData[i] : (c == e || (isNan(c) && isNan(e)))) continue;
    const double difference = std::abs(c - e), magnitude = std::abs(e);
    bool good = false;
    if (std::isfinite(difference)) {
      errors.maxAbs = std::max(errors.maxAbs, difference);
      if (magnitude != 0) errors.maxRel = std::max(errors.maxRel, difference / magnitude);
      if (!integral) errors.maxUlp = std::max(errors.maxUlp, difference / unitInLastPlace(magnitude, format));
      const double scale = rule.relativeToCandidate ? std::abs(c) : magnitude;
      good = rule.tolerance && !bits && difference <= rule.bounds.atol + rule.bounds.rtol * scale;
      if (!good && rule.oracle)
        good =
            std::abs(c - oracle[i]) <= 2 * referenceWorst + 2 * unitInLastPlace(std::abs(oracle[i]), format);
    }
    if (good) continue;
    if (errors.mismatches++ == 0) errors.firstBad = i;
  }
  return errors;
}

}  // namespace

ElementErrors compareOnHost(const Chunk& chunk, const ElementRule& rule, double referenceWorst) {
  return at::isComplexType(chunk.dtype) ? compare<std::complex<double>>(chunk, rule, referenceWorst)
                                        : compare<double>(chunk, rule, referenceWorst);
}

}  // namespace wb
