// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "core/base/result.h"
#include "core/suites/suites.h"

namespace wb {

// Suites that are made of known-good calls, of smoke and, where its cache is there, of opinfo (float32 and
// the request's dtype): a few of each operator, changed. Pure text: a call that the reference rejects after
// all becomes a void case. `Case::group` says what was changed, "shapes: odd". Only the request's operators
// are made. Errors: an unknown dtype, an operator filter that matches nothing.

Result<Suite> shapesSuite(const SuiteRequest& request, const SuiteProgress& progress);
Result<Suite> layoutsSuite(const SuiteRequest& request, const SuiteProgress& progress);
Result<Suite> valuesSuite(const SuiteRequest& request, const SuiteProgress& progress);

/// Whether drawn values are a fair question to it: not where the result is random or uninitialised memory,
/// nor where it needs a matrix of a special kind.
[[nodiscard]] bool isPerturbable(std::string_view schemaName);

}  // namespace wb
