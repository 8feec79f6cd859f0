// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/worker/descriptors.h"

namespace wb {

/// Sees to it that what was printed just before a crash, or before user code calls exit(), is not lost with
/// the process: it then goes to the standard error that the worker was started with, which its supervisor
/// reads. The process still ends by the same signal or with the same exit code.
void keepLastWords(const Descriptors& descriptors);

}  // namespace wb
