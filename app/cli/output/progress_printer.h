// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstdio>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "app/cli/output/terminal.h"
#include "core/model/event.h"
#include "core/model/report.h"

namespace wb {

/// Shows a run while it goes on: on a terminal one line that is rewritten, in a pipe one plain line for each
/// thing worth one. Takes snapshots and events from the runner's threads.
class ProgressPrinter {
 public:
  ProgressPrinter(std::FILE* stream, Terminal terminal, bool verbose);
  void take(const Job& job, const Event& event);  ///< compiled, diagnostics, failed cases, log lines
  void show(const Report& report);                ///< where it is now
  void clear();                                   ///< removes the live line

 private:
  void line(const std::string& text);
  std::FILE* stream_;
  Terminal terminal_;
  bool verbose_;
  std::mutex mutex_;
  bool live_ = false, toldFirstCall_ = false;
  std::vector<std::vector<Case>> planned_;    ///< by kernel, to name failed cases
  std::map<std::uint32_t, int> diagnostics_;  ///< so many of each kernel
};

}  // namespace wb
