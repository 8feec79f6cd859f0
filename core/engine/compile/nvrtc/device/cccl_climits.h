// SPDX-License-Identifier: Apache-2.0
// libcu++'s <cuda/std/climits>, which defines macros anew for NVRTC without asking whether they are there.
// They become again what they are for nvcc; nobody is warned of that.
#pragma once

#include "warpbench_numbers.h"

#pragma nv_diagnostic push
#pragma nv_diag_suppress 47
// By this way it is the file in CUDA's folder and not this one.
#include <../cccl/cuda/std/climits>

#include "warpbench_climits.h"
#pragma nv_diagnostic pop
