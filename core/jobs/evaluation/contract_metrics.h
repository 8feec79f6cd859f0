// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

namespace wb {

/// A number of the evaluation server's device metrics and the metric that it is: one of the catalogue, or
/// what the launch itself says ("launch:grid"). Of several rows of one key the first that is known counts.
struct ContractMetric {
  const char* group;
  const char* key;
  const char* metric;
  double divisor = 1;
};
/// In the contract's order.
[[nodiscard]] std::span<const ContractMetric> contractMetrics();

/// The names of those of the catalogue, each once: what has to be counted for an answer, and no more, since
/// each pass over a kernel takes its time.
[[nodiscard]] std::vector<std::string> countedMetrics();

}  // namespace wb
