// SPDX-License-Identifier: Apache-2.0
#include "core/engine/reference/problem_models.h"

#include <algorithm>

namespace wb {

void rememberBuffers(const ProblemModels& models) {
  if (!models.areBoth()) return;
  models.reference->rememberBuffers();
  models.candidate->rememberBuffers();
}

std::string bufferLeft(const ProblemModels& models) {
  if (!models.areBoth()) return {};
  const std::vector<KeptBuffer> ours = models.reference->buffers(), theirs = models.candidate->buffers();
  const auto isLeft = [&](const KeptBuffer& each) {
    return each.changed &&
           std::find(theirs.begin(), theirs.end(), KeptBuffer{each.name, each.shape, false}) != theirs.end();
  };
  const auto left = std::find_if(ours.begin(), ours.end(), isLeft);
  return left == ours.end() ? std::string() : left->name;
}

ParametersDrawn drawParameters(const ProblemModels& models, std::uint64_t seed, ParameterValues values) {
  if (!models.areBoth()) return ParametersDrawn::none;
  const std::vector<DrawnParameter> ours = models.reference->drawParameters(seed, values);
  if (ours.empty()) return ParametersDrawn::none;
  return models.candidate->drawParameters(seed, values) == ours ? ParametersDrawn::alike
                                                                : ParametersDrawn::different;
}

}  // namespace wb
