// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "core/engine/compile/compiler.h"
#include "core/engine/guest/guest_session.h"

namespace wb {

/// A problem's reference, or why it was compiled alone and does not run here.
struct ProblemThere {
  std::optional<OwnReference> reference;
  std::string notRun, toolchain;
};

/// Loads a problem's reference into a guest of its own, in which the kernel's code does not run. It becomes
/// an operator of this process's dispatcher whose calls run there, so that it is called, checked and timed as
/// any of ATen's; the operator goes with `inputs` of what is given. Its inputs are made there, too. Errors:
/// the reference does not load, or what the guest says of it is no schema.
Result<ProblemThere> problemInGuest(const std::shared_ptr<GuestSession>& session, const LoadOrder& order);

/// What the problem's get_inputs() makes of a seed in the guest in which its reference is loaded. Errors: it
/// fails there, or gives more than `mostBytes` bytes.
Result<Stack> inputsInGuest(GuestSession& session, std::uint64_t seed, std::int64_t mostBytes);

/// A problem's model in its guest. It answers by the word of that process: a kernel that says something else
/// is asked for less, and is right about no more.
[[nodiscard]] std::shared_ptr<ProblemModel> modelInGuest(std::shared_ptr<GuestSession> session);

}  // namespace wb
