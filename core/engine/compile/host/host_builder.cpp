// SPDX-License-Identifier: Apache-2.0
#include "core/engine/compile/host/host_builder.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/files/cache_limit.h"
#include "core/base/files/file.h"
#include "core/base/files/hash.h"
#include "core/base/files/source_folder.h"
#include "core/base/process/process.h"
#include "core/base/quantity.h"
#include "core/base/text.h"
#include "core/engine/compile/host/build_walls.h"
#include "core/engine/compile/host/precompiled_header.h"

namespace wb {
namespace fs = std::filesystem;
namespace {

constexpr std::string_view unitFileName = "kernel.cpp";

/// Whether the compiler complained of the precompiled header, and not of a kernel that mentions one.
bool refusesPrecompiledHeader(const Captured& said) {
  for (std::string_view rest = said.err; !rest.empty();) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(rest.size(), line.size() + 1));
    if (line.starts_with(unitFileName)) continue;
    for (const std::string_view words : {"PCH file", "precompiled header", ".gch", "AST file", ".pch"})
      if (line.find(words) != std::string_view::npos) return true;
  }
  return false;
}

bool diskIsFull(const Captured& said) {
  return said.err.find("No space left on device") != std::string::npos;
}

/// A compiler that links with these has the program flush denormal numbers to zero from the moment on at
/// which it is loaded, in the reference too. They are for the kernel's code, and torch links without them:
/// then a second command does so. Nothing where the options have none of these.
std::optional<std::vector<std::string>> linkApart(std::vector<std::string>& argv, bool clang) {
  const auto isFast = [](const std::string& word) {
    return word == "-ffast-math" || word == "-Ofast" || word == "-funsafe-math-optimizations";
  };
  if (std::ranges::none_of(argv, isFast)) return std::nullopt;
  // What only one of the two needs is given to both.
  if (clang) argv.emplace_back("-Wno-unused-command-line-argument");
  std::vector<std::string> link = argv;
  std::erase_if(link, isFast);
  link.insert(link.end(), {"kernel.o", "-o", "kernel.so"});
  return link;
}

}  // namespace

/// The result of one run of the compiler.
struct HostBuilder::Attempt {
  Captured said;
  /// The folder with kernel.so and kernel.d.
  ScratchFolder scratch;
  /// The compiler refused the precompiled header, which is deleted now.
  bool refusedHeader = false;
};

/// The files named in a make rule: "kernel.so: kernel.cpp /a/b.h \".
std::vector<std::string> filesInRule(std::string_view rule) {
  std::vector<std::string> files;
  std::string word;
  const auto flush = [&] {
    if (word.starts_with('/')) files.push_back(word);
    word.clear();
  };
  rule.remove_prefix(std::min(rule.size(), rule.find(':') + 1));
  for (std::size_t i = 0; i < rule.size(); ++i) {
    const char c = rule[i];
    const char next = i + 1 < rule.size() ? rule[i + 1] : '\0';
    const bool isEscaped = c == '\\' && (next == ' ' || next == '#' || next == '\\');
    if (isEscaped || (c == '$' && next == '$')) {
      word += rule[++i];
    } else if (c == ' ' || c == '\n' || (c == '\\' && next == '\n')) {
      flush();
    } else {
      word += c;
    }
  }
  flush();
  return files;
}

std::string fileName(const KernelSource& source) {
  return fs::path{source.path}.filename().string();
}

Error buildFailure(const HostBuilt& built, const std::string& version, const KernelSource& source, int errors,
                   const Place& first) {
  const std::string file = fileName(source);
  if (errors == 0)
    return Error{Stage::compile,
                 fmt::format("{} failed on {} ({}): {}", version, file, built.ending,
                             built.entry.output.substr(0, 2000)),
                 "", Place{source.path, 0, 0}};
  return Error{Stage::compile, fmt::format("{} error{} in {}", errors, errors == 1 ? "" : "s", file), "",
               first};
}

Result<void> HostBuilder::findTools(const std::function<void(const Log&)>& onLog) {
  if (tools_) return {};
  auto compiler = options_.compiler.empty() ? usualHostCompiler() : findHostCompiler(options_.compiler);
  if (!compiler) return compiler.error();
  WB_TRY(auto torch, findTorch());
  WB_TRY(auto place, usableCacheFolder(options_.cache));
  if (!place.note.empty() && onLog) onLog(Log{"worker", place.note});
  removeScratchLeftovers(place.folder / "build");
  keepCacheWithin(place.folder, cacheLimitBytes());
  compiler->options = options_.options;
  torch.header = options_.header;
  torch.includes.insert(torch.includes.end(), options_.includes.begin(), options_.includes.end());
  tools_ = Tools{*std::move(compiler), std::move(torch), std::move(place)};
  return {};
}

Result<void> HostBuilder::prepare(const std::function<void(const Log&)>& onLog) {
  WB_DO(findTools(onLog));
  WB_DO(ensurePrecompiledHeader(tools_->compiler, tools_->torch, tools_->place.folder, {}, onLog));
  return {};
}

std::string HostBuilder::placelessOptions(const std::vector<std::string>& options,
                                          const KernelSource& source) const {
  auto folders = knownFolders(tools_->torch);
  if (const fs::path folder = sourceFolder(source.path); !folder.empty())
    folders.push_back({folder.string(), "SOURCE"});
  return placeless(options, std::move(folders)) + processorMeant(options);
}

/// Where a linker does the same as another, and torch and the caches lie, is no part of it.
std::string HostBuilder::key(const HostUnit& unit, const KernelSource& source) const {
  std::string files;
  for (const auto& [name, text] : unit.files) files.append(name).append(1, '\n').append(text);
  nameFiles(files, unit.paths);
  auto options = unitOptions(unit, source);
  std::erase(options, tools_->compiler.linker);
  return contentHash({unit.text, files, placelessOptions(options, source),
                      standardHeadersKey(tools_->compiler, tools_->torch)});
}

std::optional<BuildCache::Entry> findBuilt(const BuildCache& cache, const std::string& key,
                                           const CompileRequest& request) {
  const BuildExchange* exchange = request.exchange;
  const fs::path folder = sourceFolder(request.source.path);
  auto entry = cache.find(key, folder);
  if (!entry && exchange != nullptr) {
    // What does not fit is built here, as if nobody had built it.
    const auto file = exchange->given ? exchange->given(key) : std::nullopt;
    if (auto taken = file ? cache.unpack(key, *file, folder) : Result<BuildCache::Entry>(Error{})) {
      entry = *std::move(taken);
      exchange->used(key);
    }
  }
  if (entry && exchange != nullptr && exchange->built)
    if (auto file = cache.packed(key)) exchange->built(*std::move(file));
  return entry;
}

Result<BuildCache::Entry> storeBuilt(const BuildCache& cache, const std::string& key, const fs::path& object,
                                     const std::string& output, const std::vector<std::string>& included,
                                     const CompileRequest& request) {
  WB_TRY(auto entry, cache.store(key, object, {output, included, sourceFolder(request.source.path)}));
  if (request.exchange != nullptr && request.exchange->built)
    if (auto file = cache.packed(key)) request.exchange->built(*std::move(file));
  return entry;
}

std::optional<HostBuilt> HostBuilder::find(const HostUnit& unit, const CompileRequest& request) const {
  if (auto entry = findBuilt(cache(), key(unit, request.source), request))
    return HostBuilt{*std::move(entry), true, true, {}};
  return std::nullopt;
}

Result<HostBuilt> HostBuilder::build(const HostUnit& unit, const CompileRequest& request) {
  if (auto known = find(unit, request)) return *std::move(known);
  // Only here is it known how code is to be generated otherwise.
  if (request.buildElsewhere && options_.options.empty())
    if (auto built = request.buildElsewhere({options_.header, unit.text, unit.files, unit.options}))
      return HostBuilt{{built->object, built->output}, !built->object.empty(), built->cached, built->ending};
  WB_TRY(auto built, attemptTwice(unit, request));
  const auto& said = built.said;
  if (!said.ok()) return HostBuilt{{{}, said.err}, false, false, describe(said.ending)};
  const auto rule = readFile(built.scratch.path() / "kernel.d");
  WB_TRY(auto entry, storeBuilt(cache(), key(unit, request.source), built.scratch.path() / "kernel.so",
                                said.err, rule ? filesInRule(*rule) : std::vector<std::string>{}, request));
  return HostBuilt{std::move(entry), true, false, {}};
}

std::vector<std::string> HostBuilder::unitOptions(const HostUnit& unit, const KernelSource& source) const {
  std::vector<std::string> options = sharedOptions(tools_->compiler, tools_->torch);
  const bool clang = tools_->compiler.clang;
  options.insert(options.end(), {"-shared", "-Wl,-Bsymbolic-functions", "-Wno-unknown-pragmas",
                                 "-fdiagnostics-color=never", "-MMD", "-MF", "kernel.d"});
  options.emplace_back(clang ? "-fno-caret-diagnostics" : "-fno-diagnostics-show-caret");
  options.emplace_back(clang ? "-ferror-limit=50" : "-fmax-errors=50");
  // Lines of the source for the listing of the host's code.
  if (clang) options.emplace_back("-gline-tables-only");
  if (!tools_->compiler.linker.empty()) options.push_back(tools_->compiler.linker);
  // Headers beside the kernel's file are found where it is a file of this machine.
  if (const fs::path folder = sourceFolder(source.path); !folder.empty())
    options.insert(options.end(), {"-iquote", folder.string()});
  options.insert(options.end(), unit.options.begin(), unit.options.end());
  return options;
}

/// Runs the compiler once, whatever the result is.
Result<HostBuilder::Attempt> HostBuilder::attempt(const HostUnit& unit, const CompileRequest& request) {
  WB_TRY(auto header, ensurePrecompiledHeader(tools_->compiler, tools_->torch, tools_->place.folder,
                                              request.stop, request.onLog));
  WB_TRY(auto scratch, ScratchFolder::make(cache().folder()));
  const std::string file{unitFileName};
  WB_DO(writeFileAtomically(scratch.path() / file, unit.text));
  for (const auto& [name, text] : unit.files) WB_DO(writeFileAtomically(scratch.path() / name, text));
  // The stand-in headers come before torch's headers of the same names.
  Command command{
      {tools_->compiler.path, "-isystem", header.folder.string()}, scratch.path(), {{"LC_ALL", "C.UTF-8"}}};
  const auto add = [&](const std::vector<std::string>& words) {
    command.argv.insert(command.argv.end(), words.begin(), words.end());
  };
  add(unitOptions(unit, request.source));
  add(header.options);
  const std::optional<std::vector<std::string>> link = linkApart(command.argv, tools_->compiler.clang);
  if (link)
    add({"-c", file, "-o", "kernel.o"});
  else
    add({file, "-o", "kernel.so"});
  if (request.walls) raiseBuildWalls(command, tools_->torch, header.folder, request.source);
  const auto deadline = std::chrono::duration_cast<std::chrono::milliseconds>(
      std::chrono::duration<double>(request.deadlineSeconds));
  WB_TRY(auto said, runToEnd(command, deadline, request.stop));
  if (link && said.ok()) {
    const std::string warnings = std::move(said.err);
    command.argv = *link;
    WB_TRY(said, runToEnd(command, deadline, request.stop));
    said.err = warnings + said.err;
  }
  if (said.stopped) return Error{Stage::compile, "cancelled"};
  if (said.timedOut)
    return Error{Stage::compile,
                 fmt::format("compiling {} took longer than {}", fileName(request.source),
                             formatSeconds(request.deadlineSeconds)),
                 "give it more time, or make the source smaller", Place{request.source.path, 0, 0}};
  const bool refused = header.precompiled && refusesPrecompiledHeader(said);
  if (refused) discardPrecompiledHeader(header);
  return Attempt{std::move(said), std::move(scratch), refused};
}

/// Tries again once: after a refused precompiled header with a new one, after a full disk in the temporary
/// folder.
Result<HostBuilder::Attempt> HostBuilder::attemptTwice(const HostUnit& unit, const CompileRequest& request) {
  auto built = attempt(unit, request);
  if (built && !built->refusedHeader && !diskIsFull(built->said)) return built;
  if (request.stop.stop_requested() || (!built && built.error().text.starts_with("compiling "))) return built;
  if (built && built->refusedHeader) {
    if (request.onLog)
      request.onLog(Log{"compiler", "The compiler refused the precompiled header: " + built->said.err});
  } else {
    const std::string why =
        built ? tools_->place.folder.string() + ": no space left" : describe(built.error());
    WB_DO(moveToTemporaryFolder(why, request));
  }
  return attempt(unit, request);
}

Result<void> HostBuilder::moveToTemporaryFolder(const std::string& why, const CompileRequest& request) {
  WB_TRY(tools_->place, temporaryCacheFolder(why));
  if (request.onLog) request.onLog(Log{"worker", tools_->place.note});
  return {};
}

}  // namespace wb
