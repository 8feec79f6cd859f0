// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>

namespace wb {

/// What a thread was seen at, again and again: how often in which functions of torch's own libraries, by
/// where they begin.
struct SeenCode {
  using Functions = std::map<std::uintptr_t, std::size_t>;
  /// All of torch's, and those that ran while no operator was seen (operator_watch.h).
  Functions torchs, hidden;
  /// How often it was seen at all, in whatever code.
  std::size_t looks = 0;

  void add(const SeenCode& more);
};

/// Looks at the calling thread every few microseconds while it lives, where the processor is told the time so
/// often: at the code that it executes, which nobody can hide. There may be one at a time.
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

/// The share of a candidate's time that it spends in the functions in which the reference spends most of its
/// own, without having called an operator in which they would run: it calls them past torch's dispatcher, or
/// has switched torch's observers off. 0 where too little was seen.
[[nodiscard]] double hiddenShare(const SeenCode& candidate, const SeenCode& reference);

}  // namespace wb
