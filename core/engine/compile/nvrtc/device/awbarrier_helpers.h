// SPDX-License-Identifier: Apache-2.0
// CUDA's cuda_awbarrier_helpers.h, which declares integer types of its own for NVRTC. Without the macro of
// NVRTC it includes <stdint.h>, as for nvcc.
#pragma once

#include "warpbench_numbers.h"

#undef __CUDACC_RTC__
// By this way it is the file in CUDA's folder and not this one.
#include <../include/cuda_awbarrier_helpers.h>
#define __CUDACC_RTC__ 1
