// SPDX-License-Identifier: Apache-2.0
#include "app/cli/kernel_directory.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <system_error>

#include "core/model/operator_name.h"

namespace wb {
namespace {

namespace fs = std::filesystem;

bool isDigit(char c) {
  return c >= '0' && c <= '9';
}

/// Digits at `at`, without leading zeros; `at` moves behind them.
std::string_view number(std::string_view text, std::size_t& at) {
  std::size_t start = at;
  while (at < text.size() && isDigit(text[at])) ++at;
  while (start + 1 < at && text[start] == '0') ++start;
  return text.substr(start, at - start);
}

bool isKernel(const std::string& name, const std::string& folder, bool like) {
  if (!name.starts_with(folder + "_implementation")) return false;
  if (name.ends_with(".py")) return true;
  return !like && (name.ends_with(".cpp") || name.ends_with(".cu"));
}

/// Names in a folder as the system lists them, which is what os.listdir gives.
std::vector<fs::path> listed(const fs::path& folder, std::error_code& error) {
  std::vector<fs::path> paths;
  for (fs::directory_iterator i(folder, error), end; !error && i != end; i.increment(error))
    paths.push_back(i->path());
  return paths;
}

struct Choice {
  std::string chosen, peers;  ///< file names: ours and BackendBench's
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
  if (names.empty()) return std::nullopt;
  const std::string peers = python.empty() ? "" : *std::min_element(python.begin(), python.end());
  if (like) return Choice{peers, peers};
  return Choice{*std::max_element(names.begin(), names.end(), naturallyBefore), peers};
}

struct Named {
  std::string op;
  bool exact = true;  ///< the folder names the overload
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

Result<KernelDirectory> readKernelDirectory(const fs::path& directory, bool like,
                                            const Catalogue* catalogue) {
  std::error_code error;
  if (!fs::is_directory(directory, error))
    return Error{Stage::job,
                 fmt::format("{} is not a directory of kernels", directory.string()),
                 "it holds a folder an operator, such as relu__default/relu__default_implementation_v1.py",
                 {}};
  std::vector<fs::path> folders = listed(directory, error);
  if (error) return Error{Stage::job, fmt::format("{}: {}", directory.string(), error.message()), {}, {}};
  std::erase_if(folders, [](const fs::path& path) {
    std::error_code ignored;
    return !fs::is_directory(path, ignored);
  });
  if (!like)
    std::sort(folders.begin(), folders.end(), [](const fs::path& a, const fs::path& b) {
      return naturallyBefore(a.filename().string(), b.filename().string());
    });
  Reader reader(like, catalogue);
  for (const fs::path& folder : folders) reader.add(folder);
  return reader.take();
}

}  // namespace wb
