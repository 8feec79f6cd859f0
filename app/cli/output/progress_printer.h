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
/// thing that is worth one. Takes snapshots and events from the runner's threads.
class ProgressPrinter {
 public:
  ProgressPrinter(std::FILE* stream, Terminal terminal, bool verbose);
  /// Shows what was compiled, diagnostics, failed cases and log lines.
  void take(const Job& job, const Event& event);
  /// Shows where the run is now.
  void show(const Report& report);
  /// Removes the live line.
  void clear();

 private:
  void line(const std::string& text);
  std::FILE* stream_;
  Terminal terminal_;
  bool verbose_;
  std::mutex mutex_;
  bool live_ = false, toldFirstCall_ = false;
  /// The planned cases of each kernel, to name failed ones.
  std::vector<std::vector<Case>> planned_;
  /// How many diagnostics of each kernel were shown.
  std::map<std::uint32_t, int> diagnostics_;
};

}  // namespace wb
