// SPDX-License-Identifier: Apache-2.0
// Stands in for torch's Exception.h: device code throws nothing.
#pragma once

#include <torch/headeronly/macros/Macros.h>
#define STD_TORCH_CHECK(...) ((void)0)
