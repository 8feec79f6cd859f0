// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/given_cases.h"

#include "core/base/text.h"
#include "core/jobs/job_errors.h"
#include "core/suites/trace_file.h"

namespace wb {

Result<Suite> givenCases(std::string_view text, const std::string& op) {
  Suite suite{.name = "given cases"};
  if (text.find("Operator:") != std::string_view::npos) {
    WB_TRY(suite.cases, parseTrace(text, "cases"));
  } else {
    if (op.empty()) return wrong("cases without an operator", "give 'op' too, or an 'Operator:' line");
    int number = 0;
    for (const std::string_view line : splitLines(text)) {
      ++number;
      if (trimmed(line).empty()) continue;
      auto made = makeCase(op, 1, trimmed(line));
      if (!made) {
        Error error = std::move(made).error();
        error.place = {"cases", number, error.place.column};
        return error;
      }
      suite.cases.push_back(*std::move(made));
    }
  }
  if (suite.cases.empty()) return wrong("'cases' holds no case", "write ((T([64, 64], f32),), {})");
  return suite;
}

}  // namespace wb
