// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <set>
#include <string>

#include "core/engine/cases/kernel_context.h"
#include "core/engine/check/further/asked_case.h"
#include "core/engine/check/further/asking.h"
#include "core/engine/sides/process/forked.h"

namespace wb {

/// Asks a kernel for an operator about a case at other shapes, with other values, other strides and other
/// numbers than the case has, each kind for some tenths of a second. Nothing counts where it does not answer
/// the case itself as it did before. Throws what torch throws.
void askOperator(const KernelContext& kernel, const AskedCase& asked, const AskedApart& apart,
                 const SayInFork& say);

/// Asks those questions again that were asked in these words, of a kernel that was right there.
void askOperatorAgain(const KernelContext& kernel, const AskedCase& asked, std::set<std::string> words,
                      const SayInFork& say);

/// Of what was asked of a kernel that was right about all of it in a fork, what is asked again: all shapes,
/// strides and values, since it is there that most of those are wrong which have something to hide, and one
/// question more. The last one is not, where it `wasLate` with the answer to it.
[[nodiscard]] std::set<std::string> worthAskingAgain(const std::string& said, std::uint64_t seed,
                                                     bool wasLate);

}  // namespace wb
