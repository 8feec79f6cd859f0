// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace wb {

/// What a GPU's records say of a call, in seconds.
struct RecordedTime {
  /// All pieces of work, without the gaps between them, which the host makes.
  double busy = 0;
  /// From the start of the first piece to the end of the last.
  double span = 0;
};

}  // namespace wb
