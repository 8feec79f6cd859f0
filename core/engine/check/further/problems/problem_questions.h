// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/engine/cases/kernel_context.h"
#include "core/engine/check/further/asked_case.h"
#include "core/engine/check/further/asking.h"

namespace wb {

/// Asks a kernel for a problem with a reference of its own: with other values of the problem's own inputs,
/// whether its model keeps what the reference's keeps, and with drawn parameters. Shapes are the problem's
/// own. Questions end when it is no longer alive, and all but that of the parameters when there is no time.
///
/// Values change only where they look as if each was drawn for itself: a mask, a triangle or a label stays
/// what it is. None of the questions puts a zero where there is none, is of a size that a short type has no
/// room for, or counts where the reference's answer is no number or rounding. Throws what torch throws.
void askProblem(const KernelContext& kernel, const AskedCase& asked, Asking& asking, const AskedApart& apart);

}  // namespace wb
