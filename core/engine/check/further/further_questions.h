// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/engine/cases/kernel_context.h"
#include "core/engine/check/further/asking.h"
#include "core/model/case.h"
#include "core/model/measurement.h"

namespace wb {

/// Asks a kernel that passed a case for more, since everybody can know what the case holds.
///
/// With contents that nobody knows before the run it has to be right too; where it is not, that becomes the
/// verdict. Values that are stored, and so cannot be drawn, are changed as far as the reference takes them.
///
/// In a fork of this process, where it can harm nobody, it is asked with values of other kinds and at other
/// shapes. Somebody may honestly write a kernel for one shape, so what is wrong there is said in
/// FurtherQuestions::remark and changes no verdict. Refusing is no mistake.
///
/// Does nothing without KernelContext::further, and where the operator is random. Throws what torch throws.
void askFurther(const KernelContext& kernel, const Case& definition, const Literal& call, CaseCheck& check);

/// What the same finds of a kernel that a strict judge has in a process of its own, and of one that is asked
/// in this one when all else is done (questions_here.h).
[[nodiscard]] Remark askApart(const KernelContext& kernel, const Case& definition, const AskedApart& apart,
                              const CaseCheck& check);

/// The same for a kernel that comes with a reference of its own, and so is asked with other values and
/// parameters. Both models are made again for that, so that it comes when all else is done.
[[nodiscard]] Remark askProblemApart(const KernelContext& kernel, const Case& definition,
                                     const AskedApart& apart, const CaseCheck& check);

}  // namespace wb
