// SPDX-License-Identifier: Apache-2.0
#include "core/engine/check/compare/error_figures.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/quantity.h"
#include "core/engine/check/compare/value_text.h"

namespace wb {

void ErrorGatherer::add(const ElementErrors& errors, const at::Tensor& candidate, const at::Tensor& expected,
                        std::size_t output, bool oracle) {
  figures_.maxAbs = std::max(figures_.maxAbs, errors.maxAbs);
  figures_.maxRel = std::max(figures_.maxRel, errors.maxRel);
  figures_.maxUlp = std::max(figures_.maxUlp, errors.maxUlp);
  figures_.mismatches += errors.mismatches;
  figures_.elements += errors.elements;
  figures_.forgiven += errors.forgiven;
  forgivenByRoom_ += errors.forgivenByRoom;
  roomUsed_ = std::max(roomUsed_, errors.roomUsed);
  differences_.append(errors.differences);
  if (oracle) {
    figures_.oracleAbs = std::max(figures_.oracleAbs.value_or(0), errors.oracleAbs);
    figures_.oracleReferenceAbs =
        std::max(figures_.oracleReferenceAbs.value_or(0), errors.oracleReferenceAbs);
  }
  if (errors.firstBad < 0 || !figures_.firstBadIndex.empty()) return;
  const std::string prefix = output == 0 ? std::string() : fmt::format("out{} ", output);
  figures_.firstBadIndex = prefix + indexText(errors.firstBad, expected.sizes());
  figures_.expected = valueText(expected, errors.firstBad);
  figures_.actual = valueText(candidate, errors.firstBad);
  figures_.cluster = clusterText(errors.bad, expected.sizes());
  if (!figures_.cluster.empty()) figures_.cluster = prefix + figures_.cluster;
}

std::string ErrorGatherer::mismatchText() const {
  return fmt::format("{} of {} elements differ, the first at {}: expected {}, got {}",
                     formatCount(figures_.mismatches), formatCount(figures_.elements), figures_.firstBadIndex,
                     figures_.expected, figures_.actual);
}

ErrorFigures ErrorGatherer::figures() && {
  figures_.p50Abs = differences_.percentile(0.5);
  figures_.p99Abs = differences_.percentile(0.99);
  return std::move(figures_);
}

}  // namespace wb
