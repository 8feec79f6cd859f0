// SPDX-License-Identifier: Apache-2.0
#include "core/engine/sides/process/one_thread.h"

#include "core/engine/sides/process/loaded_function.h"

namespace wb {
namespace {

/// What there is of OpenMP and MKL in this process; null where one is not there.
struct Threading {
  int (*most)() = nullptr;
  void (*setMost)(int) = nullptr;
  /// Gives what was set before; 0 is what all threads go by.
  int (*setMkls)(int) = nullptr;
};

const Threading& threading() {
  static const Threading known{loadedFunction<int()>("omp_get_max_threads"),
                               loadedFunction<void(int)>("omp_set_num_threads"),
                               loadedFunction<int(int)>("MKL_Set_Num_Threads_Local")};
  return known;
}

}  // namespace

OneThread::OneThread() {
  const Threading& known = threading();
  if (known.most != nullptr && known.setMost != nullptr) {
    before_ = known.most();
    known.setMost(1);
  }
  if (known.setMkls != nullptr) mklBefore_ = known.setMkls(1);
}

OneThread::~OneThread() {
  const Threading& known = threading();
  if (before_ > 0) known.setMost(before_);
  if (known.setMkls != nullptr) known.setMkls(mklBefore_);
}

}  // namespace wb
