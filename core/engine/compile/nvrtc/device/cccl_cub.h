// SPDX-License-Identifier: Apache-2.0
// Stands in for cub/cub.cuh, whose algorithms over the whole device NVRTC cannot compile: those of blocks and
// warps.
#pragma once

#include <cub/block/block_exchange.cuh>
#include <cub/block/block_load.cuh>
#include <cub/block/block_radix_sort.cuh>
#include <cub/block/block_reduce.cuh>
#include <cub/block/block_scan.cuh>
#include <cub/block/block_store.cuh>
#include <cub/warp/warp_reduce.cuh>
#include <cub/warp/warp_scan.cuh>
