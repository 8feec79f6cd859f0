// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/figures/figure.h"
#include "core/model/report.h"

namespace wb {

/// What a run came to, in one line: which kernel, how much of it is right, how fast it is, and on what.
struct VerdictLine {
  struct Part {
    std::string text;
    Tone tone = Tone::neutral;
    bool operator==(const Part&) const = default;
  };
  /// In the order in which they are read, the kernel first.
  std::vector<Part> parts;
  /// The time by ISO 8601, in UTC; "" before the run began.
  std::string startedAt;
  /// Why this is not the last word, as a sentence; "" where it is.
  std::string caveat;
  bool operator==(const VerdictLine&) const = default;
};
[[nodiscard]] VerdictLine verdictLine(const Report& report);

/// The targets on which a run went, "box", "box and rented"; "" where it went on the reader's own machine.
[[nodiscard]] std::string targetsText(const Report& report);

/// How a reader counts time.
struct ReadersClock {
  /// The date of today, "2026-11-22"; times of that day are said without it, those of that year without the
  /// year. Whoever does not know when it will be read leaves it empty.
  std::string today;
  int minutesFromUtc = 0;
  /// What is said behind the time: "UTC".
  std::string zone;
  /// Seconds are said too, where a minute has several runs.
  bool saysSeconds = false;
};
/// A time by ISO 8601 as a reader sees it: "12:20", "12:20:57", "21 Nov 23:44", "2025-11-21
/// 23:44"; "" where there is none.
[[nodiscard]] std::string timeOfDay(std::string_view iso, const ReadersClock& clock);

/// The line as one text: "relu.cpp · 15 of 15 right · 1.07× (1.02 – 1.12×), faster · smoke · CPU ·
/// 2026-11-22 12:20 UTC".
[[nodiscard]] std::string verdictText(const VerdictLine& line, const ReadersClock& clock = {{}, 0, "UTC"});

/// What has changed since a run, as seen by somebody who has its source open.
struct SinceThen {
  /// The kernel that is open now, where it is another one.
  std::string otherKernel;
  /// The next run is under way, and has no result yet.
  bool nextIsUnderWay = false;
  /// What the next run failed with, before it had a result.
  std::string nextFailed;
  bool sourceChanged = false;
};
/// The same line with the most important reason why it does not hold any more.
[[nodiscard]] VerdictLine asOfNow(VerdictLine line, const SinceThen& since);

}  // namespace wb
