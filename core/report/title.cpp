// SPDX-License-Identifier: Apache-2.0
#include "core/report/title.h"

#include "core/base/quantity.h"
#include "core/figures/cells.h"

namespace wb {

std::string reportTitle(const Report& report) {
  if (report.kernels.empty()) return "Nothing to run";
  if (report.kernels.size() > 1)
    return formatCount(static_cast<std::int64_t>(report.kernels.size())) + " kernels" +
           (report.suite.empty() ? "" : " · " + report.suite);
  const std::string op = operatorLabel(kernelOperator(*report.kernels.front()));
  return kernelLabel(report, 0) + (op.empty() ? "" : " · " + op);
}

}  // namespace wb
