// SPDX-License-Identifier: Apache-2.0
#include "core/runner/remote/files/neighbours.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <string_view>
#include <system_error>
#include <utility>

#include "core/base/files/file.h"
#include "core/base/files/source_folder.h"
#include "core/base/process/process_start.h"
#include "core/base/quantity.h"
#include "core/base/text.h"

namespace wb {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t mostFiles = 1000, mostBytes = std::size_t{16} << 20, longestName = 255;
constexpr std::array<std::string_view, 14> sourceEndings{".h", ".hh", ".hpp", ".hxx", ".cuh", ".inl", ".inc",
                                                         ".c", ".cc", ".cpp", ".cxx", ".cu",  ".py",  ".pyi"};

bool isSourceName(const fs::path& file) {
  return std::ranges::find(sourceEndings, file.extension().string()) != sourceEndings.end();
}

bool isHidden(const fs::path& relative) {
  return std::any_of(relative.begin(), relative.end(),
                     [](const fs::path& part) { return part.string().starts_with('.'); });
}

class Collector {
 public:
  Result<void> add(const std::string& path, std::string_view text) {
    const fs::path folder = sourceFolder(path);
    if (folder.empty()) return {};
    folder_ = folder;
    kernels_.push_back((startFolder() / path).lexically_normal());
    return scan(kernels_.back(), text);
  }

  [[nodiscard]] std::vector<CarriedFile> files() {
    for (const fs::path& kernel : kernels_) found_.erase(kernel.string());
    if (found_.empty()) return {};
    for (const fs::path& kernel : kernels_) found_.try_emplace(kernel.parent_path().string() + "/");
    std::vector<CarriedFile> all;
    for (auto& [path, content] : found_) all.push_back({path, std::move(content)});
    return all;
  }

 private:
  Result<void> scan(const fs::path& file, std::string_view text) {
    const bool isPython = file.extension() == ".py" || file.extension() == ".pyi";
    for (const std::string_view line : splitLines(text)) {
      const std::string_view words = trimmed(line);
      if (isPython) {
        WB_DO(scanImport(file, words));
      } else if (words.starts_with('#')) {
        WB_DO(scanInclude(file, words));
      }
      WB_DO(scanQuoted(line));
    }
    return {};
  }

  Result<void> scanInclude(const fs::path& file, std::string_view line) {
    const std::string_view rest = trimmed(line.substr(1));
    constexpr std::string_view word = "include";
    if (!rest.starts_with(word)) return {};
    const std::string_view named = trimmed(rest.substr(word.size()));
    if (named.empty() || (named.front() != '"' && named.front() != '<')) return {};
    const std::size_t end = named.find(named.front() == '"' ? '"' : '>', 1);
    if (end == named.npos || end > longestName) return {};
    const std::string_view name = named.substr(1, end - 1);
    for (const fs::path& folder : {file.parent_path(), folder_}) WB_DO(take(folder / name));
    return {};
  }

  Result<void> scanImport(const fs::path& file, std::string_view line) {
    std::string_view names;
    if (line.starts_with("import "))
      names = line.substr(7);
    else if (line.starts_with("from "))
      names = line.substr(5, line.find(" import") == line.npos ? line.npos : line.find(" import") - 5);
    for (const std::string_view each : split(names, ',')) {
      std::string_view module = trimmed(each);
      module = module.substr(0, module.find(' '));
      fs::path folder = folder_;
      if (module.starts_with('.')) folder = file.parent_path();
      for (module = module.starts_with('.') ? module.substr(1) : module; module.starts_with('.');
           module.remove_prefix(1))
        folder = folder.parent_path();
      WB_DO(takeModule(folder, std::string(module.substr(0, module.find('.')))));
      if (folder != file.parent_path())
        WB_DO(takeModule(file.parent_path(), std::string(module.substr(0, module.find('.')))));
    }
    return {};
  }

  Result<void> takeModule(const fs::path& folder, const std::string& name) {
    if (name.empty() || name.find('/') != name.npos) return {};
    WB_DO(take(folder / (name + ".py")));
    std::error_code failed;
    if (!fs::is_directory(folder / name, failed)) return {};
    for (fs::recursive_directory_iterator at(folder / name, failed), end; !failed && at != end;
         at.increment(failed))
      if (at->is_regular_file(failed) && !isHidden(at->path().lexically_relative(folder)) &&
          isSourceName(at->path()))
        WB_DO(take(at->path()));
    return {};
  }

  /// A file of the kernel's folder whose name stands in quotation marks, as where a program reads it.
  Result<void> scanQuoted(std::string_view line) {
    for (const char mark : {'"', '\''})
      for (std::size_t at = line.find(mark); at != line.npos;) {
        const std::size_t end = line.find(mark, at + 1);
        if (end == line.npos) break;
        const std::string_view name = line.substr(at + 1, end - at - 1);
        at = end;
        if (name.empty() || name.size() > longestName || name.find('.') == name.npos) continue;
        const fs::path file = (folder_ / name).lexically_normal(),
                       relative = file.lexically_relative(folder_);
        if (relative.empty() || *relative.begin() == ".." || isHidden(relative)) continue;
        WB_DO(take(file));
      }
    return {};
  }

  Result<void> take(const fs::path& named) {
    const fs::path file = named.lexically_normal();
    std::error_code failed;
    if (!file.is_absolute() || found_.contains(file.string()) || !fs::is_regular_file(file, failed))
      return {};
    const fs::path relative = file.lexically_relative(folder_);
    const bool isInside = !relative.empty() && *relative.begin() != "..";
    if ((!isInside && !isSourceName(file)) || std::ranges::find(kernels_, file) != kernels_.end()) return {};
    const auto size = fs::file_size(file, failed);
    if (!failed) bytes_ += size;
    if (bytes_ > mostBytes || found_.size() >= mostFiles)
      return Error{Stage::job,
                   fmt::format("what the kernels take in from beside them is more than {} or {} files, which "
                               "is not copied to another machine ({} is among it)",
                               formatBytes(static_cast<double>(mostBytes)), mostFiles, file.string()),
                   "keep large data on that machine, and give its path there"};
    Result<std::string> content = readFile(file, mostBytes);
    if (!content) return {};  // what cannot be read here is missing there too
    const auto [at, isNew] = found_.emplace(file.string(), *std::move(content));
    return isSourceName(file) ? scan(file, std::string(at->second)) : Result<void>();
  }

  /// The folder of the kernel that is looked at.
  fs::path folder_;
  std::vector<fs::path> kernels_;
  std::map<std::string, std::string> found_;
  std::size_t bytes_ = 0;
};

}  // namespace

Result<std::vector<CarriedFile>> neighboursOf(const Job& job) {
  Collector collector;
  for (const KernelSource& kernel : job.kernels) {
    WB_DO(collector.add(kernel.path, kernel.text));
    WB_DO(collector.add(kernel.referencePath, kernel.referenceText));
  }
  return collector.files();
}

}  // namespace wb
