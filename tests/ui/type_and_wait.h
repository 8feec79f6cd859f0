// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace wb::test {

/// The victim of the kill test: a whole window in a process of its own that types into an untitled and into
/// an opened file (argv[2]), says "typed" once the journal has it, and then waits for its end.
int typeAndWait(int argc, char** argv);

}  // namespace wb::test
