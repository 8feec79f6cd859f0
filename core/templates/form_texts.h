// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

/// The texts of core/templates/forms, which the build embeds; `{{word}}` is filled in.
namespace wb::asset {
extern const std::string_view cppElementwise, cppReduction, cppSoftmax, cppLayerNorm, cppMatmul, cppAten;
extern const std::string_view pythonAten;
extern const std::string_view tritonElementwise, tritonReduction, tritonSoftmax, tritonLayerNorm,
    tritonMatmul, tritonAten;
extern const std::string_view rawElementwise, rawReduction, rawSoftmax, rawLayerNorm, rawMatmul, rawBegin;
extern const std::string_view cudaElementwise, cudaAten;
}  // namespace wb::asset
