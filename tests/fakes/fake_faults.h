// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "tests/fakes/fake_options.h"

namespace wb::fake {

/// Misbehaves as the mode says, writing to the protocol's `output`; returns where the mode lets the job go
/// on.
void strike(const Options& options, int output);

/// Ends this process by a signal, without a core file.
[[noreturn]] void dieOf(int signal);

/// Faults before or instead of the greeting; returns for modes that greet.
void strikeAtStart(const std::string& mode, int output);

}  // namespace wb::fake
