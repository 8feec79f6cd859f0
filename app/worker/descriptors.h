// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"

namespace wb {

/// The descriptors that the worker was started with, out of the reach of user code, and what user code got in
/// their place.
struct Descriptors {
  int input = -1, output = -1;  ///< of the protocol: the former 0 and 1
  int errors = -1;              ///< the former 2
  int printed = -1;             ///< read end of what goes to the new descriptor 1
  int complained = -1;          ///< read end of what goes to the new descriptor 2
};

/// Moves 0, 1 and 2 away (closed in children), so that no printf can get between frames: 0 becomes /dev/null,
/// 1 and 2 pipes into this process. To be called before anything prints.
Result<Descriptors> moveDescriptors();

}  // namespace wb
