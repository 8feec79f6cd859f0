// SPDX-License-Identifier: Apache-2.0
#include "app/cli/options/option_errors.h"

#include "core/jobs/job_errors.h"

namespace wb {
namespace {

/// A remedy, and what the command line adds to it.
struct RemedyOptions {
  std::string_view remedy, options;
};
constexpr RemedyOptions rows[] = {
    {Remedy::sayLanguage, "with --language NAME; see warpbench list languages"},
    {Remedy::nameOperators, "with --op NAME or --ops '*'"},
    {Remedy::choosePython, "with --python"},
    {Remedy::giveDataSet, "with --alternative-torchbench-data-path FILE"},
    {Remedy::readOlderLayouts, "with --backend pregenerated"},
    {Remedy::judgeOurWay, "without --like-backendbench"},
    {Remedy::readDirectory, "with --backend directory --ops-directory FOLDER"},
};

}  // namespace

Error withOptions(Error error) {
  for (const RemedyOptions& row : rows)
    if (const auto at = error.hint.find(row.remedy); at != std::string::npos)
      error.hint.insert(at + row.remedy.size(), " " + std::string(row.options));
  return error;
}

}  // namespace wb
