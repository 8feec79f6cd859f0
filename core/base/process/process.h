// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/result.h"

namespace wb {

/// A program to start. rememberStart() (process_start.h) says what "at its start" means. `argv[0]` is looked
/// up in PATH when it has no slash.
struct Command {
  std::vector<std::string> argv;
  /// The working folder; when empty, this process's at its start.
  std::filesystem::path folder;
  /// Variables that are set on top of this process's environment at its start.
  std::vector<std::pair<std::string, std::string>> environment;
  /// A program that is started with "--keep" and the command, and calls keep() (core/base/process/keeper.h):
  /// what the command leaves behind ends with it. There is none when this is empty.
  std::filesystem::path keeper{};
  /// The walls inside which the keeper runs the command (core/base/sandbox/sandbox.h), as sandboxText() says
  /// them; "" for none.
  std::string walls{};
  /// Descriptors of this process that the command gets under the same numbers, from 3 on. All others are
  /// closed.
  std::vector<int> descriptors{};
};

/// How a process ended: it has either an exit code or a signal.
struct Ending {
  int exitCode = 0;
  /// 0 when it exited by itself.
  int signal = 0;
  bool operator==(const Ending&) const = default;
};

/// "exit code 7", "segmentation fault (SIGSEGV)", "killed (SIGKILL)".
[[nodiscard]] std::string describe(Ending ending);

/// What a finished command gave.
struct Captured {
  Ending ending;
  /// Each is cut at the `maxOutput` of the call.
  std::string out, err;
  /// It was killed at its deadline.
  bool timedOut = false;
  /// It was killed because the stop token asked for it.
  bool stopped = false;
  /// There was more output than was kept.
  bool cut = false;
  double seconds = 0;
  [[nodiscard]] bool ok() const { return !timedOut && !stopped && ending == Ending{}; }
};

/// Runs a command to its end in a process group of its own, with an empty standard input. The group is killed
/// at the deadline, on stop, and when this process dies. Errors only where it could not be started, such as a
/// missing program, which is named. With `onLine` standard output is not kept: its lines are handed over as
/// they come, without their ends.
Result<Captured> runToEnd(const Command& command, std::chrono::milliseconds deadline,
                          std::stop_token stop = {}, std::size_t maxOutput = std::size_t{4} << 20,
                          const std::function<void(std::string_view)>& onLine = {});

/// A running child with pipes on its descriptors 0, 1 and 2. It leads its own process group and is killed
/// with its parent (PDEATHSIG: the thread that starts it must live as long as the child). It can be moved and
/// not copied; destruction kills and reaps it.
class Child {
 public:
  static Result<Child> start(const Command& command);
  Child(Child&& other) noexcept;
  Child& operator=(Child&& other) noexcept;
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  ~Child();

  [[nodiscard]] pid_t pid() const { return pid_; }
  /// The write end of its standard input, -1 once closed.
  [[nodiscard]] int input() const { return input_; }
  /// The read end of its standard output.
  [[nodiscard]] int output() const { return output_; }
  /// The read end of its standard error.
  [[nodiscard]] int errors() const { return errors_; }
  /// Readable once it has ended.
  [[nodiscard]] int pidfd() const { return pidfd_; }
  void closeInput();
  /// Sends the signal to the whole group; does nothing once the child was reaped. Under a keeper SIGKILL ends
  /// all that came of the command.
  void kill(int signal) const;
  /// Under a keeper: kills what has lost its parent, such as daemons.
  void killOrphans() const;
  /// Waits at most `limit` for the end and reaps; `.first` is false when the child still runs.
  std::pair<bool, Ending> wait(std::chrono::milliseconds limit);

 private:
  Child() = default;
  pid_t pid_ = -1;
  int input_ = -1, output_ = -1, errors_ = -1, pidfd_ = -1;
  bool reaped_ = false, kept_ = false;
  Ending ending_;
};

}  // namespace wb
