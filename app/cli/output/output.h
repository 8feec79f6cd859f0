// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "core/base/result.h"

namespace wb {

// Everything that the command line writes to its standard streams goes through these. A stream that takes
// nothing (a full disk, a reader that has left, a closed terminal) never ends the program, since the reports
// must still be written.

/// Opens descriptors 0 to 2 on /dev/null where the program was started without them, so that no file or pipe
/// that is opened later becomes one of them. Call it before anything else.
void openStandardDescriptors();

/// Writes a result to standard output, as it is. `settled` reports what could not be written.
void show(std::string_view text);
void flushShown();

/// Writes a line for people on standard error, without the control characters that a kernel or a file's name
/// may contain. The line is lost where nobody can read it.
void say(std::string_view line);
/// Writes "warpbench: …" in the same way.
void complain(std::string_view what);
void complain(const Error& error);
/// Says why nothing was run. Gives the exit status: 3 for what is missing on this machine, else 2.
int refuse(const Error& error);

/// A message of several lines without the control characters that a terminal obeys; line ends stay.
[[nodiscard]] std::string printableLines(std::string_view text);
/// The same for what a kernel says: lines after the first are indented, so that none can be taken for one of
/// ours.
[[nodiscard]] std::string wordsOfKernel(std::string_view text);

/// Whether JSON may go to `target`: "-" needs a standard output. Error: there is none.
Result<void> checkJsonTarget(const std::string& target);

/// The exit status once standard output is written: `status`, or 2 instead of 0 when it could not be written,
/// which this says. It is not a failure that the reader has left (`… | head -1`).
[[nodiscard]] int settled(int status);

}  // namespace wb
