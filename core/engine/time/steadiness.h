// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "core/model/measurement.h"

namespace wb {

/// Finds out when a device has warmed up: its blocks take as long as those before, and its clock, where that
/// is known, stays within 1 % over five blocks.
class WarmUp {
 public:
  /// `awake` says that the device worked until just now, so that two blocks that agree are enough.
  explicit WarmUp(bool awake) : awake_(awake) {}
  void add(double blockSeconds, const std::optional<Conditions>& conditions);
  [[nodiscard]] bool steady() const;

 private:
  bool awake_;
  std::vector<double> times_, hertz_;
};

/// The blocks as they are taken, and which of them count.
class Blocks {
 public:
  /// `interrupted` says how often others were given a processor while the block was taken.
  void add(const Block& block, const std::optional<Conditions>& conditions, long interrupted = 0,
           double seconds = 0, std::size_t draw = 0);
  [[nodiscard]] std::size_t size() const { return all_.size(); }
  /// The blocks without those in which the clock changed by more than 2 % compared with the block before,
  /// unless that is more than a fifth of them: then all. Those that were interrupted are left out too, if
  /// enough for an interval remain.
  [[nodiscard]] std::vector<Block> kept() const;
  /// The draw of each block in kept().
  [[nodiscard]] std::vector<std::size_t> draws() const;
  /// Moves what is kept into the timing, with the conditions and the number of those left out. Gives a note
  /// when the clock changed in too many of them to leave them out; else "".
  [[nodiscard]] std::string moveInto(CaseTiming& timing);
  /// Whether others had the processors so often that too few blocks are left to tell anything.
  [[nodiscard]] bool tooBusy() const { return interrupted_ > 0 && !leavesInterruptedOut(); }

 private:
  [[nodiscard]] bool leavesInterruptedOut() const;
  [[nodiscard]] std::string busyNote() const;
  [[nodiscard]] bool leavesOut() const { return changed_ * 5 <= all_.size(); }
  struct Taken {
    Block block;
    bool changed = false, interrupted = false;
    std::optional<Conditions> conditions;
    std::size_t draw = 0;
  };
  [[nodiscard]] std::vector<const Taken*> counted() const;
  std::vector<Taken> all_;
  std::size_t changed_ = 0, interrupted_ = 0;
  double lastHertz_ = 0;
};

}  // namespace wb
