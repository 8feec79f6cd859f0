// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/model/operators/catalogue.h"

namespace wb {

/// The operators of torch; the worker writes their list where there is none yet.
Result<Catalogue> catalogueOfTorch();

}  // namespace wb
