// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace wb {

/// The kernel of `selftest` that waits and copies, in CUDA C++. The reference and the kernels that stand
/// against it are this one text, so that only their wait differs.
inline constexpr std::string_view spinKernel = R"cu(__device__ long long timer() {
  long long now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  return now;
}

__global__ void spin(const float* x, float* y, long long cycles, long long n) {
  const long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
  const float value = i < n ? x[i] : 0;
  if (value == 12345.0f) cycles = 0;  // the wait begins when the value that was read has come
  const long long start = clock64();
  // 2048 cycles are long enough for the code that follows to be fetched. The last loop takes whole rounds of
  // some 30 cycles. The few cycles from the timer, which differ between launches, even that out.
  const long long least = 2048 + (timer() >> 10 & 31);
  long long left = least + cycles;
  if (cycles >= 30000) {  // the clock does not keep its pace for so long, but the timer does
    const long long nanoseconds = cycles * 50 / 99;  // at 1980 MHz
    const long long was = timer();
    long long edge = was;
    while (edge == was) edge = timer();
    const long long begin = clock64();
    long long now = edge;
    while (now - edge < nanoseconds - 6000) now = timer();
    const long long passed = clock64() - begin;
    left = least + passed + (long long)((nanoseconds - (now - edge)) * ((float)passed / (now - edge)));
  }
  while (clock64() - start < left) {
  }
  if (i < n) y[i] = value;
}
)cu";

}  // namespace wb
