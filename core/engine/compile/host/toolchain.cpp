// SPDX-License-Identifier: Apache-2.0
#include "core/engine/compile/host/toolchain.h"

#include <ATen/core/dispatch/Dispatcher.h>
#include <dlfcn.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <mutex>
#include <optional>

#include "core/base/files/file.h"
#include "core/base/process/process.h"
#include "core/base/process/process_start.h"

namespace wb {
namespace fs = std::filesystem;
namespace {

constexpr auto versionDeadline = std::chrono::seconds(20);

bool inPath(const std::string& program) {
  const std::string path = startVariable("PATH");
  std::string_view rest = path.empty() ? "/usr/local/bin:/usr/bin:/bin" : std::string_view(path);
  while (!rest.empty()) {
    const auto colon = rest.find(':');
    const fs::path file = fs::path{rest.substr(0, colon)} / program;
    if (access(file.c_str(), X_OK) == 0) return true;
    if (colon == std::string_view::npos) break;
    rest.remove_prefix(colon + 1);
  }
  return false;
}

/// The version in a line: "Debian clang version 14.0.6" → "14.0.6"; "g++ (Debian 12.2.0-14) 12.2.0" →
/// "12.2.0".
std::string versionIn(std::string_view line) {
  constexpr std::string_view clangWord = "clang version ";
  if (const auto at = line.find(clangWord); at != std::string_view::npos) {
    line = line.substr(at + clangWord.size());
    line = line.substr(0, line.find_first_not_of("0123456789."));
    return std::string{line};
  }
  return std::string{line.substr(line.rfind(' ') + 1)};
}

int majorOf(std::string_view version) {
  int value = 0;
  std::from_chars(version.data(), version.data() + version.size(), value);
  return value;
}

Error unusable(const std::string& path, const std::string& why) {
  return Error{Stage::compile, fmt::format("the C++ compiler {} {}", path, why),
               "install clang (14 or later) or g++ (11 or later): apt install clang g++"};
}

Result<HostCompiler> inspect(const std::string& path) {
  const auto said = runToEnd({{path, "--version"}, {}, {{"LC_ALL", "C"}}}, versionDeadline);
  if (!said) return unusable(path, "cannot be started: " + said.error().text);
  if (!said->ok()) return unusable(path, "failed: " + describe(said->ending));
  HostCompiler compiler;
  compiler.path = path;
  compiler.identity = said->out.substr(0, said->out.find('\n'));
  // g++ begins with the name that it was called by.
  if (const auto word = compiler.identity.find(" ("); compiler.identity.starts_with("g++"))
    compiler.identity.replace(0, std::min(word, compiler.identity.size()), "g++");
  compiler.clang = compiler.identity.find("clang") != std::string::npos;
  compiler.tool = compiler.clang ? "clang++" : "g++";
  const std::string version = versionIn(compiler.identity);
  compiler.version = compiler.tool + " " + version;
  const int least = compiler.clang ? 14 : 11;
  if (majorOf(version) < least) return unusable(path, fmt::format("is too old ({})", version));
  if (inPath("ld.mold")) {
    // g++ before 12 does not know mold.
    if (compiler.clang || majorOf(version) >= 12) compiler.linker = "-fuse-ld=mold";
  } else if (inPath("ld.lld")) {
    compiler.linker = "-fuse-ld=lld";
  }
  return compiler;
}

/// Whether the compiler finds the standard headers, and which these are: clang++ takes the newest gcc's
/// folder, which may have no standard library (seen on Ubuntu).
bool findsStandardHeaders(HostCompiler& compiler) {
  const Command command{
      {compiler.path, "-std=c++20", "-E", "-dM", "-x", "c++", "-include", "cstddef", "/dev/null"}, {}, {}};
  const auto said = runToEnd(command, versionDeadline);
  if (!said || !said->ok()) return false;
  compiler.library = libraryIn(said->out);
  return true;
}

/// The value of a macro; "" where it is not defined.
std::string macroIn(std::string_view macros, std::string_view name) {
  const std::string start = fmt::format("#define {} ", name);
  for (std::string_view rest = macros; !rest.empty();) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(rest.size(), line.size() + 1));
    if (line.starts_with(start)) return std::string(line.substr(start.size()));
  }
  return {};
}

/// A word in "name = 'word'" of torch's version.py.
std::string wordIn(std::string_view text, std::string_view name) {
  const std::string start = fmt::format("{} = '", name);
  const auto at = text.find(start);
  if (at == std::string_view::npos) return {};
  const std::string_view rest = text.substr(at + start.size());
  return std::string(rest.substr(0, rest.find('\'')));
}

}  // namespace

StandardLibrary libraryIn(std::string_view macros) {
  StandardLibrary library;
  const auto has = [&](std::string_view name) { return !macroIn(macros, name).empty(); };
  library.machine = has("__x86_64__") ? "x86-64" : has("__aarch64__") ? "aarch64" : "unknown";
  if (has("__GLIBC__"))
    library.c = fmt::format("{}.{}", macroIn(macros, "__GLIBC__"), macroIn(macros, "__GLIBC_MINOR__"));
  if (has("_GLIBCXX_RELEASE"))
    library.cpp = "libstdc++ " + macroIn(macros, "_GLIBCXX_RELEASE");
  else if (has("_LIBCPP_VERSION"))
    library.cpp = "libc++ " + macroIn(macros, "_LIBCPP_VERSION");
  library.cxx11Abi = macroIn(macros, "_GLIBCXX_USE_CXX11_ABI") != "0";
  return library;
}

std::vector<KnownFolder> knownFolders(const TorchInstallation& torch) {
  std::vector<KnownFolder> folders{{torch.root.string(), "TORCH " + torch.identity},
                                   {torch.root.parent_path().string(), "PACKAGES"}};
  for (const auto& folder : torch.includes)
    if (!folder.string().starts_with(torch.root.string() + "/"))
      folders.push_back({folder.string(), cudaHeadersIn(folder.string())});
  return folders;
}

Result<HostCompiler> findHostCompiler(const std::string& wanted) {
  if (!wanted.empty()) {
    WB_TRY(HostCompiler compiler, inspect(wanted));
    (void)findsStandardHeaders(compiler);  // where there are none, the first kernel's errors say so
    return compiler;
  }
  std::vector<std::string> names{"clang++"};
  for (int version = 22; version >= 14; --version) names.push_back(fmt::format("clang++-{}", version));
  for (const char* name : {"g++", "g++-14", "g++-13", "g++-12", "g++-11"}) names.emplace_back(name);
  Error last = unusable("clang++ or g++", "was not found");
  for (const auto& name : names) {
    if (!inPath(name)) continue;
    auto compiler = inspect(name);
    if (!compiler) {
      last = compiler.error();
    } else if (!findsStandardHeaders(*compiler)) {
      last = unusable(name, "does not find the standard library's headers");
    } else {
      return compiler;
    }
  }
  return last;
}

Result<HostCompiler> usualHostCompiler() {
  static std::mutex mutex;
  static std::optional<HostCompiler> known;
  const std::lock_guard lock(mutex);
  if (!known) {
    WB_TRY(known, findHostCompiler(startVariable("WARPBENCH_CXX")));
  }
  return *known;
}

Result<TorchInstallation> findTorch() {
  Dl_info info{};
  const auto* const symbol = reinterpret_cast<const void*>(&c10::Dispatcher::realSingleton);
  if (dladdr(symbol, &info) == 0 || info.dli_fname == nullptr)
    return Error{Stage::compile, "LibTorch is not loaded as a shared library", "run warpbench doctor"};
  std::error_code failed;
  const fs::path library = fs::canonical(info.dli_fname, failed);
  TorchInstallation torch;
  torch.root = library.parent_path().parent_path();
  for (const auto& folder : {torch.root / "include", torch.root / "include/torch/csrc/api/include",
                             torch.root.parent_path() / "nvidia/cu13/include"})
    if (fs::is_directory(folder, failed)) torch.includes.push_back(folder);
  if (!fs::exists(torch.root / "include/torch/csrc/api/include/torch/types.h", failed))
    return Error{Stage::compile, fmt::format("no headers of torch beside {}", library.string()),
                 "install torch's wheel with its headers: packaging/setup run"};
  const std::string text = readFile(torch.root / "version.py").value_or("");
  torch.version = wordIn(text, "__version__");
  if (torch.version.empty()) torch.version = "unknown";
  torch.identity = fmt::format("{} of {}", torch.version, wordIn(text, "git_version"));
  return torch;
}

}  // namespace wb
