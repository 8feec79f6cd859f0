// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <atomic>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <map>
#include <thread>
#include <vector>

#include "core/engine/call_elsewhere.h"

namespace wb {

/// What a call's threads were seen at, again and again: how often in which functions of torch's own
/// libraries, by where they begin. Where that is not known some kilobytes of code count as one. Code that was
/// made while the process runs counts as the function of torch's that has called it.
struct SeenCode {
  using Functions = std::map<std::uintptr_t, std::size_t>;
  /// All of them, and those that ran while no operator was seen (operator_watch.h).
  Functions torchs, hidden;
  /// A place in each of torch's that was executed: its begin, where it was seen first, or where it goes on
  /// behind code that was made.
  std::map<std::uintptr_t, std::uintptr_t> executed;
  /// How often it was seen at all, in whatever code.
  std::size_t looks = 0;
  /// How often the calling thread was interrupted for it; how often it was waiting in the system then; and
  /// how often that was as soon as it let signals in again.
  std::size_t interruptions = 0, waits = 0, heldOff = 0;

  void add(const SeenCode& more);
};

/// Looks at the calling thread every few microseconds while it lives, where the processor is told the time so
/// often: at the code that it executes. Where it waits in the system, the other threads are looked at
/// instead. There may be one at a time.
class CodeSamples {
 public:
  CodeSamples();
  ~CodeSamples();
  CodeSamples(const CodeSamples&) = delete;
  CodeSamples& operator=(const CodeSamples&) = delete;
  /// Ends the looking.
  [[nodiscard]] SeenCode take();

 private:
  void stop();
  bool isOn_ = false, hasTimer_ = false;
};

/// The same for calls that are timed, which nobody can tell from others beforehand: while this lives the
/// signal is handled, and the thread is there that sends it, whether anybody looks or not. There is no timer.
class UnforeseenLooks {
 public:
  /// At the thread that makes it.
  UnforeseenLooks();
  ~UnforeseenLooks();
  UnforeseenLooks(const UnforeseenLooks&) = delete;
  UnforeseenLooks& operator=(const UnforeseenLooks&) = delete;
  void begin();
  [[nodiscard]] SeenCode end();

 private:
  enum State : int { atRest, looking, ending };
  void send() const;
  pid_t looked_;
  struct sigaction before_ {};
  std::atomic<int> state_{atRest};
  std::thread sender_;
};

/// The functions in which a reference that works for so long in each call spends its time, the longest first.
/// What any call needs, such as
/// memory for its answer, takes less than what counts here. None where too little was seen.
[[nodiscard]] std::vector<HotCode> hotCodeOf(const SeenCode& reference, double secondsPerCall);

/// The share of the looks at a candidate, hidden or not, that met the reference's own functions.
[[nodiscard]] double sharedCode(const SeenCode& candidate, const SeenCode& reference);

/// The share of the interruptions that came as soon as the candidate let signals in again: it keeps them away
/// so that nobody looks. 0 where too little was seen.
[[nodiscard]] double heldOffShare(const SeenCode& candidate);

/// The share of a candidate's time that it spends in the functions in which the reference spends most of its
/// own, without having called an operator in which they would run: it calls them past torch's dispatcher, or
/// has switched torch's observers off. 0 where too little was seen.
[[nodiscard]] double hiddenShare(const SeenCode& candidate, const SeenCode& reference);

}  // namespace wb
