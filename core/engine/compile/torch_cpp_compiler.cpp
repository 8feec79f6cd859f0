// SPDX-License-Identifier: Apache-2.0
#include "core/engine/compile/torch_cpp_compiler.h"

#include <fmt/format.h>
#include <torch/csrc/jit/frontend/function_schema_parser.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <optional>
#include <utility>

#include "core/base/file.h"
#include "core/base/hash.h"
#include "core/base/process.h"
#include "core/base/quantity.h"
#include "core/engine/compile/build_cache.h"
#include "core/engine/compile/precompiled_header.h"
#include "core/engine/compile/shared_object_candidate.h"
#include "core/engine/compile/toolchain.h"
#include "core/engine/compile/translation_unit.h"
#include "core/engine/reference/exception_text.h"

namespace wb {
namespace fs = std::filesystem;
namespace {

/// What is found once per process.
struct Tools {
  HostCompiler compiler;
  TorchInstallation torch;
  CachePlace place;
};

/// What a compilation left.
struct Built {
  Captured said;
  ScratchFolder scratch;       ///< holds kernel.so and kernel.d
  bool refusedHeader = false;  ///< the precompiled header was no good, and is gone
};

std::string joined(const std::vector<std::string>& options) {
  std::string text;
  for (const auto& option : options) text += option + '\n';
  return text;
}

Result<c10::FunctionSchema> parsedSchema(const std::string& text) {
  try {
    return torch::jit::parseSchema(text);
  } catch (...) {
    return Error{
        Stage::compile, fmt::format("cannot read the schema '{}': {}", text, exceptionText()), "", {}};
  }
}

/// Files named in a make rule: "kernel.so: kernel.cpp /a/b.h \".
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
    if (c == '\\' && (next == ' ' || next == '#' || next == '\\')) {
      word += rule[++i];
    } else if (c == '$' && next == '$') {
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

/// The compiler spoke of the precompiled header, and not of a kernel that mentions one.
bool refusesPrecompiledHeader(const Captured& said) {
  for (std::string_view rest = said.err; !rest.empty();) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(rest.size(), line.size() + 1));
    if (line.starts_with(kernelFileName)) continue;
    for (const std::string_view words : {"PCH file", "precompiled header", ".gch", "AST file", ".pch"})
      if (line.find(words) != std::string_view::npos) return true;
  }
  return false;
}

bool diskIsFull(const Captured& said) {
  return said.err.find("No space left on device") != std::string::npos;
}

std::string fileName(const KernelSource& source) {
  return fs::path{source.path}.filename().string();
}

class TorchCppCompiler : public Compiler {
 public:
  explicit TorchCppCompiler(TorchCppOptions options) : options_(std::move(options)) {}

  [[nodiscard]] std::string_view language() const override { return "torch_cpp"; }
  Result<Claim> claim(const KernelSource& source) override { return Claim{"", possibleKernels(source.text)}; }
  Result<void> prepare(const std::function<void(const Log&)>& onLog) override;
  Result<CompileOutcome> compile(const CompileRequest& request) override;

 private:
  using Entry = BuildCache::Entry;
  Result<void> findTools(const std::function<void(const Log&)>& onLog);
  Result<void> moveToTemporaryFolder(const std::string& why, const CompileRequest& request);
  [[nodiscard]] BuildCache cache() const { return BuildCache(tools_->place.folder / "build"); }
  [[nodiscard]] std::vector<std::string> kernelOptions(const KernelSource& source) const;
  Result<Built> attempt(const TranslationUnit& unit, const CompileRequest& request);
  Result<Built> attemptTwice(const TranslationUnit& unit, const CompileRequest& request);
  Result<Entry> build(const TranslationUnit& unit, const CompileRequest& request, const std::string& key);
  std::pair<int, Place> report(const std::string& output, const TranslationUnit& unit,
                               const CompileRequest& request) const;
  Result<CompileOutcome> load(const Entry& entry, const TranslationUnit& unit, const CompileRequest& request,
                              c10::FunctionSchema schema) const;

  TorchCppOptions options_;
  std::optional<Tools> tools_;
};

Result<void> TorchCppCompiler::findTools(const std::function<void(const Log&)>& onLog) {
  if (tools_) return {};
  const char* const chosen = std::getenv("WARPBENCH_CXX");
  auto compiler = findHostCompiler(!options_.compiler.empty() ? options_.compiler
                                   : chosen != nullptr        ? chosen
                                                              : "");
  if (!compiler) return compiler.error();
  auto torch = findTorch();
  if (!torch) return torch.error();
  auto place = usableCacheFolder(options_.cache);
  if (!place) return place.error();
  if (!place->note.empty() && onLog) onLog(Log{"worker", place->note});
  tools_ = Tools{*std::move(compiler), *std::move(torch), *std::move(place)};
  return {};
}

Result<void> TorchCppCompiler::prepare(const std::function<void(const Log&)>& onLog) {
  if (auto ready = findTools(onLog); !ready) return ready;
  auto header = ensurePrecompiledHeader(tools_->compiler, tools_->torch, tools_->place.folder, {}, onLog);
  if (!header) return header.error();
  return {};
}

Result<CompileOutcome> TorchCppCompiler::compile(const CompileRequest& request) {
  auto function = findKernel(request.source.text, request.source.path, request.op);
  if (!function) return function.error();
  auto schema = parsedSchema(request.schema);
  if (!schema) return schema.error();
  if (const auto ready = findTools(request.onLog); !ready) return ready.error();
  const auto unit = makeTranslationUnit(request.source.text, *std::move(function), *schema);

  const std::string key = contentHash({unit.text, joined(kernelOptions(request.source)),
                                       precompiledHeaderKey(tools_->compiler, tools_->torch)});
  if (const auto entry = cache().find(key)) {
    report(entry->output, unit, request);
    auto outcome = load(*entry, unit, request, *schema);
    if (outcome) outcome->cached = true;
    return outcome;
  }
  const auto entry = build(unit, request, key);
  if (!entry) return entry.error();
  return load(*entry, unit, request, *std::move(schema));
}

std::vector<std::string> TorchCppCompiler::kernelOptions(const KernelSource& source) const {
  std::vector<std::string> options = sharedOptions(tools_->compiler, tools_->torch);
  const bool clang = tools_->compiler.clang;
  options.insert(options.end(),
                 {"-shared", "-Wno-unknown-pragmas", "-fdiagnostics-color=never", "-MMD", "-MF", "kernel.d"});
  options.emplace_back(clang ? "-fno-caret-diagnostics" : "-fno-diagnostics-show-caret");
  options.emplace_back(clang ? "-ferror-limit=50" : "-fmax-errors=50");
  if (!tools_->compiler.linker.empty()) options.push_back(tools_->compiler.linker);
  // Headers beside the kernel's file, where it is a file of this machine.
  const fs::path folder = fs::path{source.path}.parent_path();
  std::error_code failed;
  if (folder.is_absolute() && fs::is_directory(folder, failed))
    options.insert(options.end(), {"-iquote", folder.string()});
  return options;
}

/// One run of the compiler, whatever it comes to.
Result<Built> TorchCppCompiler::attempt(const TranslationUnit& unit, const CompileRequest& request) {
  auto header = ensurePrecompiledHeader(tools_->compiler, tools_->torch, tools_->place.folder, request.stop,
                                        request.onLog);
  if (!header) return header.error();
  auto scratch = ScratchFolder::make(cache().folder());
  if (!scratch) return scratch.error();
  const std::string file{kernelFileName};
  if (auto written = writeFileAtomically(scratch->path() / file, unit.text); !written) return written.error();
  // The stand-in headers come before torch's of the same names.
  Command command{
      {tools_->compiler.path, "-isystem", header->folder.string()}, scratch->path(), {{"LC_ALL", "C.UTF-8"}}};
  const auto add = [&](const std::vector<std::string>& words) {
    command.argv.insert(command.argv.end(), words.begin(), words.end());
  };
  add(kernelOptions(request.source));
  add(header->options);
  add({file, "-o", "kernel.so"});
  const auto deadline = std::chrono::duration_cast<std::chrono::milliseconds>(
      std::chrono::duration<double>(request.deadlineSeconds));
  auto said = runToEnd(command, deadline, request.stop);
  if (!said) return said.error();
  if (said->stopped) return Error{Stage::compile, "cancelled", "", {}};
  if (said->timedOut)
    return Error{Stage::compile,
                 fmt::format("compiling {} took longer than {}", fileName(request.source),
                             formatSeconds(request.deadlineSeconds)),
                 "give it more time, or make the source smaller", Place{request.source.path, 0, 0}};
  const bool refused = header->precompiled && refusesPrecompiledHeader(*said);
  if (refused) discardPrecompiledHeader(*header);
  return Built{*std::move(said), *std::move(scratch), refused};
}

/// A refused precompiled header is made anew, a full disk left for the temporary folder: once.
Result<Built> TorchCppCompiler::attemptTwice(const TranslationUnit& unit, const CompileRequest& request) {
  auto built = attempt(unit, request);
  if (built && !built->refusedHeader && !diskIsFull(built->said)) return built;
  if (request.stop.stop_requested() || (!built && built.error().text.starts_with("compiling "))) return built;
  if (built && built->refusedHeader) {
    if (request.onLog)
      request.onLog(Log{"compiler", "The compiler refused the precompiled header: " + built->said.err});
  } else {
    const std::string why =
        built ? tools_->place.folder.string() + ": no space left" : describe(built.error());
    if (const auto moved = moveToTemporaryFolder(why, request); !moved) return moved.error();
  }
  return attempt(unit, request);
}

Result<void> TorchCppCompiler::moveToTemporaryFolder(const std::string& why, const CompileRequest& request) {
  auto place = temporaryCacheFolder(why);
  if (!place) return place.error();
  tools_->place = *std::move(place);
  if (request.onLog) request.onLog(Log{"worker", tools_->place.note});
  return {};
}

Result<BuildCache::Entry> TorchCppCompiler::build(const TranslationUnit& unit, const CompileRequest& request,
                                                  const std::string& key) {
  if (unit.wholeTorch && request.onLog)
    request.onLog(
        Log{"compiler", "The source uses torch's C++ frontend: its headers take some 10 s to compile"});
  auto built = attemptTwice(unit, request);
  if (!built) return built.error();
  const auto& said = built->said;
  const auto [errors, first] = report(said.err, unit, request);
  if (!said.ok()) {
    const std::string file = fileName(request.source);
    if (errors == 0)
      return Error{Stage::compile,
                   fmt::format("{} failed on {} ({}): {}", tools_->compiler.version, file,
                               describe(said.ending), said.err.substr(0, 2000)),
                   "", Place{request.source.path, 0, 0}};
    return Error{Stage::compile, fmt::format("{} error{} in {}", errors, errors == 1 ? "" : "s", file), "",
                 first};
  }
  const auto rule = readFile(built->scratch.path() / "kernel.d");
  return cache().store(key, built->scratch.path() / "kernel.so", said.err,
                       rule ? filesInRule(*rule) : std::vector<std::string>{});
}

/// Reports what the compiler printed; the number of errors and the first one's place.
std::pair<int, Place> TorchCppCompiler::report(const std::string& output, const TranslationUnit& unit,
                                               const CompileRequest& request) const {
  std::pair<int, Place> errors{0, {}};
  for (const auto& d :
       readMessages(output, tools_->compiler.tool, unit, request.source.text, request.source.path)) {
    if (d.severity == Severity::error && errors.first++ == 0) errors.second = d.place;
    if (request.onDiagnostic) request.onDiagnostic(d);
  }
  return errors;
}

Result<CompileOutcome> TorchCppCompiler::load(const Entry& entry, const TranslationUnit& unit,
                                              const CompileRequest& request,
                                              c10::FunctionSchema schema) const {
  CompileOutcome outcome;
  outcome.toolchain = tools_->compiler.version;
  auto candidate = loadSharedObject(entry.object, unit.function.name, std::move(schema));
  if (!candidate) {
    auto error = candidate.error();
    error.place.file = request.source.path;
    if (request.onDiagnostic)
      request.onDiagnostic(Diagnostic{Severity::error, error.text, "", error.place, "warpbench"});
    return error;
  }
  outcome.candidate = *std::move(candidate);
  std::error_code failed;
  Artifact artifact;
  artifact.name = unit.function.name;
  artifact.architecture = "x86-64";
  const auto bytes = fs::file_size(entry.object, failed);
  artifact.binaryBytes = failed ? 0 : static_cast<std::int64_t>(bytes);
  outcome.artifacts.push_back(std::move(artifact));
  return outcome;
}

}  // namespace

std::unique_ptr<Compiler> torchCppCompiler(TorchCppOptions options) {
  return std::make_unique<TorchCppCompiler>(std::move(options));
}

}  // namespace wb
