// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "core/base/result.h"
#include "core/suites/suites.h"

namespace wb {

// These suites change a few known-good calls of each operator, taken from smoke and, where its cache exists,
// from opinfo (float32 and the request's dtype). Only text is changed: a call that the reference rejects
// becomes a void case. `Case::group` says what was changed, "shapes: odd". Only the request's operators are
// made. Errors: an unknown dtype, an operator filter that matches nothing.

Result<Suite> shapesSuite(const SuiteRequest& request, const SuiteProgress& progress);
Result<Suite> layoutsSuite(const SuiteRequest& request, const SuiteProgress& progress);
Result<Suite> valuesSuite(const SuiteRequest& request, const SuiteProgress& progress);
/// One call of each operator and type over powers of two, for speedup against size.
Result<Suite> sweepSuite(const SuiteRequest& request, const SuiteProgress& progress);

/// Whether the operator can be checked with drawn values: not where its result is random or uninitialised
/// memory, nor where it needs a matrix of a special kind.
[[nodiscard]] bool isPerturbable(std::string_view schemaName);

}  // namespace wb
