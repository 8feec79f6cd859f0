// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "core/base/result.h"

namespace wb {

/// An error of the command line itself.
[[nodiscard]] inline Error usageError(std::string text, std::string hint) {
  return {Stage::job, std::move(text), std::move(hint), {}};
}

/// The same error after the name of the option whose value it is about: "--tolerance: …".
[[nodiscard]] inline Error of(std::string_view option, Error error) {
  error.text = std::string(option) + ": " + error.text;
  return error;
}

/// The error with the options behind what its hint says can be done (core/jobs/job_errors.h).
[[nodiscard]] Error withOptions(Error error);

}  // namespace wb
