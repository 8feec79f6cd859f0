// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/kernel_sources.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <utility>

#include "core/base/files/file.h"
#include "core/base/text.h"
#include "core/jobs/job_errors.h"
#include "core/jobs/kernel_directory.h"
#include "core/jobs/problems.h"
#include "core/model/languages.h"
#include "core/model/operators/catalogue.h"

namespace wb {
namespace {

/// The names that `JobRequest::language` may have.
std::string allLanguages() {
  std::vector<std::string_view> ids;
  for (const Language& language : languages()) ids.push_back(language.id);
  return "languages are " + joined(ids, ", ");
}

Result<KernelSource> readKernel(const JobRequest& request, const std::string& file) {
  WB_TRY(auto kernel, readKernelFile(file, request.op));
  if (!request.language.empty()) kernel.language = request.language;
  if (kernel.language.empty())
    return Error{Stage::job, "no language for such a file", std::string(Remedy::sayLanguage),
                 Place{file, 0, 0}};
  return kernel;
}

/// Reads the files. A file that cannot be read is an error, unless it is one of many in a folder.
Result<std::vector<KernelSource>> readFiles(const JobRequest& request, std::vector<Error>& leftOut) {
  WB_TRY(const auto files, kernelFiles(request.files));
  std::vector<KernelSource> kernels;
  for (const std::string& file : files) {
    auto kernel = readKernel(request, file);
    if (kernel) {
      kernels.push_back(*std::move(kernel));
      continue;
    }
    const bool asked = std::find(request.files.begin(), request.files.end(), file) != request.files.end();
    if (asked) return std::move(kernel).error();
    leftOut.push_back(std::move(kernel).error());
  }
  if (kernels.empty() && !leftOut.empty()) return leftOut.front();
  return kernels;
}

bool isOperatorFolder(const JobRequest& request, const std::string& path) {
  std::error_code ignored;
  return request.operatorFolders && std::filesystem::is_directory(path, ignored);
}

Result<std::vector<KernelSource>> directoryKernels(const JobRequest& request, const std::string& folder,
                                                   const Suite& suite) {
  const auto catalogue = readCatalogue();
  WB_TRY(const auto directory, readKernelDirectory(folder, false, catalogue ? &*catalogue : nullptr));
  std::set<std::string> wanted;
  for (const Case& each : suite.cases) wanted.insert(each.op);
  std::vector<KernelSource> kernels;
  for (const DirectoryKernel& found : directory.kernels) {
    if (!wanted.contains(found.op)) continue;
    JobRequest one = request;
    one.op = found.op;
    WB_TRY(auto kernel, readKernel(one, found.file.string()));
    kernels.push_back(std::move(kernel));
  }
  if (kernels.empty())
    return wrong(fmt::format("{} holds no kernel for an operator of suite {}", folder, suite.name),
                 "it holds a folder an operator, such as relu__default/relu__default_implementation_v1.py");
  return kernels;
}

}  // namespace

KernelSource atenKernel(const std::string& op) {
  KernelSource kernel;
  kernel.language = "aten";
  kernel.op = op;
  return kernel;
}

Result<KernelSource> readKernelFile(const std::string& file, const std::string& op) {
  WB_TRY(auto text, readSource(file));
  KernelSource kernel;
  kernel.path = file;
  kernel.text = std::move(text);
  kernel.op = op;
  if (const Language* language = detectLanguage(file, kernel.text)) kernel.language = language->id;
  return kernel;
}

Result<std::vector<KernelSource>> namedKernels(const JobRequest& request, std::vector<Error>& leftOut) {
  if (!request.language.empty() && findLanguage(request.language) == nullptr)
    return wrong(fmt::format("there is no language '{}'", request.language), allLanguages());
  JobRequest plain = request;
  std::erase_if(plain.files, [&](const std::string& path) { return isOperatorFolder(request, path); });
  WB_TRY(auto read, readFiles(plain, leftOut));
  std::vector<KernelSource> kernels = request.sources;
  for (KernelSource& kernel : kernels) {
    if (kernel.op.empty()) kernel.op = request.op;
    if (kernel.language.empty()) kernel.language = request.language;
  }
  std::move(read.begin(), read.end(), std::back_inserter(kernels));
  if (request.problem.empty()) return kernels;
  if (kernels.empty()) return problemsAlone(request.problem, leftOut);
  WB_DO(attachProblems(kernels, request.problem));
  return kernels;
}

Result<std::vector<KernelSource>> kernelsForSuite(const JobRequest& request, const Suite& suite) {
  std::vector<KernelSource> kernels;
  for (const std::string& path : request.files) {
    if (!isOperatorFolder(request, path)) continue;
    WB_TRY(auto found, directoryKernels(request, path, suite));
    std::move(found.begin(), found.end(), std::back_inserter(kernels));
  }
  if (!request.files.empty() || !request.sources.empty() || !request.problem.empty()) return kernels;
  // No kernel was named, so ATen runs against itself, for each operator that was asked for.
  if (!request.op.empty()) return std::vector<KernelSource>{atenKernel(request.op)};
  if (request.operators.empty() && request.suite == JobRequest{}.suite)
    return wrong("no kernel to run",
                 fmt::format("give a kernel's file, or {} to run ATen's own against themselves",
                             Remedy::nameOperators));
  std::set<std::string> seen;
  for (const Case& definition : suite.cases)
    if (seen.insert(definition.op).second) kernels.push_back(atenKernel(definition.op));
  return kernels;
}

}  // namespace wb
