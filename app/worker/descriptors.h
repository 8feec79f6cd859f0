// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"

namespace wb {

/// The descriptors that the worker was started with, where user code cannot reach them, and those that user
/// code got in their place.
struct Descriptors {
  /// The protocol's descriptors, which were 0 and 1.
  int input = -1, output = -1;
  /// The standard error that was descriptor 2.
  int errors = -1;
  /// The read end of what goes to the new descriptor 1.
  int printed = -1;
  /// The read end of what goes to the new descriptor 2.
  int complained = -1;
};

/// Moves 0, 1 and 2 away (closed in children), so that no printf can get between frames: 0 becomes /dev/null,
/// 1 and 2 become pipes into this process. Call it before anything prints.
Result<Descriptors> moveDescriptors();
/// In a copy of the worker, which has not these descriptors: none is closed in its children.
void forgetDescriptors();

}  // namespace wb
