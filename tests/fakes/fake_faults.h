// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace wb::fake {

/// Misbehaves as `mode` says, writing to the protocol's `output`; returns where the mode lets the job go on.
void strike(const std::string& mode, int output);

/// Faults before or instead of the greeting; returns for modes that greet.
void strikeAtStart(const std::string& mode, int output);

}  // namespace wb::fake
