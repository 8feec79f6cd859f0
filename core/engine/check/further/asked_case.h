// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "core/engine/cases/kernel_context.h"
#include "core/model/case.h"
#include "core/model/measurement.h"
#include "core/model/operators/literal.h"

namespace wb {

/// A case as a kernel is asked about it beside its check.
struct AskedCase {
  Case definition;
  Literal call;
  /// What is asked is drawn from this number.
  std::uint64_t seed = 0;
  /// It has other sizes than the one that was checked.
  bool isSmaller = false;
  /// It is too large for all but the question of its parameters, for which nothing is kept beside the
  /// answers.
  bool parametersAlone = false;
};

/// The case as it is asked beside its check, with smaller sizes where it is too large for that. Nothing where
/// it is not asked: it did not pass, is none of FurtherQuestions::forked, takes too long, or there is none
/// with smaller sizes. `seconds`: what its check takes.
std::optional<AskedCase> askedCase(const KernelContext& kernel, const Case& definition, const Literal& call,
                                   Verdict verdict, double seconds);

}  // namespace wb
