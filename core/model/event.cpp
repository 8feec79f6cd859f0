// SPDX-License-Identifier: Apache-2.0
#include "core/model/event.h"

#include <type_traits>

namespace wb {

bool canGive(Stage stage, const StepResult& result) {
  const StageRow& row = stageRow(stage);
  if (std::holds_alternative<NoResult>(result))
    return row.needs == Needs::passed || row.loss == LossMeans::noResult;
  return std::visit(
      [&](const auto& alternative) {
        const std::string_view name = resultName<std::remove_cvref_t<decltype(alternative)>>;
        return name == row.results[0] || name == row.results[1];
      },
      result);
}

std::optional<std::uint32_t> kernelOf(const Event& event) {
  return std::visit(
      [](const auto& one) -> std::optional<std::uint32_t> {
        if constexpr (requires { one.kernel; }) return one.kernel;
        return std::nullopt;
      },
      event);
}

}  // namespace wb
