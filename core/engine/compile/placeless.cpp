// SPDX-License-Identifier: Apache-2.0
#include "core/engine/compile/placeless.h"

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <map>
#include <mutex>
#include <string_view>

#include "core/base/files/file.h"
#include "core/base/files/hash.h"

namespace wb {
namespace {

/// Whether the path ends there: "/opt/torch" is no part of "/opt/torch2".
bool endsAt(std::string_view option, std::size_t end) {
  return end == option.size() || option[end] == '/' || option[end] == '=' || option[end] == ',';
}

std::string withNames(std::string option, const std::vector<KnownFolder>& folders) {
  for (const KnownFolder& folder : folders) {
    if (folder.path.empty()) continue;
    for (std::size_t at = option.find(folder.path); at != std::string::npos;
         at = option.find(folder.path, at + 1))
      if (endsAt(option, at + folder.path.size())) {
        option.replace(at, folder.path.size(), folder.name);
        at += folder.name.size();
      }
  }
  return option;
}

}  // namespace

std::string cudaHeadersIn(const std::string& folder) {
  static std::mutex mutex;
  static std::map<std::string, std::string> all;
  const std::lock_guard lock(mutex);
  std::string& known = all[folder];
  if (!known.empty()) return known;
  std::string text;
  for (const char* name :
       {"cuda_runtime_api.h", "cuda_fp16.hpp", "crt/device_functions.h", "cub/version.cuh"})
    text += readFile(std::filesystem::path(folder) / name).value_or("") + '\n';
  return known = "CUDA " + contentHash({text});
}

std::string placeless(const std::vector<std::string>& options, std::vector<KnownFolder> folders) {
  // What lies below another folder has a name of its own.
  std::stable_sort(folders.begin(), folders.end(),
                   [](const KnownFolder& a, const KnownFolder& b) { return a.path.size() > b.path.size(); });
  std::string text;
  for (const std::string& option : options) text += withNames(option, folders) + '\n';
  return text;
}

void nameFiles(std::string& text, const std::vector<KnownFolder>& files) {
  for (const KnownFolder& file : files) {
    const std::string path = '"' + file.path + '"', name = '"' + file.name + '"';
    if (file.path.empty()) continue;
    for (auto at = text.find(path); at != std::string::npos; at = text.find(path, at + name.size()))
      text.replace(at, path.size(), name);
  }
}

std::string processorMeant(const std::vector<std::string>& options) {
  const bool means = std::any_of(options.begin(), options.end(),
                                 [](const std::string& each) { return each.ends_with("=native"); });
  if (!means) return {};
  // The first processor's lines, of which one is its speed at this moment.
  std::ifstream file("/proc/cpuinfo");
  std::string text;
  for (std::string line; std::getline(file, line) && !line.empty();)
    for (const std::string_view start : {"vendor_id", "cpu family", "model", "flags", "Features", "CPU "})
      if (line.starts_with(start)) text += line + '\n';
  return contentHash({text});
}

}  // namespace wb
