// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace wb {

/// Whether the current device does at once what this process asks of it, as it does while nobody else's work
/// is there: processes take turns on a GPU by milliseconds. False without a device.
[[nodiscard]] bool isDeviceQuiet();

}  // namespace wb
