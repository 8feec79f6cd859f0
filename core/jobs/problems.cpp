// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/problems.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "core/base/files/file.h"
#include "core/jobs/job_errors.h"
#include "core/model/languages.h"

namespace wb {
namespace {

namespace fs = std::filesystem;

bool isFolder(const std::string& path) {
  std::error_code ignored;
  return fs::is_directory(path, ignored);
}

/// Files of a folder that a language takes, "__init__.py" and the like left out.
std::vector<std::string> filesIn(const std::string& folder, bool pythonOnly) {
  std::vector<std::string> files;
  std::error_code failed;
  for (fs::directory_iterator i(folder, failed), end; !failed && i != end; i.increment(failed)) {
    const fs::path& file = i->path();
    const std::string extension = file.extension().string();
    const bool taken = extension == ".py" || (!pythonOnly && (extension == ".cu" || extension == ".cpp"));
    if (taken && !file.filename().string().starts_with('_') && i->is_regular_file(failed))
      files.push_back(file.string());
  }
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace

Result<std::vector<std::string>> kernelFiles(const std::vector<std::string>& given) {
  std::vector<std::string> files;
  for (const std::string& path : given) {
    if (!isFolder(path)) {
      files.push_back(path);
      continue;
    }
    const std::vector<std::string> inside = filesIn(path, /*pythonOnly=*/false);
    if (inside.empty())
      return wrong(fmt::format("{} holds no kernel", path), "kernels are .cpp, .cu and .py files");
    files.insert(files.end(), inside.begin(), inside.end());
  }
  return files;
}

Result<void> attachProblems(std::vector<KernelSource>& kernels, const std::string& problem) {
  const bool folder = isFolder(problem);
  for (KernelSource& kernel : kernels) {
    const fs::path name = fs::path(kernel.path).filename();
    const std::string file = folder ? (fs::path(problem) / name).string() : problem;
    auto text = readSource(file);
    if (!text && folder)
      return wrong(fmt::format("there is no problem {} for {}", file, kernel.path),
                   "a kernel and its problem have the same file name");
    if (!text) return std::move(text).error();
    kernel.referencePath = file;
    kernel.referenceText = *std::move(text);
  }
  return {};
}

Result<std::vector<KernelSource>> problemsAlone(const std::string& problem, std::vector<Error>& unread) {
  std::vector<KernelSource> kernels;
  const bool folder = isFolder(problem);
  const std::vector<std::string> files =
      folder ? filesIn(problem, /*pythonOnly=*/true) : std::vector<std::string>{problem};
  if (files.empty())
    return wrong(fmt::format("{} holds no problem", problem), "problems are Python files with class Model");
  for (const std::string& file : files) {
    auto text = readSource(file);
    if (!text && !folder) return std::move(text).error();
    if (!text) {
      unread.push_back(std::move(text).error());
      continue;
    }
    KernelSource kernel;
    kernel.path = file;
    kernel.text = *std::move(text);
    kernel.language = detectLanguage(file, kernel.text) ? detectLanguage(file, kernel.text)->id : "python";
    kernels.push_back(std::move(kernel));
  }
  if (kernels.empty() && !unread.empty()) return unread.front();
  return kernels;
}

}  // namespace wb
