// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/ATen.h>
#include <gmock/gmock.h>

#include <cstdint>
#include <string>

#include "core/engine/check/check_stage.h"
#include "core/engine/check/further/further_questions.h"
#include "tests/engine/pipeline/lambda_candidate.h"

namespace wb {

inline constexpr double longEnough = 60;
/// Of the case that most of the kernels here are asked about.
inline constexpr std::int64_t elements = std::int64_t{8} * 16;

/// A kernel for one case that may be asked more about.
struct Questioned {
  explicit Questioned(const LambdaCandidate::Kernel& kernel, double forkSeconds = longEnough,
                      const std::string& op = "aten::relu",
                      const std::string& args = "((T([8, 16], f32),), {})")
      : bench(op, kernel),
        definition(bench.definition(args)),
        further{.seed = 7, .forkSeconds = forkSeconds, .forked = {&definition}},
        context(bench.context()) {
    context.further = &further;
  }
  Questioned(const Questioned&) = delete;
  Questioned& operator=(const Questioned&) = delete;

  Bench bench;
  const Case definition;
  FurtherQuestions further;
  KernelContext context;
};

/// The check of the case, with what was found beside it.
inline CaseCheck checked(const Questioned& asked) {
  CaseCheck check = checkCase(asked.context, asked.definition);
  check.elsewhere = asked.further.remark.words;
  return check;
}

/// The check of a kernel for relu on one case, with further questions.
inline CaseCheck checked(const LambdaCandidate::Kernel& kernel, double forkSeconds = longEnough,
                         const std::string& op = "aten::relu",
                         const std::string& args = "((T([8, 16], f32),), {})") {
  return checked(Questioned(kernel, forkSeconds, op, args));
}

inline Stack relu(const Stack& arguments) {
  return {arguments[0].toTensor().clamp_min(0)};
}

}  // namespace wb
