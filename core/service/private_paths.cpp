// SPDX-License-Identifier: Apache-2.0
#include "core/service/http/text/private_paths.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <utility>

#include "core/base/files/paths.h"

namespace wb {
namespace {

/// A folder's name ends where no name can go on: "/root" is not in "/rootless".
bool endsAt(const std::string& text, std::size_t at) {
  if (at >= text.size()) return true;
  const auto c = static_cast<unsigned char>(text[at]);
  return std::isalnum(c) == 0 && c != '_' && c != '-' && c != '.' && c < 0x80;
}

/// "/root" is not in "file:/x/root" either, where a longer path ends so.
bool beginsAt(const std::string& text, std::size_t at) {
  if (at == 0) return true;
  const auto c = static_cast<unsigned char>(text[at - 1]);
  return std::isalnum(c) == 0 && c != '_' && c != '-' && c != '.' && c != '/' && c < 0x80;
}

}  // namespace

void PrivatePaths::add(const std::filesystem::path& folder, std::string word) {
  std::string path = folder.lexically_normal().string();
  while (path.size() > 1 && path.ends_with('/')) path.pop_back();
  if (path.size() < 2 || path.front() != '/') return;
  folders_.push_back({std::move(path), std::move(word)});
  std::ranges::stable_sort(folders_, std::ranges::greater{},
                           [](const Folder& each) { return each.path.size(); });
}

std::string PrivatePaths::hidden(std::string text) const {
  for (const auto& [path, word] : folders_) {
    std::string result;
    std::size_t done = 0;
    for (std::size_t at = text.find(path); at != std::string::npos; at = text.find(path, at + 1)) {
      if (!beginsAt(text, at) || !endsAt(text, at + path.size())) continue;
      result.append(text, done, at - done).append(word);
      done = at + path.size();
    }
    if (done > 0) text = result.append(text, done);
  }
  return text;
}

PrivatePaths privatePathsHere() {
  PrivatePaths paths;
  const auto environment = [](const char* name) {
    const char* value = std::getenv(name);
    return std::filesystem::path(value == nullptr ? "" : value);
  };
  paths.add(environment("HOME"), "(home)");
  paths.add(environment("TMPDIR"), "(temporary)");
  paths.add("/tmp", "(temporary)");
  paths.add("/var/tmp", "(temporary)");
  paths.add("/dev/shm", "(temporary)");
  paths.add(cacheFolder(), "(cache)");
  paths.add(dataFolder(), "(data)");
  paths.add(configFolder(), "(configuration)");
  paths.add(programFolder(), "(warpbench)");
  paths.add(resourceFolder(), "(resources)");
  return paths;
}

}  // namespace wb
