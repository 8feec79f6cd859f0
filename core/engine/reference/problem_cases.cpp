// SPDX-License-Identifier: Apache-2.0
#include "core/engine/reference/problem_cases.h"

#include <utility>

namespace wb {

std::vector<Case> problemCases(const std::string& op, const std::vector<std::string>& calls) {
  std::vector<Case> cases;
  for (const std::string& call : calls) {
    Case made;
    made.op = op;
    made.args = call;
    made.values = "own";
    made.seed = cases.size() + 1;
    if (!cases.empty()) made.use = CaseUse::check;
    cases.push_back(std::move(made));
  }
  return cases;
}

}  // namespace wb
