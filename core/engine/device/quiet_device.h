// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace wb {

/// Whether the current device does at once what this process asks of it, as it does while nobody else's work
/// is there: processes take turns on a GPU by milliseconds. Asks until it does, and no longer than `patience`
/// seconds. Once it did, nothing can be at work that a process has left there which stands still since. False
/// without a device.
[[nodiscard]] bool isDeviceQuiet(double patience);

}  // namespace wb
