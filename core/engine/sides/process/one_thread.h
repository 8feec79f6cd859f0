// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace wb {

/// While it lives, torch and MKL work for the calling thread in that thread alone. Unlike
/// at::set_num_threads() it leaves what MKL decides for itself, and torch's other pools, as they are.
class OneThread {
 public:
  OneThread();
  ~OneThread();
  OneThread(const OneThread&) = delete;
  OneThread& operator=(const OneThread&) = delete;

 private:
  int before_ = 0, mklBefore_ = 0;
};

}  // namespace wb
