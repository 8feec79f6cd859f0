// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/base/enum.h"

namespace wb {

/// Where in the flow something happened. `setup` is everything before a job (installation, worker start),
/// `job` the reading of what the user asked for, `report` the writing of results.
WB_ENUM(Stage, setup, job, compile, check, sanitize, time, profile, report);

/// A place in a text file. Lines and columns count from 1; 0 means unknown.
struct Place {
  std::string file;
  int line = 0;
  int column = 0;
  bool operator==(const Place&) const = default;
};

/// "file:12:3", "file:12", "file" or "", whichever is known.
[[nodiscard]] std::string text(const Place& place);

/// What went wrong, said so that the reader can act: the stage, what happened, and what to do about it.
struct Error {
  Stage stage = Stage::job;
  /// What happened, one sentence or a compiler's own words.
  std::string text{};
  /// What to do about it; may be empty.
  std::string hint{};
  /// Where it happened, if it is about a text.
  Place place{};
  /// The type of an exception that user code raised: "<class 'RuntimeError'>".
  std::string type{};
  /// Its traceback, as its language prints it.
  std::string trace{};
  bool operator==(const Error&) const = default;
};

/// One line for people: "file:3:7: text (hint)".
[[nodiscard]] std::string describe(const Error& error);

}  // namespace wb
