// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <string>

#include "app/cli/output/terminal.h"
#include "core/suites/suites.h"

namespace wb {

/// Says on standard error what goes on while a suite is made: one live line on a terminal, else a line now
/// and then. It must live until the suite is made.
class SuiteProgressLine {
 public:
  SuiteProgressLine();
  ~SuiteProgressLine();
  SuiteProgressLine(const SuiteProgressLine&) = delete;
  SuiteProgressLine& operator=(const SuiteProgressLine&) = delete;
  [[nodiscard]] SuiteProgress progress();

 private:
  void show(const std::string& text);
  Terminal terminal_;
  bool shown_ = false;
  std::chrono::steady_clock::time_point last_;
};

}  // namespace wb
