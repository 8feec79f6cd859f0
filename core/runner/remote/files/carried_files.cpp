// SPDX-License-Identifier: Apache-2.0
#include "core/runner/remote/files/carried_files.h"

#include <fmt/format.h>

#include <chrono>
#include <nlohmann/json.hpp>
#include <system_error>

#include "core/base/files/file.h"
#include "core/base/files/hash.h"
#include "core/base/files/source_folder.h"
#include "core/base/process/process_start.h"
#include "core/base/sandbox/run_folder.h"
#include "core/model/json/json_codec.h"

namespace wb {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::hours longestUnused{24 * 14};

/// A path as it stands between the quotation marks of a text of JSON.
std::string inJson(const std::string& path) {
  const std::string quoted = dump(nlohmann::json(path));
  return quoted.substr(1, quoted.size() - 2);
}

void replaceAll(std::string& text, const std::string& from, const std::string& to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
}

bool isWhole(const std::string& path) {
  const fs::path file(path);
  return file.is_absolute() && file.lexically_normal().string() == path;
}

void removeUnused(const fs::path& folder) {
  std::error_code failed;
  const auto before = fs::file_time_type::clock::now() - longestUnused;
  for (const auto& entry : fs::directory_iterator(folder, failed))
    if (entry.last_write_time(failed) < before && !failed) fs::remove_all(entry.path(), failed);
}

}  // namespace

std::string hashOf(const std::vector<CarriedFile>& files) {
  std::string all;
  for (const CarriedFile& file : files) all += contentHash({file.path, file.content});
  return contentHash({all});
}

std::string packedFiles(const std::vector<CarriedFile>& files) {
  nlohmann::json list = nlohmann::json::array();
  for (const CarriedFile& file : files) list.push_back({{"path", file.path}, {"bytes", file.content.size()}});
  std::string text = dump(list) + "\n";
  for (const CarriedFile& file : files) text += file.content;
  return text;
}

Result<std::vector<CarriedFile>> unpackedFiles(std::string_view text) {
  const Error none{Stage::setup, "these are no files of kernels"};
  const std::size_t line = text.find('\n');
  if (line == std::string_view::npos) return none;
  const Result<nlohmann::json> list = parseJson(text.substr(0, line));
  if (!list || !list->is_array()) return none;
  text.remove_prefix(line + 1);
  std::vector<CarriedFile> files;
  try {
    for (const nlohmann::json& each : *list) {
      CarriedFile file{each.at("path").get<std::string>(), {}};
      const auto bytes = each.at("bytes").get<std::size_t>();
      if (!isWhole(file.path) || bytes > text.size()) return none;
      file.content = text.substr(0, bytes);
      text.remove_prefix(bytes);
      files.push_back(std::move(file));
    }
  } catch (const nlohmann::json::exception&) {
    return none;
  }
  return text.empty() ? Result<std::vector<CarriedFile>>(std::move(files)) : none;
}

Result<void> storeFiles(const std::vector<CarriedFile>& files, const fs::path& folder) {
  const fs::path root = folder / hashOf(files);
  std::error_code failed;
  if (fs::exists(root, failed)) {
    fs::last_write_time(root, fs::file_time_type::clock::now(), failed);
    return {};
  }
  removeUnused(folder);
  WB_TRY(const RunFolder unfinished, RunFolder::make(folder.string()));
  const fs::path part = fs::path(unfinished.path()) / "files";
  for (const CarriedFile& file : files) {
    const fs::path to = part / fs::path(file.path).relative_path();
    if (file.path.ends_with('/'))
      fs::create_directories(to, failed);
    else
      WB_DO(writeFileAtomically(to, file.content));
  }
  fs::rename(part, root, failed);
  // Another worker may have been quicker.
  if (failed && !fs::exists(root))
    return Error{Stage::setup, fmt::format("cannot write {}: {}", root.string(), failed.message())};
  return {};
}

std::string PathsThere::there(const std::string& path) {
  if (sourceFolder(path).empty()) return path;
  std::string moved = root_ + (startFolder() / path).lexically_normal().string();
  kernels_.emplace_back(moved, path);
  return moved;
}

Job PathsThere::there(Job job) {
  kernels_.clear();
  for (KernelSource& kernel : job.kernels) {
    kernel.path = there(kernel.path);
    kernel.referencePath = there(kernel.referencePath);
  }
  return job;
}

std::string PathsThere::here(std::string text, bool isJson) const {
  const auto written = [&](const std::string& path) { return isJson ? inJson(path) : path; };
  if (root_.empty() || text.find(written(root_)) == std::string::npos) return text;
  for (const auto& [moved, path] : kernels_) replaceAll(text, written(moved), written(path));
  replaceAll(text, written(root_), "");
  return text;
}

}  // namespace wb
