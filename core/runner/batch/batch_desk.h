// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace wb {

/// Answers what is asked of runs that lie on this machine by one that reaches it by ssh. A request is a line
/// of JSON, and the answer is one, behind `batchMark`; what is wrong is in its "error", as "text" and "hint".
///
///   "do"       with                                                        gives
///   "where"    "id"                                                        "folder": where that run would
///   lie "take"     "id", "target", "workers", "job", "submit"; behind the      "script": its text, "path",
///              line the files beside its kernels, packed                   "number": of the job, or ""
///   "look"     "id", "have": for each shard how many bytes of its events   "parts": for each shard what
///   comes
///              are known, "queue": whether the scheduler is to be asked    next, in whole lines, "more", and
///              if
///                                                                          asked "waiting", "running",
///                                                                          "reason", "endedBy", or
///                                                                          "unanswered", as an "error"
///   "cancel"   "id"
/// `bundle` is the folder of the programs that were brought here (core/runner/remote/ssh/bundle.h).
[[nodiscard]] std::string answerAboutBatch(std::string_view request, const std::filesystem::path& bundle);

inline constexpr std::string_view batchMark = "\nWARPBENCH BATCH\n";

}  // namespace wb
