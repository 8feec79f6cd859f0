// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string_view>

#include "core/base/result.h"
#include "core/model/event.h"
#include "core/model/job.h"
#include "core/model/report.h"

namespace wb {

// The JSON form of the model, which the wire, `--json` and saved reports share. Doubles that JSON cannot say
// are the strings "nan", "inf", "-inf". Unknown keys are ignored, missing ones take the member's default.
// Reading errors name the path ("kernels[0].text: expected a string"). Text is always written as valid UTF-8.

[[nodiscard]] nlohmann::json toJson(const Job& job);
/// The object {"event": "StepDone", …members}.
[[nodiscard]] nlohmann::json toJson(const Event& event);
[[nodiscard]] nlohmann::json toJson(const Report& report);
[[nodiscard]] nlohmann::json toJson(const Target& target);
[[nodiscard]] nlohmann::json toJson(const Error& error);

Result<Job> jobFromJson(const nlohmann::json& json);
Result<Event> eventFromJson(const nlohmann::json& json);
/// Reads a report; refuses another schema version.
Result<Report> reportFromJson(const nlohmann::json& json);
Result<Target> targetFromJson(const nlohmann::json& json);

/// A dump() that never throws: invalid UTF-8 is replaced. `indent` −1 is one line.
[[nodiscard]] std::string dump(const nlohmann::json& json, int indent = -1);
/// A parse() that never throws.
Result<nlohmann::json> parseJson(std::string_view text);

}  // namespace wb
