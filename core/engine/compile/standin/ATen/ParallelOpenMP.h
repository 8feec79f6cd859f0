// SPDX-License-Identifier: Apache-2.0
// at::parallel_for on several threads without -fopenmp: torch's own header is serial then, and clang++ has no
// OpenMP runtime that shares threads with the libgomp that torch has loaded. This calls that libgomp
// directly, so that a kernel and its reference use one pool of threads. Shadows torch's header of this name
// (torch 2.11: the same contract, same names).
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <exception>

#define INTRA_OP_PARALLEL

extern "C" {
void GOMP_parallel(void (*work)(void*), void* data, unsigned threads, unsigned flags);
int omp_get_num_threads(void) noexcept;
int omp_get_thread_num(void) noexcept;
}

namespace at::internal {

template <typename F>
struct ParallelWork {
  int64_t begin, end, grainSize;
  const F& f;
  std::atomic_flag failed = ATOMIC_FLAG_INIT;
  std::exception_ptr failure;

  static void run(void* data) {
    auto& work = *static_cast<ParallelWork*>(data);
    int64_t threads = omp_get_num_threads();
    if (work.grainSize > 0) threads = std::min(threads, divup(work.end - work.begin, work.grainSize));
    const int64_t thread = omp_get_thread_num();
    const int64_t chunk = divup(work.end - work.begin, threads);
    const int64_t first = work.begin + thread * chunk;
    if (first >= work.end) return;
    try {
      ThreadIdGuard guard(static_cast<int>(thread));
      work.f(first, std::min(work.end, first + chunk));
    } catch (...) {
      if (!work.failed.test_and_set()) work.failure = std::current_exception();
    }
  }
};

template <typename F>
inline void invoke_parallel(int64_t begin, int64_t end, int64_t grain_size, const F& f) {
  ParallelWork<F> work{begin, end, grain_size, f, ATOMIC_FLAG_INIT, nullptr};
  GOMP_parallel(&ParallelWork<F>::run, &work, 0, 0);
  if (work.failure) std::rethrow_exception(work.failure);
}

}  // namespace at::internal
