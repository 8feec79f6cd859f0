// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/kernel_directory.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <system_error>

#include "core/model/operators/operator_name.h"

namespace wb {
namespace {

namespace fs = std::filesystem;

bool isDigit(char c) {
  return c >= '0' && c <= '9';
}

/// The digits at `at`, without leading zeros; moves `at` to the place after them.
std::string_view number(std::string_view text, std::size_t& at) {
  std::size_t start = at;
  while (at < text.size() && isDigit(text[at])) ++at;
  while (start + 1 < at && text[start] == '0') ++start;
  return text.substr(start, at - start);
}

/// Whether a file in a folder holds its kernel, and how surely: 3 by BackendBench's rule
/// (relu_implementation_v1.py), 2 and 1 by the rules for kernels that came with its earlier runs
/// (relu_attempt_1.py, relu.py), 0 not at all.
int kernelRank(const std::string& name, const std::string& folder, bool like) {
  const bool python = name.ends_with(".py");
  if (!python && (like || !(name.ends_with(".cpp") || name.ends_with(".cu")))) return 0;
  if (name.starts_with(folder + "_implementation")) return 3;
  if (like) return 0;
  if (name.starts_with(folder + "_attempt_")) return 2;
  return fs::path(name).stem() == folder ? 1 : 0;
}

bool isKernel(const std::string& name, const std::string& folder, bool like) {
  return kernelRank(name, folder, like) > 0;
}

/// The names in a folder in the order of the file system, which is the order of os.listdir.
std::vector<fs::path> listed(const fs::path& folder, std::error_code& error) {
  std::vector<fs::path> paths;
  for (fs::directory_iterator i(folder, error), end; !error && i != end; i.increment(error))
    paths.push_back(i->path());
  return paths;
}

struct Choice {
  /// The file names: the one that is taken, and the one that BackendBench takes.
  std::string chosen, peers;
};

std::optional<Choice> chooseFile(const fs::path& folder, bool like) {
  std::error_code error;
  std::vector<std::string> names, python;
  const std::string stem = folder.filename().string();
  for (const fs::path& path : listed(folder, error)) {
    const std::string name = path.filename().string();
    if (isKernel(name, stem, like)) names.push_back(name);
    if (isKernel(name, stem, true)) python.push_back(name);
  }
  // Only the files with the highest rank are versions of one kernel.
  int best = 0;
  for (const std::string& name : names) best = std::max(best, kernelRank(name, stem, like));
  std::erase_if(names, [&](const std::string& name) { return kernelRank(name, stem, like) < best; });
  if (names.empty()) return std::nullopt;
  const std::string peers = python.empty() ? "" : *std::min_element(python.begin(), python.end());
  if (like) return Choice{peers, peers};
  return Choice{*std::max_element(names.begin(), names.end(), naturallyBefore), peers};
}

struct Named {
  std::string op;
  /// The folder names the overload.
  bool exact = true;
};

std::optional<Named> named(const std::string& folder, bool like, const Catalogue* catalogue) {
  if (like) {
    const std::string op = operatorOfFolder(folder);
    if (op.empty()) return std::nullopt;
    return Named{op};
  }
  const std::string op = schemaName(folder);
  if (!catalogue) return Named{op};
  const auto known = resolveOperator(folder, catalogue->operators);
  if (!known) return std::nullopt;
  const bool spelled = folder.find("__", 1) != std::string::npos && known->name == op;
  return Named{known->name, spelled};
}

class Reader {
 public:
  Reader(bool like, const Catalogue* catalogue) : like_(like), catalogue_(catalogue) {}

  void add(const fs::path& folder) {
    const std::string name = folder.filename().string();
    const auto choice = chooseFile(folder, like_);
    if (!choice) {
      ++found_.emptyFolders;
      return;
    }
    const auto op = named(name, like_, catalogue_);
    if (!op) {
      found_.problems.push_back(fmt::format("{}: there is no operator of this name", name));
      return;
    }
    if (choice->chosen != choice->peers && !choice->peers.empty())
      found_.choices.push_back(
          {op->op, fmt::format("{}: {}, not {}", shortName(op->op), choice->chosen, choice->peers)});
    place({name, op->op, folder / choice->chosen}, op->exact);
  }
  KernelDirectory take() { return std::move(found_); }

 private:
  void place(DirectoryKernel kernel, bool exact) {
    const auto same = [&](const DirectoryKernel& other) { return other.op == kernel.op; };
    const auto other = std::find_if(found_.kernels.begin(), found_.kernels.end(), same);
    if (other == found_.kernels.end()) {
      found_.kernels.push_back(std::move(kernel));
      exact_.push_back(exact);
      return;
    }
    const auto at = static_cast<std::size_t>(other - found_.kernels.begin());
    const bool replace = like_ || exact >= exact_[at];
    const std::string loser = replace ? other->folder : kernel.folder;
    if (replace) {
      *other = std::move(kernel);
      exact_[at] = exact;
    }
    found_.choices.push_back(
        {other->op, fmt::format("{}: folder {}, not {}", shortName(other->op), other->folder, loser)});
  }

  bool like_;
  const Catalogue* catalogue_;
  KernelDirectory found_;
  std::vector<bool> exact_;
};

}  // namespace

bool naturallyBefore(std::string_view a, std::string_view b) {
  std::size_t i = 0, j = 0;
  while (i < a.size() && j < b.size()) {
    if (isDigit(a[i]) && isDigit(b[j])) {
      const std::string_view left = number(a, i), right = number(b, j);
      if (left.size() != right.size()) return left.size() < right.size();
      if (left != right) return left < right;
    } else if (a[i] != b[j]) {
      return a[i] < b[j];
    } else {
      ++i, ++j;
    }
  }
  if ((i < a.size()) != (j < b.size())) return j < b.size();
  return a < b;
}

std::string operatorOfFolder(std::string_view folder) {
  std::string name;
  for (std::size_t end = folder.size(); end > 0;) {
    if (end >= 2 && folder.substr(end - 2, 2) == "__") {
      name += '.';
      end -= 2;
    } else {
      name += folder[--end];
    }
  }
  std::reverse(name.begin(), name.end());
  const std::size_t dot = name.find('.');
  const std::string base = name.substr(0, dot);
  const std::string overload = dot == std::string::npos ? "default" : name.substr(dot + 1);
  if (base.empty() || overload.empty() || overload.find('.') != std::string::npos) return {};
  return fmt::format("aten::{}{}", base, overload == "default" ? "" : "." + overload);
}

namespace {

/// The folders in a directory, in natural order, or with `like` in the order of the file system.
Result<std::vector<fs::path>> foldersIn(const fs::path& directory, bool like) {
  std::error_code error;
  if (!fs::is_directory(directory, error))
    return Error{Stage::job, fmt::format("{} is not a directory of kernels", directory.string()),
                 "it holds a folder an operator, such as relu__default/relu__default_implementation_v1.py"};
  std::vector<fs::path> folders = listed(directory, error);
  if (error) return Error{Stage::job, fmt::format("{}: {}", directory.string(), error.message())};
  std::erase_if(folders, [](const fs::path& path) {
    std::error_code ignored;
    return !fs::is_directory(path, ignored);
  });
  if (!like)
    std::sort(folders.begin(), folders.end(), [](const fs::path& a, const fs::path& b) {
      return naturallyBefore(a.filename().string(), b.filename().string());
    });
  return folders;
}

/// Whether a folder is named by a run that wrote kernels: "run_1", "llm_run_20251216".
bool isRun(const fs::path& folder) {
  const std::string name = folder.filename().string();
  const std::size_t at = name.find("run_");
  return (at == 0 || (at != std::string::npos && name[at - 1] == '_')) && at + 4 < name.size() &&
         isDigit(name[at + 4]);
}

}  // namespace

Result<KernelDirectory> readKernelDirectory(const fs::path& directory, bool like,
                                            const Catalogue* catalogue) {
  WB_TRY(const auto folders, foldersIn(directory, like));
  Reader reader(like, catalogue);
  for (const fs::path& folder : folders)
    if (like || !isRun(folder)) reader.add(folder);
  KernelDirectory found = reader.take();
  found.folder = directory;
  if (like || !found.kernels.empty()) return found;
  // Of several runs beside each other, the last one that left kernels is taken.
  for (auto run = folders.rbegin(); run != folders.rend(); ++run) {
    if (!isRun(*run)) continue;
    auto inside = readKernelDirectory(*run, like, catalogue);
    if (inside && !inside->kernels.empty()) return inside;
  }
  return found;
}

}  // namespace wb
