// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "core/engine/cases/kernel_context.h"
#include "core/engine/check/further/asking.h"
#include "core/engine/check/further/problems/problem_answers.h"
#include "core/model/operators/literal.h"

namespace wb {

/// A problem's kernel, what it is called with, and a number that others are drawn from.
struct AskedOwn {
  const KernelContext& kernel;
  const Literal& call;
  const Stack& own;
  std::uint64_t seed;
};

/// Asks whether a kernel looks at its parameters in each call, and with others, for which both models are
/// made again. Nothing where either has none to be drawn. Throws what torch throws.
void askParameters(const AskedOwn& asked, Asking& asking, const AskedApart& apart, ProblemAnswers& answers);

}  // namespace wb
