// SPDX-License-Identifier: Apache-2.0
#pragma once

// Events of steps, for tests that make or look for them.
#include <utility>

#include "core/model/event.h"

namespace wb {

inline StepStarted compileStarted(std::uint32_t kernel = 0) {
  return {Stage::compile, kernel, std::nullopt};
}

inline StepDone compiledStep(Compiled compiled, std::uint32_t kernel = 0) {
  return {Stage::compile, kernel, std::nullopt, std::move(compiled)};
}

inline StepDone checkedStep(std::uint32_t kernel, std::uint32_t index, Verdict verdict) {
  CaseCheck check;
  check.verdict = verdict;
  return {Stage::check, kernel, index, std::move(check)};
}

inline StepDone timedStep(std::uint32_t kernel, std::uint32_t index, CaseTiming timing) {
  return {Stage::time, kernel, index, std::move(timing)};
}

/// Whether it is an event of that kind or, where E is the result of a step, brings such a result.
template <class E>
[[nodiscard]] bool is(const Event& event) {
  if constexpr (resultName<E>.empty())
    return std::holds_alternative<E>(event);
  else
    return resultIn<E>(event) != nullptr;
}

}  // namespace wb
