// SPDX-License-Identifier: Apache-2.0
#include "core/service/private_paths.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <functional>
#include <system_error>
#include <utility>

#include "core/base/files/paths.h"

namespace wb {
namespace {

constexpr std::string_view ends = " \t\n\r\"'`():,;[]<>{}|\\";

bool isName(char c) {
  const auto code = static_cast<unsigned char>(c);
  return std::isalnum(code) != 0 || c == '_' || c == '-' || c == '.' || code >= 0x80;
}

/// A folder's name ends where no name can go on: "/root" is not in "/rootless".
bool endsAt(std::string_view text, std::size_t at) {
  return at >= text.size() || !isName(text[at]);
}

/// "/root" is not in "x/root" either, where a longer path ends so, and not in "http://root".
bool beginsAt(std::string_view text, std::size_t at) {
  if (at == 0) return true;
  if (text[at - 1] == '/') return text.substr(0, at).ends_with("file://");
  // In JSON a line that ends is written so, and its letter is no name's.
  if (at > 1 && text[at - 2] == '\\' && (text[at - 1] == 'n' || text[at - 1] == 't')) return true;
  return !isName(text[at - 1]);
}

/// Where the name of a module of Python begins in a path: behind the packages, or behind the standard library
/// ("/lib/python3.11/"); 0 where the path has neither.
std::size_t moduleIn(std::string_view path) {
  for (const std::string_view packages : {"/site-packages/", "/dist-packages/"})
    if (const auto at = path.find(packages); at != std::string_view::npos) return at + packages.size();
  constexpr std::string_view library = "/lib/python3";
  const auto at = path.find(library);
  if (at == std::string_view::npos) return 0;
  const auto end = path.find_first_not_of(".0123456789t", at + library.size());
  return end == std::string_view::npos || path[end] != '/' ? 0 : end + 1;
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

const PrivatePaths::Folder* PrivatePaths::listed(std::string_view text, std::size_t at) const {
  const auto found = std::ranges::find_if(folders_, [&](const Folder& each) {
    return text.substr(at).starts_with(each.path) && endsAt(text, at + each.path.size());
  });
  return found == folders_.end() ? nullptr : &*found;
}

bool PrivatePaths::isBelowTop(std::string_view text, std::size_t at) const {
  const std::size_t next = text.find_first_of("/ \n\"", at + 1);
  return next != std::string_view::npos && text[next] == '/' && next + 1 < text.size() &&
         isName(text[next + 1]) && tops_.contains(text.substr(at + 1, next - at - 1));
}

std::string PrivatePaths::hidden(std::string_view text) const {
  std::string result;
  std::size_t done = 0;
  for (std::size_t at = text.find('/'); at != std::string_view::npos; at = text.find('/', at)) {
    const Folder* const folder = beginsAt(text, at) ? listed(text, at) : nullptr;
    if (folder == nullptr && (!beginsAt(text, at) || !isBelowTop(text, at))) {
      ++at;
      continue;
    }
    const std::size_t end = std::min(text.find_first_of(ends, at), text.size());
    const std::string_view path = text.substr(at, end - at);
    result.append(text, done, at - done);
    if (const std::size_t module = moduleIn(path); module > 0) {
      done = at + module;
    } else if (folder != nullptr) {
      result.append(folder->word);
      done = at + folder->path.size();
    } else {
      done = at + path.find_last_not_of('/') + 1;
      done = at + path.substr(0, done - at).rfind('/') + 1;
    }
    at = std::max(done, end);
  }
  return done == 0 ? std::string(text) : result.append(text, done);
}

PrivatePaths privatePathsHere() {
  PrivatePaths paths;
  const auto environment = [](const char* name) {
    const char* value = std::getenv(name);
    return std::filesystem::path(value == nullptr ? "" : value);
  };
  std::error_code failed;
  for (const auto& entry : std::filesystem::directory_iterator("/", failed))
    paths.addTop(entry.path().filename().string());
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
