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

/// Starts a process of a session of its own that no signal but SIGKILL ends, and writes its number to a file.
void leaveDaemon(const std::string& numberFile);
/// Where there is such a process, the fake takes a second to end, as a worker with torch does: its first
/// thread is gone before the others.
void endSlowlyWithDaemon();

}  // namespace wb::fake
