// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/worker/descriptors.h"

namespace wb {

/// Makes sure that what was printed just before a crash, or before user code calls exit(), is not lost with
/// the process: it goes to the standard error that the worker was started with, which the runner reads. The
/// process still ends by the same signal or with the same exit code.
void keepLastWords(const Descriptors& descriptors);
/// In a copy of the worker, which has not its descriptors: there are none to keep.
void forgetLastWords();

}  // namespace wb
