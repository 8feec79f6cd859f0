// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/LegacyTypeDispatch.h>
#include <c10/core/GradMode.h>
#include <c10/core/impl/LocalDispatchKeySet.h>

namespace wb {

/// While it lives, torch records no gradients in this thread, and calls do not pass by autograd, which would
/// cost some hundred nanoseconds each. Tensors are ordinary ones all the same: those of inference mode could
/// not be written to by a thread of the kernel's own, which is not in that mode.
class NoGradients {
  c10::AutoGradMode mode_{false};
  at::AutoDispatchBelowADInplaceOrView below_;
};

/// The opposite, as torch is at its start: for code that is loaded.
class WithGradients {
  c10::AutoGradMode mode_{true};
  c10::impl::ForceDispatchKeyGuard ordinary_{
      c10::impl::LocalDispatchKeySet(c10::impl::PODLocalDispatchKeySet{})};
};

}  // namespace wb
