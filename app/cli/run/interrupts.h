// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <thread>

namespace wb {

/// While it lives, Ctrl-C (or SIGTERM, or a terminal that hangs up) asks the run to end, and a second one
/// ends the program with 130. One at a time.
class Interrupts {
 public:
  explicit Interrupts(std::function<void()> cancel);  ///< called on a thread of its own
  ~Interrupts();
  Interrupts(const Interrupts&) = delete;
  Interrupts& operator=(const Interrupts&) = delete;

 private:
  void watch(const std::stop_token& stop) const;
  std::function<void()> cancel_;
  std::jthread thread_;
};

}  // namespace wb
