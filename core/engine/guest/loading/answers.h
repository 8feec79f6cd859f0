// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <stop_token>

#include "core/engine/compile/host/text_builds.h"
#include "core/engine/guest/channel/bytes.h"
#include "core/engine/guest/loading/kernel_answers.h"

namespace wb {

/// Who answers what a guest asks while it loads a kernel; either may be null, for nobody.
struct Answerers {
  TextBuilds* builds = nullptr;
  KernelAnswers* kernels = nullptr;
};

/// Whether a guest's message asks something, in the place of an answer.
[[nodiscard]] bool isQuestion(std::span<const std::byte> message);

/// The judge's answer within so many seconds. What is asked may be anything: what makes no sense is answered
/// with no.
[[nodiscard]] Bytes answerTo(std::span<const std::byte> question, const Answerers& answerers, double seconds,
                             const std::stop_token& stop);

}  // namespace wb
