// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <complex>

#include "core/engine/check/compare/chunk_errors.h"

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

/// The widened values of a chunk as plain arrays.
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

bool isFinite(double x) {
  return std::isfinite(x);
}
bool isFinite(std::complex<double> x) {
  return std::isfinite(x.real()) && std::isfinite(x.imag());
}

template <class T>
void compare(const Chunk& chunk, const ElementRule& rule, ElementErrors& all) {
  const Values<T> candidate(chunk.candidate), expected(chunk.expected), oracle(chunk.oracle);
  const bool integral = isIntegral(chunk.dtype), bits = comparesBits(rule, chunk.dtype);
  const bool hasOracle = chunk.oracle.defined();
  const at::Tensor equal = integral ? chunk.candidate.eq(chunk.expected) : at::Tensor();
  const bool* equalData = integral ? equal.const_data_ptr<bool>() : nullptr;
  const FloatFormat format = floatFormat(chunk.dtype);
  const double* room = chunk.room.defined() ? chunk.room.const_data_ptr<double>() : nullptr;
  const std::int64_t count = chunk.expected.numel(), step = all.differences.step();
  std::int64_t nextSample = (step - chunk.first % step) % step;
  for (std::int64_t i = 0; i < count; ++i) {
    const T c = candidate[i], e = expected[i];
    const bool sampled = i == nextSample;
    if (sampled) nextSample += step;
    const double toOracle = hasOracle ? std::abs(c - oracle[i]) : 0;
    if (std::isfinite(toOracle)) all.oracleAbs = std::max(all.oracleAbs, toOracle);
    if (integral ? equalData[i] : (c == e || (isNan(c) && isNan(e)))) {
      if (sampled && !isFinite(e)) all.differences.leaveOut();
      continue;
    }
    const double difference = std::abs(c - e), magnitude = std::abs(e);
    bool good = false;
    if (std::isfinite(difference)) {
      if (sampled) all.differences.add(difference);
      all.maxAbs = std::max(all.maxAbs, difference);
      if (magnitude != 0) all.maxRel = std::max(all.maxRel, difference / magnitude);
      if (!integral) all.maxUlp = std::max(all.maxUlp, difference / unitInLastPlace(magnitude, format));
      const double scale = rule.relativeToCandidate ? std::abs(c) : magnitude;
      good = rule.tolerance && !bits && difference <= rule.bounds.atol + rule.bounds.rtol * scale;
      if (!good && rule.oracle) {
        const double size = std::abs(oracle[i]), units = 2 * unitInLastPlace(size, format);
        good = toOracle <= all.reference.room(ReferenceErrors::binOf(size)) + units;
        if (!good && room != nullptr && toOracle <= room[i] + units) {
          good = true;
          ++all.forgivenByRoom;
          all.roomUsed = std::max(all.roomUsed, toOracle / (room[i] + units));
        }
        all.forgiven += good;
      }
    } else if (sampled) {
      all.differences.leaveOut();
    }
    if (!good) all.bad.add(chunk.first + i);
  }
}

template <class T>
void addReferenceErrors(const Chunk& chunk, const ElementRule& rule, ReferenceErrors& all) {
  const Values<T> expected(chunk.expected), oracle(chunk.oracle);
  for (std::int64_t i = 0; i < chunk.expected.numel(); ++i) {
    const double error = std::abs(expected[i] - oracle[i]);
    if (!std::isfinite(error)) continue;
    const double tolerance = rule.bounds.atol + rule.bounds.rtol * std::abs(expected[i]);
    all.add(std::abs(oracle[i]), error, error > tolerance / 2);
  }
}

}  // namespace

void referenceErrorsOnHost(const Chunk& chunk, const ElementRule& rule, ReferenceErrors& all) {
  if (at::isComplexType(chunk.dtype))
    addReferenceErrors<std::complex<double>>(chunk, rule, all);
  else
    addReferenceErrors<double>(chunk, rule, all);
}

void compareOnHost(const Chunk& chunk, const ElementRule& rule, ElementErrors& all) {
  if (at::isComplexType(chunk.dtype))
    compare<std::complex<double>>(chunk, rule, all);
  else
    compare<double>(chunk, rule, all);
}

}  // namespace wb
