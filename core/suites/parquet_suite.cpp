// SPDX-License-Identifier: Apache-2.0
#include "core/suites/parquet_suite.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <optional>
#include <utility>

#include "core/suites/python_script.h"
#include "core/suites/trace_file.h"

namespace wb {
namespace {

/// The case of a line "row<TAB>operator<TAB>count<TAB>arguments".
Result<Case> caseOf(std::string_view line, const std::string& file) {
  std::array<std::string_view, 4> fields;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    const auto end = i + 1 < fields.size() ? std::min(line.find('\t'), line.size()) : line.size();
    fields[i] = line.substr(0, end);
    line.remove_prefix(std::min(end + 1, line.size()));
  }
  int row = 0;
  std::int64_t count = 0;
  std::from_chars(fields[0].data(), fields[0].data() + fields[0].size(), row);
  std::from_chars(fields[2].data(), fields[2].data() + fields[2].size(), count);
  auto definition = makeCase(fields[1], count, unescapeField(fields[3]));
  if (!definition) {
    Error error = std::move(definition).error();
    error.text = fmt::format("row {}: {}", row, error.text);
    error.place = Place{file, row, error.place.column};
    return error;
  }
  definition->origin = Place{file, row, 0};
  return definition;
}

}  // namespace

Result<Suite> parquetSuite(const std::filesystem::path& file, const SuiteProgress& progress,
                           const std::string& python) {
  if (progress.onText) progress.onText(fmt::format("reading {}", file.string()));
  Suite suite{.name = file.filename().string(), .scoreTrivial = true};
  std::optional<Error> broken;
  const auto read = runScript(
      {"read_parquet.py", {file.string()}, fmt::format("reading {}", file.string()), python},
      [&](std::string_view line) {
        if (broken) return;
        auto definition = caseOf(line, file.string());
        if (definition)
          suite.cases.push_back(*std::move(definition));
        else
          broken = std::move(definition).error();
      },
      progress.stop);
  if (broken) return *std::move(broken);
  if (!read) return read.error();
  if (suite.cases.empty())
    return Error{Stage::job, fmt::format("{} has no rows that are in the benchmark", file.string()),
                 "the column included_in_benchmark says which are", Place{file.string()}};
  return suite;
}

}  // namespace wb
