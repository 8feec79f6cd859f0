// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/suites/opinfo_index.h"
#include "core/suites/suites.h"

namespace wb {

/// torch's own samples of every operator, for the request's dtype and device. They are taken from the user's
/// cache, which one export of about 20 s fills once per torch version; a cache that is damaged or of another
/// version is made again. Errors: unknown dtype or device, the export failed, stopped.
Result<Suite> opinfoSuite(const SuiteRequest& request, const SuiteProgress& progress);

/// As above, but the suite is only read: an error where the cache does not have it.
Result<Suite> cachedOpinfoSuite(const SuiteRequest& request);

/// The index of such a suite as it goes to another machine: the name of its file, a line end, and its text.
/// The values stay in the user's cache here.
Result<std::string> opinfoIndexText(const SuiteRequest& request, const SuiteProgress& progress);

/// The error for a name that is no dtype; it lists the dtypes there are.
[[nodiscard]] Error unknownDType(const std::string& name);

}  // namespace wb
