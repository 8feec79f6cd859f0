// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/engine/check/further/problems/parameter_questions.h"

namespace wb {

/// Asks a problem's kernel for what its author may take for granted since the problem always gives it: what
/// its inputs have in common, that segments lie one after the other, and that all are numbers. Whoever reads
/// the report is told in a note, which is no word against the kernel.
void askPromised(const AskedOwn& asked, Asking& asking, const AskedApart& apart, ProblemAnswers& answers);

/// The same for inputs with more rows, last of all: a kernel that is made for its sizes may crash.
void askForMoreRows(const AskedOwn& asked, Asking& asking, const AskedApart& apart, ProblemAnswers& answers);

}  // namespace wb
