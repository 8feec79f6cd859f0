// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/figures/case_key.h"
#include "core/model/report.h"

namespace wb {

/// The case that an id names, "0/17"; "" is the first that failed. Errors: no such case, none failed.
Result<CaseKey> caseNamed(const Report& report, const std::string& id);

/// Everything about a case that did not pass, as Markdown: the verdict, what the case was made from, some
/// wrong elements and where they lie, and what to try.
[[nodiscard]] std::string explainCase(const Report& report, CaseKey key);

/// What the contents of a case's tensors are, as a sentence.
[[nodiscard]] std::string madeFrom(const Case& definition);
/// What is worth trying after such a verdict, one sentence each.
[[nodiscard]] std::vector<std::string> whatToTry(const CaseRow& row);

}  // namespace wb
