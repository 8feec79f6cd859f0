// SPDX-License-Identifier: Apache-2.0
#include "core/engine/compile/host/precompiled_header.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <system_error>
#include <thread>

#include "core/base/files/file.h"
#include "core/base/files/hash.h"
#include "core/base/process/process.h"
#include "core/base/quantity.h"
#include "core/base/text.h"
#include "core/engine/compile/embedded_header.h"
#include "core/model/log_sources.h"

namespace wb {
namespace fs = std::filesystem;
namespace {

using namespace std::chrono_literals;
constexpr auto buildDeadline = 300s;
constexpr auto unusedAfter = 24h * 14;
/// This header is precompiled by itself and is not part of the standard one.
constexpr std::string_view cudaHeader = "warpbench_cuda.h";

/// An exclusive lock on a file that holds between processes; kept until it is destroyed. Inside walls the
/// user's caches can only be read, which is enough to wait.
class FileLock {
 public:
  FileLock(const fs::path& path, std::stop_token stop, const std::function<void()>& onWait) {
    file_ = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (file_ < 0) file_ = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    bool told = false;
    while (file_ >= 0 && flock(file_, LOCK_EX | LOCK_NB) != 0) {
      if ((errno != EWOULDBLOCK && errno != EINTR) || stop.stop_requested()) return;
      if (!told) onWait();
      told = true;
      std::this_thread::sleep_for(50ms);
    }
    held_ = file_ >= 0;
  }
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;
  ~FileLock() {
    if (file_ >= 0) close(file_);
  }
  [[nodiscard]] bool held() const { return held_; }

 private:
  int file_ = -1;
  bool held_ = false;
};

std::string headerTexts(const std::string& mainHeader) {
  std::string text;
  for (const auto& header : standinHeaders())
    if (header.name != cudaHeader || mainHeader == cudaHeader)
      text += std::string{header.name} + '\n' + std::string{header.text};
  return text;
}

Result<void> writeHeaders(const fs::path& folder) {
  for (const auto& header : standinHeaders()) {
    const fs::path path = folder / header.name;
    // It is written only once, since a precompiled header remembers the times of the files that it was made
    // of.
    if (const auto there = readFile(path); there && *there == header.text) continue;
    WB_DO(writeFileAtomically(path, header.text));
  }
  return {};
}

constexpr std::string_view unfinished = "fresh-";

/// Removes half-made headers of builds that were killed. The caller must hold the folder's lock.
void removeUnfinished(const fs::path& folder) {
  std::error_code failed;
  for (const auto& entry : fs::directory_iterator(folder, failed))
    if (entry.path().filename().string().starts_with(unfinished)) fs::remove(entry.path(), failed);
}

/// Removes the headers of compilers and versions that are no longer used, since precompiled headers are
/// large.
void removeOld(const fs::path& pch, const fs::path& current) {
  std::error_code failed;
  for (const auto& entry : fs::directory_iterator(pch, failed)) {
    if (entry.path() == current || !entry.is_directory(failed)) continue;
    const auto used = fs::last_write_time(entry.path() / "used", failed);
    if (!failed && fs::file_time_type::clock::now() - used > unusedAfter)
      fs::remove_all(entry.path(), failed);
  }
}

fs::path binaryOf(const HostCompiler& compiler, const std::string& mainHeader, const fs::path& folder) {
  return folder / (mainHeader + (compiler.clang ? ".pch" : ".gch"));
}

/// A precompiled header names its own headers by their folder, so in a copied cache they are the headers of
/// the old place. This file tells the place.
constexpr const char* placeName = "place";

/// The folder of a precompiled header, which is good only under the name that it was made by: the cache of a
/// run inside walls links to what the user's cache has.
fs::path placeOf(const fs::path& folder) {
  std::error_code failed;
  const fs::path target = fs::read_symlink(folder, failed);
  return failed ? folder : target;
}

bool madeHere(const fs::path& folder) {
  const auto place = readFile(folder / placeName);
  return place && *place == folder.string();
}

PrecompiledHeader describeHeader(const HostCompiler& compiler, const std::string& mainHeader,
                                 const fs::path& folder) {
  std::error_code failed;
  PrecompiledHeader header;
  header.folder = folder;
  header.precompiled = fs::exists(binaryOf(compiler, mainHeader, folder), failed) && madeHere(folder);
  // g++ uses warpbench_standin.h.gch by itself.
  header.options =
      compiler.clang && header.precompiled
          ? std::vector<std::string>{"-include-pch", binaryOf(compiler, mainHeader, folder).string()}
          : std::vector<std::string>{"-include", (folder / mainHeader).string()};
  return header;
}

Result<void> build(const HostCompiler& compiler, const TorchInstallation& torch, const fs::path& folder,
                   std::stop_token stop) {
  const fs::path target = binaryOf(compiler, torch.header, folder);
  removeUnfinished(folder);
  const fs::path fresh = folder / fmt::format("{}{}{}", unfinished, getpid(), target.extension().string());
  // The stand-in headers come before torch's headers of the same names.
  Command command{{compiler.path, "-isystem", folder.string()}, folder, {{"LC_ALL", "C.UTF-8"}}};
  for (const auto& option : sharedOptions(compiler, torch)) command.argv.push_back(option);
  if (compiler.clang) command.argv.insert(command.argv.end(), {"-fpch-instantiate-templates"});
  command.argv.insert(command.argv.end(),
                      {"-w", "-x", "c++-header", (folder / torch.header).string(), "-o", fresh.string()});
  const auto said = runToEnd(command, buildDeadline, stop);
  std::error_code failed;
  if (said && said->ok()) {
    fs::remove(target, failed);
    WB_DO(writeFileAtomically(folder / placeName, folder.string()));
    fs::rename(fresh, target, failed);
    if (!failed) return {};
  }
  const std::string why = !said               ? describe(said.error())
                          : said->timedOut    ? "it took too long"
                          : said->stopped     ? "stopped"
                          : failed            ? failed.message()
                          : said->err.empty() ? describe(said->ending)
                                              : said->err.substr(0, 2000);
  fs::remove(fresh, failed);
  return Error{Stage::compile, why};
}

}  // namespace

std::vector<std::string> sharedOptions(const HostCompiler& compiler, const TorchInstallation& torch) {
  std::vector<std::string> options{"-std=c++20",
                                   "-O2",
                                   "-fPIC",
                                   "-Wall",
                                   "-DNDEBUG",
                                   "-DTORCH_EXTENSION_NAME=warpbench_kernel",
                                   "-DTORCH_API_INCLUDE_EXTENSION_H"};
  if (compiler.clang) {
    // The times of the headers may change when an installation is copied; their content is in the hash.
    options.insert(options.end(), {"-Xclang", "-fno-pch-timestamp"});
  } else {
    // g++ takes a precompiled header only with the debug information that it was made with.
    options.insert(options.end(), {"-fno-gnu-unique", "-Winvalid-pch", "-g1"});
  }
  // Texts of torch's headers name themselves without the place of this installation, which may be another
  // machine's where a kernel runs.
  options.push_back(fmt::format("-ffile-prefix-map={}/=", torch.root.parent_path().string()));
  for (const auto& folder : torch.includes) options.insert(options.end(), {"-isystem", folder.string()});
  options.insert(options.end(), compiler.options.begin(), compiler.options.end());
  return options;
}

std::string precompiledHeaderKey(const HostCompiler& compiler, const TorchInstallation& torch) {
  return contentHash({compiler.identity, joined(sharedOptions(compiler, torch), "\n"), torch.version,
                      torch.header, headerTexts(torch.header)});
}

std::string standardHeadersKey(const HostCompiler& compiler, const TorchInstallation& torch) {
  return contentHash({compiler.identity, compiler.library.machine, compiler.library.cxx11Abi ? "1" : "0",
                      placeless(sharedOptions(compiler, torch), knownFolders(torch)), torch.identity,
                      torch.header, headerTexts(torch.header)});
}

Result<PrecompiledHeader> ensurePrecompiledHeader(const HostCompiler& compiler,
                                                  const TorchInstallation& torch, const fs::path& cache,
                                                  std::stop_token stop,
                                                  const std::function<void(const Log&)>& onLog) {
  const auto log = [&](const std::string& text, std::string_view source = "worker") {
    if (onLog) onLog(Log{std::string(source), text});
  };
  const std::string key = precompiledHeaderKey(compiler, torch);
  const fs::path pch = cache / "pch", folder = placeOf(pch / key);
  WB_DO(writeHeaders(folder));
  (void)writeFileAtomically(folder / "used", "");
  if (auto header = describeHeader(compiler, torch.header, folder); header.precompiled) return header;

  const FileLock lock(pch / (key + ".lock"), stop, [&] {
    log("the compiler: another worker precompiles torch's headers, waiting for it", preparingSource);
  });
  if (stop.stop_requested()) return Error{Stage::compile, "cancelled"};
  if (auto header = describeHeader(compiler, torch.header, folder); header.precompiled) {
    log("The precompiled header is there");
    return header;
  }
  log(fmt::format("the compiler: precompiled header of torch {}{} for {}, once, {}", torch.version,
                  torch.header == cudaHeader ? " and CUDA" : "", compiler.version,
                  compiler.clang ? "10 to 20 s" : "20 to 40 s"),
      preparingSource);
  const auto start = std::chrono::steady_clock::now();
  const auto built = build(compiler, torch, folder, stop);
  if (stop.stop_requested()) return Error{Stage::compile, "cancelled"};
  if (!built) {
    log("Kernels compile without a precompiled header, some 8 s slower each: " + built.error().text);
  } else {
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    log("Built the precompiled header in " + formatSeconds(seconds.count()));
  }
  removeOld(pch, folder);
  return describeHeader(compiler, torch.header, folder);
}

Result<fs::path> ensureStandinHeaders(const TorchInstallation& torch, const fs::path& cache) {
  const fs::path folder = placeOf(
      cache / "pch" / contentHash({"headers", torch.version, torch.header, headerTexts(torch.header)}));
  WB_DO(writeHeaders(folder));
  (void)writeFileAtomically(folder / "used", "");
  return folder;
}

void discardPrecompiledHeader(const PrecompiledHeader& header) {
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(header.folder, ignored))
    if (entry.path().extension() == ".pch" || entry.path().extension() == ".gch")
      fs::remove(entry.path(), ignored);
}

}  // namespace wb
