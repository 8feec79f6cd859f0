// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace wb {

/// The devices that a source is for.
enum class ForDevice { any, cpu, gpu };

/// The devices that a line "Device: cpu", "Device: cuda" or "Device: any" of the comment at the source's
/// beginning names. Without such a line a torch C++ source that follows pointers into tensors (data_ptr,
/// accessor) and nowhere names a device is for the CPU: its compiler makes no device code, and following the
/// pointers on a GPU is a crash.
[[nodiscard]] ForDevice forDevice(std::string_view source, std::string_view language);

/// Why such a source is not run on this device ("cpu", "cuda:0"); "" where it is run.
[[nodiscard]] std::string whyNotOn(std::string_view device, std::string_view source,
                                   std::string_view language);

}  // namespace wb
