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

/// How often another thread was given a processor that a side's threads had, while a block was taken.
struct Interruptions {
  long reference = 0, candidate = 0;
};

/// The blocks as they are taken, and which of them count.
class Blocks {
 public:
  void add(const Block& block, const std::optional<Conditions>& conditions, Interruptions interrupted = {},
           double seconds = 0, std::size_t draw = 0);
  [[nodiscard]] std::size_t size() const { return all_.size(); }
  /// The blocks without those in which the clock changed by more than 2 % compared with the block before,
  /// unless that is more than a fifth of them: then all. Those that were interrupted are left out too, if
  /// enough for an interval remain. Where the candidate alone is interrupted, it starts more threads than
  /// there are processors. Then all blocks count, as those of one that is three times slower do, since it
  /// would choose those that do not.
  [[nodiscard]] std::vector<Block> kept() const;
  /// The draw of each block in kept().
  [[nodiscard]] std::vector<std::size_t> draws() const;
  /// Moves what is kept into the timing, with the conditions and the number of those left out. Gives a note
  /// when the clock changed in too many of them to leave them out; else "".
  [[nodiscard]] std::string moveInto(CaseTiming& timing);
  /// Says that the candidate takes much longer now and then, which no median shows, where the reference does
  /// not; "" where it does not. What was interrupted says nothing of that.
  [[nodiscard]] std::string stallNote() const;
  /// Whether others had the processors so often that too few blocks are left to tell anything.
  [[nodiscard]] bool tooBusy() const { return othersWork() && !leavesInterruptedOut(); }

 private:
  [[nodiscard]] bool leavesInterruptedOut() const;
  [[nodiscard]] bool othersWork() const;
  [[nodiscard]] bool isMuchSlower() const;
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
  Interruptions sum_;
  /// The seconds of all blocks' calls, for one call of a sample each.
  double reference_ = 0, candidate_ = 0;
  double lastHertz_ = 0;
};

}  // namespace wb
