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

/// A program to start; what "at its start" means says rememberStart() (process_start.h). `argv[0]` is looked
/// up in PATH when it has no slash.
struct Command {
  std::vector<std::string> argv;
  std::filesystem::path folder;  ///< working folder; empty: this process's, as at its start
  std::vector<std::pair<std::string, std::string>>
      environment;  ///< set on top of this process's, as at its start
  /// Program that is started with "--keep" and the command, and calls keep() (core/base/process/keeper.h):
  /// what the command leaves behind ends with it. Empty: none.
  std::filesystem::path keeper{};
};

/// How a process ended: exactly one of exit code and signal.
struct Ending {
  int exitCode = 0;
  int signal = 0;  ///< 0: it exited by itself
  bool operator==(const Ending&) const = default;
};

/// "exit code 7", "segmentation fault (SIGSEGV)", "killed (SIGKILL)".
[[nodiscard]] std::string describe(Ending ending);

/// What a finished command gave.
struct Captured {
  Ending ending;
  std::string out, err;   ///< each cut at the `maxOutput` of the call
  bool timedOut = false;  ///< killed at its deadline
  bool stopped = false;   ///< killed because the stop token asked
  bool cut = false;       ///< there was more output than kept
  double seconds = 0;
  [[nodiscard]] bool ok() const { return !timedOut && !stopped && ending == Ending{}; }
};

/// Runs a command to its end in a process group of its own, standard input empty. The group is killed at the
/// deadline, on stop, and when this process dies. Errors only where it could not be started (missing program,
/// named).
/// With `onLine` standard output is not kept: its lines are handed over as they come, without their ends.
Result<Captured> runToEnd(const Command& command, std::chrono::milliseconds deadline,
                          std::stop_token stop = {}, std::size_t maxOutput = std::size_t{4} << 20,
                          const std::function<void(std::string_view)>& onLine = {});

/// A running child with pipes on its descriptors 0, 1 and 2, leader of its own process group, killed with its
/// parent (PDEATHSIG: the thread that starts it must live as long as the child). Move-only; destruction kills
/// and reaps.
class Child {
 public:
  static Result<Child> start(const Command& command);
  Child(Child&& other) noexcept;
  Child& operator=(Child&& other) noexcept;
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  ~Child();

  [[nodiscard]] pid_t pid() const { return pid_; }
  [[nodiscard]] int input() const { return input_; }    ///< write end of its standard input, -1 once closed
  [[nodiscard]] int output() const { return output_; }  ///< read end of its standard output
  [[nodiscard]] int errors() const { return errors_; }  ///< read end of its standard error
  [[nodiscard]] int pidfd() const { return pidfd_; }    ///< readable once it has ended
  void closeInput();
  /// To the whole group; nothing once it was reaped. Under a keeper SIGKILL ends all that came of the
  /// command.
  void kill(int signal) const;
  void killOrphans() const;  ///< under a keeper: what has lost its parent, such as daemons
  /// Waits for the end at most `limit` and reaps; nullopt-like: `false` in `.first` when it still runs.
  std::pair<bool, Ending> wait(std::chrono::milliseconds limit);

 private:
  Child() = default;
  pid_t pid_ = -1;
  int input_ = -1, output_ = -1, errors_ = -1, pidfd_ = -1;
  bool reaped_ = false, kept_ = false;
  Ending ending_;
};

}  // namespace wb
