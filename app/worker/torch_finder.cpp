// SPDX-License-Identifier: Apache-2.0
#include "app/worker/torch_finder.h"

#include <fmt/format.h>

#include <chrono>
#include <cstdlib>
#include <optional>

#include "core/base/files/file.h"
#include "core/base/files/paths.h"
#include "core/base/process/process.h"
#include "core/base/process/programs.h"
#include "core/base/python.h"

namespace wb {
namespace {

namespace fs = std::filesystem;

constexpr const char* neededSeries = "2.11.";
constexpr const char* remedy =
    "run packaging/setup build, or set WARPBENCH_PYTHON to a Python that has torch 2.11";

bool holdsTorch(const fs::path& folder) {
  std::error_code ignored;
  return fs::exists(folder / "lib" / "libtorch_cpu.so", ignored);
}

/// torch's folder below the prefix of an environment or a system, where wheels are installed.
std::optional<fs::path> belowPrefix(const fs::path& prefix) {
  for (const fs::path& packages : packageFolders(prefix))
    if (fs::path torch = packages / "torch"; holdsTorch(torch)) return torch;
  return std::nullopt;
}

std::optional<fs::path> askInterpreter(const fs::path& python) {
  const char* question =
      "import importlib.util as u, os; s = u.find_spec('torch'); "
      "print(os.path.dirname(s.origin) if s and s.origin else '', end='')";
  const auto answer = runToEnd({{python.string(), "-c", question}, {}, {}}, std::chrono::seconds{20});
  if (!answer || !answer->ok() || !holdsTorch(answer->out)) return std::nullopt;
  return fs::path(answer->out);
}

std::optional<fs::path> besidePython(const std::string& program) {
  // A path counts even where the interpreter itself is gone, since the torch beside it was asked for.
  const fs::path python = program.find('/') != std::string::npos ? fs::path(program) : findProgram(program);
  if (python.empty()) return std::nullopt;
  // An environment's interpreter is a link that leads out of it: the place of the link counts first.
  std::error_code ignored;
  for (const fs::path& place : {python, fs::canonical(python, ignored)})
    if (const auto torch = belowPrefix(place.parent_path().parent_path())) return torch;
  return askInterpreter(python);
}

std::optional<fs::path> given(const std::string& wanted) {
  for (const fs::path& folder : {fs::path(wanted), fs::path(wanted) / "torch"})
    if (holdsTorch(folder)) return folder;
  return belowPrefix(wanted);
}

Error missing(const std::string& where) {
  return Error{Stage::setup, fmt::format("torch 2.11 was not found{}", where), remedy};
}

Result<fs::path> locate(const std::string& wanted) {
  if (!wanted.empty()) {
    if (const auto torch = given(wanted)) return *torch;
    return missing(" in " + wanted);
  }
  const char* python = std::getenv("WARPBENCH_PYTHON");  // NOLINT(concurrency-mt-unsafe)
  if (python && *python) {
    if (const auto torch = besidePython(python)) return *torch;
    return missing(fmt::format(" for WARPBENCH_PYTHON={}", python));
  }
  if (const auto torch = belowPrefix(dataFolder() / "venv-torch-2.11.0")) return *torch;
  if (const auto torch = besidePython("python3")) return *torch;
  return missing(": neither in " + (dataFolder() / "venv-torch-2.11.0").string() + " nor for python3");
}

/// The version in the line `__version__ = '2.11.0+cu130'` of version.py.
std::string versionOf(const fs::path& torch) {
  const Result<std::string> text = readFile(torch / "version.py");
  if (!text) return {};
  constexpr std::string_view key = "__version__ = '";
  const std::size_t start = text->find(key);
  if (start == std::string::npos) return {};
  const std::size_t end = text->find('\'', start + key.size());
  return text->substr(start + key.size(), end - start - key.size());
}

}  // namespace

Result<TorchFolder> findTorchFolder(const std::string& wanted) {
  WB_TRY(fs::path root, locate(wanted));
  const std::string version = versionOf(root);
  if (!version.starts_with(neededSeries))
    return Error{Stage::setup,
                 fmt::format("Warpbench needs torch 2.11; {} is {}", root.string(),
                             version.empty() ? "of an unknown version" : version),
                 remedy};
  return TorchFolder{root, version};
}

}  // namespace wb
