// SPDX-License-Identifier: Apache-2.0
#include "core/engine/sides/process/own_files.h"

#include <c10/core/Allocator.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string_view>
#include <system_error>
#include <vector>

#include "core/base/files/paths.h"
#include "core/base/process/process_tree.h"

namespace wb {

namespace fs = std::filesystem;

namespace {

constexpr std::int64_t nanoseconds = 1'000'000'000;

/// Where torch's package lies: its libraries are in a folder of it.
fs::path torchsPackage() {
  Dl_info info{};
  if (::dladdr(reinterpret_cast<const void*>(&c10::GetAllocator), &info) == 0 || info.dli_fname == nullptr)
    return {};
  return fs::path(info.dli_fname).parent_path().parent_path();
}

bool isCode(const fs::path& path) {
  const fs::path kind = path.extension();
  return kind == ".py" || kind == ".pyc" || kind == ".so" ||
         path.filename().native().find(".so.") != std::string::npos;
}

/// Which programs end with their run.
bool isOfOneRun(pid_t process) {
  std::ifstream file(fmt::format("/proc/{}/comm", process));
  std::string name;
  std::getline(file, name);
  return name == "warpbench";
}

/// When a process was started, in nanoseconds since 1970; 0 where that is not known.
std::int64_t startOf(pid_t process) {
  std::ifstream file(fmt::format("/proc/{}/stat", process));
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const std::size_t end = text.rfind(')');
  if (end == std::string::npos) return 0;
  std::istringstream rest(text.substr(end + 1));
  const std::vector<std::string> all{std::istream_iterator<std::string>(rest), {}};
  // The 22nd number of the line, in ticks since the machine was started.
  constexpr std::size_t started = 19;
  timespec now{}, sinceStart{};
  if (all.size() <= started || ::clock_gettime(CLOCK_REALTIME, &now) != 0 ||
      ::clock_gettime(CLOCK_BOOTTIME, &sinceStart) != 0)
    return 0;
  const std::int64_t boot = (now.tv_sec - sinceStart.tv_sec) * nanoseconds + now.tv_nsec - sinceStart.tv_nsec;
  return boot + std::atoll(all[started].c_str()) * (nanoseconds / ::sysconf(_SC_CLK_TCK));
}

}  // namespace

std::int64_t beginOfRun() {
  const auto keeper = processState(::getppid());
  return keeper && isOfOneRun(keeper->parent) ? startOf(keeper->parent) : 0;
}

OwnFiles::State OwnFiles::stateOf(const fs::path& path) {
  struct statx found {};
  if (::statx(AT_FDCWD, path.c_str(), 0, STATX_BASIC_STATS | STATX_BTIME, &found) != 0) return {};
  const auto when = [](const statx_timestamp& time) { return time.tv_sec * nanoseconds + time.tv_nsec; };
  return {found.stx_ino,
          found.stx_nlink,
          static_cast<std::int64_t>(found.stx_size),
          when(found.stx_mtime),
          when(found.stx_ctime),
          (found.stx_mask & STATX_BTIME) != 0 ? when(found.stx_btime) : 0};
}

/// A file that gets another name somewhere is the same: installers share files so.
bool OwnFiles::State::isOther(const State& now) const {
  if (*this == now) return false;
  return file != now.file || size != now.size || written != now.written || links == now.links;
}

void OwnFiles::add(const fs::path& folder) {
  std::error_code failed;
  for (auto each = fs::recursive_directory_iterator(folder, failed);
       each != fs::recursive_directory_iterator(); each.increment(failed)) {
    if (failed) return;
    // Torch's headers are many, and no process loads them; packages may be many, and Python's tests are.
    const fs::path name = each->path().filename();
    if (name == "include" || name == "site-packages" || name == "dist-packages" || name == "test")
      each.disable_recursion_pending();
    if (isCode(each->path()) && each->is_regular_file(failed))
      files_.emplace(each->path(), stateOf(each->path()));
  }
}

/// What Python loads whenever it starts.
std::set<fs::path> OwnFiles::startFiles() const {
  std::set<fs::path> found;
  std::error_code failed;
  for (const auto& each : fs::directory_iterator(packages_, failed)) {
    const std::string name = each.path().filename().native();
    if (name.ends_with(".pth") || name == "sitecustomize.py" || name == "usercustomize.py")
      found.insert(each.path());
  }
  return found;
}

/// The folder of Python's own library; a virtual environment names the one that it is made of. "" where it is
/// not found.
fs::path OwnFiles::pythonsLibrary() const {
  fs::path beside = packages_.parent_path();
  std::error_code failed;
  if (fs::exists(beside / "os.py", failed)) return beside;
  std::ifstream settings(beside.parent_path().parent_path() / "pyvenv.cfg");
  constexpr std::string_view home = "home = ";
  for (std::string line; std::getline(settings, line);)
    if (line.starts_with(home))
      return fs::path(line.substr(home.size())).parent_path() / "lib" / beside.filename();
  return {};
}

OwnFiles::OwnFiles() {
  if (const fs::path torch = torchsPackage(); !torch.empty()) {
    packages_ = torch.parent_path();
    add(torch);
    add(packages_ / "triton");
    add(packages_ / "numpy");
    add(pythonsLibrary());
    files_.emplace(packages_ / "typing_extensions.py", stateOf(packages_ / "typing_extensions.py"));
    for (const fs::path& each : startFiles()) files_.emplace(each, stateOf(each));
  }
  add(resourceFolder() / "python");
  std::error_code failed;
  for (const auto& each : fs::directory_iterator(programFolder(), failed))
    if (each.path().filename().native().find("warpbench") != std::string::npos &&
        each.is_regular_file(failed))
      files_.emplace(each.path(), stateOf(each.path()));
}

std::string OwnFiles::nameOf(const fs::path& path) const {
  const fs::path relative = path.lexically_relative(packages_);
  return relative.empty() || *relative.begin() == ".." ? path.string() : relative.string();
}

std::string OwnFiles::changed() const {
  for (const auto& [path, state] : files_)
    if (state.isOther(stateOf(path))) return nameOf(path);
  for (const fs::path& each : startFiles())
    if (!files_.contains(each)) return nameOf(each);
  return {};
}

std::string OwnFiles::changedInThisRun() const {
  const std::int64_t began = beginOfRun();
  return began > 0 ? changedSince(began) : std::string();
}

std::string OwnFiles::changedSince(std::int64_t began) const {
  for (const auto& [path, state] : files_) {
    const std::int64_t changed = state.links > 1 ? state.written : state.changed;
    // What Python compiles when it first needs it may be as young as this, and is a new file then.
    const bool mayBePythons = path.extension() == ".pyc" && (state.made == 0 || state.made > began);
    if (changed > began && !mayBePythons) return nameOf(path);
  }
  return {};
}

}  // namespace wb
