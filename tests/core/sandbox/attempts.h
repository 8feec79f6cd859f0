// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

namespace wb::walls {

/// Where attempts find what they try to reach.
struct Place {
  /// A folder that the walls leave out. It holds secret.txt, a program and door, a socket that listens.
  std::string outside;
  /// A folder that may be written. It holds a file, mine.txt.
  std::string scratch;
  /// A folder that may be read. It holds a file, read.txt.
  std::string readable;
  /// A process of the same user that runs outside.
  pid_t victim = 0;
};

/// What came of an attempt, as the exit code of the process that made it.
enum Outcome { succeeded = 0, refused = 1, impossible = 2 };

struct Attempt {
  const char* name;
  /// Only where the walls forbid new processes, or only with a view of its own, does it have to fail.
  enum class Fails { always, withoutProcesses, inView } fails = Fails::always;
};
/// All attempts to break out.
[[nodiscard]] std::vector<Attempt> attempts();

/// Makes an attempt in this process and says on standard output what came of it.
int attempt(const std::string& name, const Place& place);

}  // namespace wb::walls
