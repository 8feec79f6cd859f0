// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "app/cli/commands/verb.h"
#include "app/cli/output/output.h"
#include "core/base/files/file.h"
#include "core/model/exit/exit_status.h"
#include "core/model/languages.h"
#include "core/runner/prepare.h"
#include "core/suites/suites.h"
#include "core/templates/new_kernel.h"

namespace wb {
namespace {

struct Options {
  std::string op, language = "torch_cpp", output;
  bool force = false;
};

std::string languageIds() {
  std::vector<std::string_view> ids;
  for (const Language& language : languages())
    if (!language.templateFile.empty()) ids.push_back(language.id);
  return fmt::format("{}", fmt::join(ids, ", "));
}

/// Writes the first kernel, or shows it for the output "-".
Result<void> write(const Options& options) {
  WB_TRY(const Catalogue catalogue, catalogueOfTorch());
  WB_TRY(const OperatorEntry entry, resolveOperator(options.op, catalogue.operators));
  WB_TRY(const NewKernel kernel, newKernel(entry.schema, options.language));
  if (options.output == "-") {
    show(kernel.text);
    return {};
  }
  const std::filesystem::path file = options.output.empty() ? kernel.file : options.output;
  std::error_code ignored;
  if (!options.force && std::filesystem::exists(file, ignored))
    return Error{Stage::job, fmt::format("{} is there already", file.string()),
                 "choose another --output, or --force"};
  WB_DO(writeFileAtomically(file, kernel.text));
  show(fmt::format("{}: {}, {}\nRun it: warpbench run {} --suite {}{}\n", file.string(), entry.name,
                   kernel.form, file.string(), suiteWith(entry.name),
                   entry.name.starts_with("aten::") ? "" : " --op " + entry.name));
  return {};
}

}  // namespace

Verb newVerb() {
  auto options = std::make_shared<Options>();
  const auto declare = [options](CLI::App& app) {
    app.add_option("OPERATOR", options->op,
                   "Operator of ATen, e.g. gelu, sum.dim_IntList (see: warpbench list operators)")
        ->required();
    app.add_option("--language", options->language, fmt::format("Language of the kernel: {}", languageIds()))
        ->capture_default_str();
    app.add_option("--output", options->output,
                   "File to write, or - to show it; otherwise the operator's name here");
    app.add_flag("--force", options->force, "Write over a file that is there");
  };
  const auto run = [options](const std::string&) {
    const Result<void> written = write(*options);
    if (written) return int(ExitStatus::good);
    complain(written.error());
    return int(ExitStatus::usage);
  };
  return {"new", "Write a first kernel for an operator, with the right signature and a right answer", declare,
          run};
}

}  // namespace wb
