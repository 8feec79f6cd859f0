// SPDX-License-Identifier: Apache-2.0
#include "core/base/files/paths.h"

#include <dlfcn.h>
#include <link.h>
#include <pwd.h>
#include <unistd.h>

#include <string>
#include <system_error>
#include <vector>

#include "core/base/process/process_start.h"

namespace wb {

namespace fs = std::filesystem;

namespace {

fs::path fromEnvironment(const char* variable) {
  return startVariable(variable);
}

fs::path homeFolder() {
  if (fs::path home = fromEnvironment("HOME"); home.is_absolute()) return home;
  passwd entry{};
  passwd* found = nullptr;
  std::vector<char> buffer(16 << 10);
  if (getpwuid_r(getuid(), &entry, buffer.data(), buffer.size(), &found) == 0 && found != nullptr)
    return fs::path{entry.pw_dir};
  return "/";
}

/// The XDG base directory specification ignores relative paths; ours may be relative to the working folder.
fs::path userFolder(const char* own, const char* xdg, const char* underHome) {
  if (fs::path folder = fromEnvironment(own); !folder.empty()) return startFolder() / folder;
  if (fs::path folder = fromEnvironment(xdg); folder.is_absolute()) return folder / "warpbench";
  return homeFolder() / underHome / "warpbench";
}

}  // namespace

fs::path cacheFolder() {
  return userFolder("WARPBENCH_CACHE", "XDG_CACHE_HOME", ".cache");
}
fs::path dataFolder() {
  return userFolder("WARPBENCH_DATA", "XDG_DATA_HOME", ".local/share");
}
fs::path configFolder() {
  return userFolder("WARPBENCH_CONFIG", "XDG_CONFIG_HOME", ".config");
}

std::string atHome(const std::string& path) {
  return path.starts_with("~/") ? (homeFolder() / path.substr(2)).string() : path;
}

fs::path programFolder() {
  // Inside Python this code is in a library, and the program is the interpreter.
  Dl_info place{};
  link_map* object = nullptr;
  if (dladdr1(reinterpret_cast<void*>(&programFolder), &place, reinterpret_cast<void**>(&object),
              RTLD_DL_LINKMAP) != 0 &&
      object != nullptr && *object->l_name != '\0')
    return fs::path{object->l_name}.parent_path();
  std::error_code failed;
  const fs::path program = fs::read_symlink("/proc/self/exe", failed);
  return failed ? fs::current_path(failed) : program.parent_path();
}

fs::path resourceFolder() {
  std::error_code ignored;
  if (fs::path folder = fromEnvironment("WARPBENCH_RESOURCES"); !folder.empty())
    return fs::absolute(folder, ignored);
  if (fs::path installed = programFolder().parent_path() / "share" / "warpbench";
      fs::is_directory(installed, ignored))
    return installed;
  return WB_RESOURCE_DIR;
}

fs::path lockFolder() {
  if (fs::path folder = fromEnvironment("WARPBENCH_LOCKS"); folder.is_absolute()) return folder;
  if (fs::path runtime = fromEnvironment("XDG_RUNTIME_DIR"); runtime.is_absolute())
    return runtime / "warpbench" / "locks";
  std::error_code failed;
  return fs::temp_directory_path(failed) / ("warpbench-" + std::to_string(getuid())) / "locks";
}

}  // namespace wb
