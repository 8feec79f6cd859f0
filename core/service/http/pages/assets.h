// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

// Files of core/service/http/pages; packaging/cmake/embed.cmake makes the definitions.
namespace wb::asset {

extern const std::string_view servicePage, serviceFrame, serviceScript, serviceStyle, serviceDocs,
    serviceDocsScript;

}  // namespace wb::asset
