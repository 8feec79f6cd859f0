// SPDX-License-Identifier: Apache-2.0
#include "core/runner/remote/ssh/bundle.h"

#include <fmt/format.h>
#include <sys/utsname.h>

#include <algorithm>
#include <chrono>
#include <system_error>
#include <utility>

#include "core/base/files/file.h"
#include "core/base/files/hash.h"
#include "core/base/files/paths.h"
#include "core/base/process/process.h"
#include "core/base/process/programs.h"
#include "core/base/sandbox/run_folder.h"
#include "core/base/text.h"
#include "core/runner/prepare.h"

namespace wb {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t largestFile = std::size_t{512} << 20;
constexpr std::chrono::minutes longestPacking{2};
constexpr std::chrono::hours longestUnused{24 * 14};

/// The worker's programs and libraries; the worker itself may be another one than the one beside the others.
std::vector<Bundle::File> programs(BundleUse use) {
  const fs::path worker = workerProgram();
  std::vector<Bundle::File> files{{"bin/warpbench-worker", worker},
                                  {"bin/warpbench-reach", programFolder() / "warpbench-reach"}};
  if (use == BundleUse::batches) files.push_back({"bin/warpbench", programFolder() / "warpbench"});
  for (const char* library : {"libwarpbench_worker.so", "libwarpbench_engine.so", "libwarpbench_python.so"}) {
    const fs::path source = worker.parent_path() / library;
    std::error_code ignored;
    if (fs::exists(source, ignored)) files.push_back({std::string("bin/") + library, source});
  }
  return files;
}

std::string shellWord(std::string_view text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

/// A path in a script; "~/" is the home there.
std::string pathWord(std::string_view path) {
  if (path == "~") return "\"$HOME\"";
  if (path.starts_with("~/")) return "\"$HOME\"/" + shellWord(path.substr(2));
  return shellWord(path);
}

/// Sets c to the cache folder and b to the bundle's.
std::string places(const RunTarget& target, const std::string& hash) {
  const std::string cache = target.cache.empty()
                                ? "${WARPBENCH_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/warpbench}"
                                : pathWord(target.cache);
  return fmt::format("umask 077; c={}; b=\"$c/bundles/{}\"; export WARPBENCH_CACHE=\"$c\"; {}", cache, hash,
                     // Whoever has no room at home has none for runs there either.
                     target.cache.empty() ? "" : "export WARPBENCH_DATA=\"$c\"; ");
}

/// Names the target's interpreter.
std::string interpreter(const RunTarget& target) {
  return target.python.empty() ? "" : fmt::format("export WARPBENCH_PYTHON={}; ", pathWord(target.python));
}

std::string orMissing(const std::string& command) {
  return fmt::format(
      "if [ -x \"$b/bin/warpbench-reach\" ]; then touch \"$b\" 2>/dev/null; {}; else exit {}; fi", command,
      missingBundle);
}

/// Removes what other versions of Warpbench have packed and not used for two weeks.
void removeUnused(const fs::path& folder) {
  std::error_code failed;
  const auto before = fs::file_time_type::clock::now() - longestUnused;
  for (const auto& entry : fs::directory_iterator(folder, failed))
    if (entry.path().extension() == ".gz" && entry.last_write_time(failed) < before && !failed)
      fs::remove(entry.path(), failed);
}

std::string thisSystem() {
  utsname is{};
  ::uname(&is);
  return fmt::format("{} {}", is.sysname, is.machine);
}

}  // namespace

Result<Bundle> ownBundle(BundleUse use) {
  Bundle bundle;
  bundle.files = programs(use);
  std::error_code failed;
  const fs::path python = resourceFolder() / "python";
  for (const auto& entry : fs::directory_iterator(python, failed))
    if (entry.is_regular_file())
      bundle.files.push_back({"share/warpbench/python/" + entry.path().filename().string(), entry.path()});
  std::sort(bundle.files.begin(), bundle.files.end(),
            [](const auto& one, const auto& other) { return one.name < other.name; });
  std::string hashes;
  for (const Bundle::File& file : bundle.files) {
    WB_TRY(const std::string content, readFile(file.source, largestFile));
    hashes += contentHash({file.name, content});
  }
  bundle.hash = contentHash({hashes});
  return bundle;
}

Result<fs::path> packed(const Bundle& bundle, const std::stop_token& stop) {
  const fs::path file = cacheFolder() / "bundles" / (bundle.hash + ".tar.gz");
  std::error_code failed;
  if (fs::exists(file, failed)) return file;
  WB_TRY(RunFolder folder, RunFolder::make((cacheFolder() / "bundles").string()));
  const fs::path root = fs::path(folder.path()) / "bundle";
  // Debugging information is of no use there, and would be most of it.
  const bool canStrip = !findProgram("strip").empty();
  for (const Bundle::File& each : bundle.files) {
    const fs::path to = root / each.name;
    fs::create_directories(to.parent_path(), failed);
    fs::copy_file(each.source, to, fs::copy_options::overwrite_existing, failed);
    if (failed)
      return Error{Stage::setup, fmt::format("cannot copy {}: {}", each.source.string(), failed.message()),
                   "see whether there is space left"};
    if (canStrip && each.name.starts_with("bin/"))
      (void)runToEnd({.argv = {"strip", "--strip-debug", to.string()}}, longestPacking, stop);
  }
  const fs::path made = fs::path(folder.path()) / "packed.tar.gz";
  const auto tar = runToEnd({.argv = {"tar", "-C", root.string(), "--owner=0", "--group=0", "--numeric-owner",
                                      "-czf", made.string(), "bin", "share"}},
                            longestPacking, stop);
  if (!tar) return tar.error();
  if (!tar->ok())
    return Error{Stage::setup, fmt::format("the programs could not be packed: {}", trimmed(tar->err)),
                 "see whether there is space left"};
  removeUnused(file.parent_path());
  fs::rename(made, file, failed);
  if (failed) return Error{Stage::setup, fmt::format("cannot write {}: {}", file.string(), failed.message())};
  return file;
}

std::string startScript(const RunTarget& target, const std::string& hash, const std::string& arguments) {
  return places(target, hash) + interpreter(target) +
         orMissing("exec \"$b/bin/warpbench-reach\" " + arguments);
}

std::string workerScript(const RunTarget& target, const std::string& hash, const std::string& arguments) {
  return places(target, hash) + interpreter(target) +
         orMissing("exec \"$b/bin/warpbench-worker\" " + arguments);
}

std::string unpackScript(const RunTarget& target, const std::string& hash, const std::string& unique) {
  return places(target, hash) +
         fmt::format(
             "s=$(uname -sm); if [ \"$s\" != {} ]; then echo \"it is $s\" >&2; exit {}; fi; "
             "t=\"$c/bundles/new.{}\"; mkdir -p \"$t\" || exit {}; "
             "trap \"rm -rf \\\"\\$t\\\"\" EXIT; trap \"exit {}\" HUP INT TERM; "
             "tar -xzf - -C \"$t\" || exit {}; "
             "[ -d \"$b\" ] || mv \"$t\" \"$b\" || exit {}; touch \"$b\"; "
             "for o in \"$c\"/bundles/*; do "
             "[ -n \"$(find \"$o\" -prune -mtime -14)\" ] || rm -rf \"$o\"; done; exit 0",
             shellWord(thisSystem()), otherSystem, unique, cannotUnpack, cannotUnpack, cannotUnpack,
             cannotUnpack);
}

std::string torchScript(const RunTarget& target) {
  const std::string base = target.python.empty() ? "python3" : pathWord(target.python);
  return places(target, "none") +
         fmt::format(
             "d=\"$c/torch-2.11.0\"; mkdir -p \"$c\" || exit 1; echo 'making a virtual environment'; "
             "{0} -m venv \"$d\" 2>&1 || exit 1; echo 'installing torch 2.11.0, some gigabytes'; "
             "\"$d/bin/python\" -m pip install --disable-pip-version-check --progress-bar off torch==2.11.0 "
             "numpy 2>&1 || exit 1; echo \"made $d/bin/python\"",
             base);
}

Error unpackError(const std::string& host, int exitCode, const std::string& errors) {
  const std::string said(trimmed(errors));
  const auto says = [&](const char* sign) { return said.find(sign) != std::string::npos; };
  if (exitCode == otherSystem)
    return {Stage::setup, fmt::format("{} has another kind of system: {}", host, said),
            fmt::format("this build of Warpbench runs on {}", thisSystem())};
  if (says("No space left") || says("quota"))
    return {Stage::setup, fmt::format("there is no space left on {}: {}", host, said),
            "make room there, or give the target another folder by the option cache"};
  if (says("Read-only") || says("Permission denied") || says("annot create directory"))
    return {Stage::setup, fmt::format("nothing can be written on {}: {}", host, said),
            "give the target a folder that is yours there by the option cache"};
  if (says("tar: not found") || says("tar: command not found"))
    return {Stage::setup, fmt::format("{} has no tar", host), "install it there"};
  if (says("GLIBC") || says("GLIBCXX"))
    return {Stage::setup, fmt::format("the system of {} is too old for this build: {}", host, said),
            "use a machine with Debian 12, Ubuntu 22.04 or newer"};
  return {Stage::setup,
          fmt::format("Warpbench's programs cannot be started on {} (exit code {}){}{}", host, exitCode,
                      said.empty() ? "" : ": ", said),
          "`warpbench target test` says where it fails"};
}

}  // namespace wb
