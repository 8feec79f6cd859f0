// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>

namespace wb {

/// What a call's threads were seen at, again and again: how often in which functions of torch's own
/// libraries, by where they begin.
struct SeenCode {
  using Functions = std::map<std::uintptr_t, std::size_t>;
  /// All of torch's, and those that ran while no operator was seen (operator_watch.h).
  Functions torchs, hidden;
  /// How often it was seen at all, in whatever code.
  std::size_t looks = 0;
  /// How often the calling thread was interrupted for it, and how often as soon as it let signals in again.
  std::size_t interruptions = 0, heldOff = 0;

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
  void* timer_ = nullptr;
  /// The first timer of a process is the number 0, so a null pointer may be one.
  bool isOn_ = false, hasTimer_ = false;
};

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
