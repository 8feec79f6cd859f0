// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/function_schema.h>

#include <memory>

#include "core/engine/call.h"
#include "core/engine/guest/guest_session.h"

namespace wb {

/// A kernel that runs in a guest, as its judge sees it. `random`: its operator draws from torch's generator,
/// whose state goes with each call.
[[nodiscard]] std::unique_ptr<Candidate> guestCandidate(std::shared_ptr<GuestSession> session, bool random);

}  // namespace wb
