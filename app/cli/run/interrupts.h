// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <thread>

namespace wb {

/// While it lives, Ctrl-C (or SIGTERM, or a terminal that hangs up) asks the run to end, and a second one
/// ends the program with 130. There may be one at a time.
class Interrupts {
 public:
  /// `cancel` is called on a thread of its own.
  explicit Interrupts(std::function<void()> cancel);
  ~Interrupts();
  Interrupts(const Interrupts&) = delete;
  Interrupts& operator=(const Interrupts&) = delete;

 private:
  void watch(const std::stop_token& stop) const;
  std::function<void()> cancel_;
  std::jthread thread_;
};

}  // namespace wb
