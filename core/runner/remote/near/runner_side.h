// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <poll.h>

#include <optional>
#include <string>
#include <vector>

namespace wb {

/// The near end's side to the runner, which takes it for the worker: this process's three streams and the
/// signals of whoever keeps it. Nothing here waits but flush().
class RunnerSide {
 public:
  /// From now on SIGTERM, SIGQUIT and SIGUSR1 only come by takeSignals(), and the streams make nobody wait.
  RunnerSide();
  ~RunnerSide();
  RunnerSide(const RunnerSide&) = delete;
  RunnerSide& operator=(const RunnerSide&) = delete;

  /// Adds the descriptors to wait for.
  void appendTo(std::vector<pollfd>& waiting, bool mayRead) const;
  [[nodiscard]] std::vector<int> takeSignals() const;

  [[nodiscard]] bool isInputOpen() const { return isInputOpen_; }
  /// What the runner has written; "" where that is nothing now. Nothing: it writes no more.
  std::optional<std::string> read();

  /// Kept until the runner takes it: what the worker says, and what it says on standard error.
  void put(const std::string& output) { output_ += output; }
  void putErrors(const std::string& text) { errors_ += text; }
  /// So little waits for the runner that more may be put.
  [[nodiscard]] bool hasRoom() const;
  /// Writes what the runner takes now.
  void write();
  /// Writes what is left, for as long as somebody reads it; for ten seconds at most.
  void flush();

  /// Leaves the runner: nothing is read from it and written to it any more.
  void leave();

 private:
  int signals_;
  bool isInputOpen_ = true;
  std::string output_, errors_;
};

}  // namespace wb
