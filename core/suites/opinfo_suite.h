// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/suites/opinfo_index.h"
#include "core/suites/suites.h"

namespace wb {

/// torch's own samples of every operator (contract §2.2), for the request's dtype and device. Taken from the
/// user's cache, where one export of about 20 s puts them once per torch version; a cache that is damaged or
/// of another version is made again. Errors: unknown dtype or device, the export failed, stopped.
Result<Suite> opinfoSuite(const SuiteRequest& request, const SuiteProgress& progress);

/// As above, but nothing is made: an error where the cache has none.
Result<Suite> cachedOpinfoSuite(const SuiteRequest& request);

/// The error of a name that is no dtype; lists those there are.
[[nodiscard]] Error unknownDType(const std::string& name);

}  // namespace wb
