// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace wb::asset {

/// The text of resources/metrics/catalogue.json, built in.
extern const std::string_view metricCatalogue;

}  // namespace wb::asset
