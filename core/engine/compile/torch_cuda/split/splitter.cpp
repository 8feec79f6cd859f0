// SPDX-License-Identifier: Apache-2.0
#include "core/engine/compile/torch_cuda/split/splitter.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>

#include "core/base/files/file.h"
#include "core/base/files/source_folder.h"
#include "core/engine/compile/text/brackets.h"
#include "core/engine/compile/torch_cuda/split/includes.h"
#include "core/engine/compile/torch_cuda/split/parts.h"

namespace wb {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t mostFiles = 200;

bool hasKernel(const std::vector<Item>& items) {
  return std::any_of(items.begin(), items.end(),
                     [](const Item& item) { return item.qualifiers.global || hasKernel(item.children); });
}

void blankDeviceFunctions(const std::vector<Item>& items, Lexemes lexemes, MappedText& out, std::size_t& at) {
  for (const auto& item : items) {
    blankDeviceFunctions(item.children, lexemes, out, at);
    const auto& q = item.qualifiers;
    if (item.kind != Item::Kind::function || !(q.global || (q.device && !q.host))) continue;
    out.copy(at, lexemes[item.first].offset);
    out.blank(lexemes[item.first].offset, lexemes[item.last].end());
    at = lexemes[item.last].end();
  }
}

class Splitter {
 public:
  explicit Splitter(const ReadIncluded& read) : readIncluded_(read) {}

  Split run(std::string_view source, const std::string& path) {
    split_.files.push_back({path, "", MappedText(source), MappedText(source)});
    read(source, path, 0);
    write();
    return std::move(split_);
  }

 private:
  void refuse(const std::string& why) {
    if (split_.unfit.empty()) split_.unfit = why;
  }

  /// Reads a file and, before it, those that it includes.
  void read(std::string_view text, const std::string& path, std::size_t index) {
    ReadSource source;
    source.text = text;
    source.lexemes = lexCuda(text);
    for (std::size_t i = 0; i < source.lexemes.size(); ++i) {
      if (source.lexemes[i].kind != Lexeme::Kind::directive) continue;
      const auto said = readDirective(source.lexemes[i]);
      if (said.name == "define") collectQualifierMacro(source.lexemes[i], macros_);
      if (said.name == "include") include(includeName(said.rest), path, i, source);
    }
    if (isNestedTooDeep(source.lexemes)) return refuse("its brackets are nested too deep");
    if (isTornByConditions(source.lexemes))
      return refuse("brackets open and close in several groups of a condition");
    source.items = readItems(source.lexemes, macros_);
    split_.hasKernels = split_.hasKernels || hasKernel(source.items);
    variables_.read(source.lexemes, source.items);
    sources_.emplace_back(index, std::move(source));
  }

  /// Writes the parts of what was read, in that order, in which names are declared.
  void write() {
    variables_.decide();
    for (const auto& [index, source] : sources_) {
      MappedText host(source.text), device(source.text);
      const auto deviceOnly = findDeviceOnly(source.lexemes, source.items, deviceOnly_);
      refuse(deviceOnly.unfit);
      refuse(writeHostPart(source, deviceOnly, host, split_.kernels));
      refuse(writeDevicePart(source, deviceOnly, variables_, hostOnly_, device));
      split_.files[index].host = std::move(host);
      split_.files[index].device = std::move(device);
    }
  }

  void include(IncludeName name, const std::string& path, std::size_t lexeme, ReadSource& source) {
    if (auto own = name.quoted ? readIncluded_(path, std::string(name.file)) : std::nullopt) {
      const auto known = std::find_if(split_.files.begin(), split_.files.end(), [&](const SplitFile& each) {
        return !each.name.empty() && each.path == own->path;
      });
      if (known != split_.files.end()) {
        source.ownIncludes[lexeme] = known->name;
        return;
      }
      const auto index = split_.files.size();
      if (index >= mostFiles) return refuse("it includes too many files");
      const std::string flat = fmt::format("warpbench-{}-{}", index, fs::path(own->path).filename().string());
      split_.files.push_back({own->path, flat, MappedText(own->text), MappedText(own->text)});
      source.ownIncludes[lexeme] = flat;
      texts_.push_back(std::move(own->text));
      read(texts_.back(), own->path, index);
      return;
    }
    deviceOnly_.include(name.file);
    refuse(useOfInclude(name.file).unfit);
  }

  const ReadIncluded& readIncluded_;
  Split split_;
  QualifierMacros macros_;
  /// The texts that sources_ are views into.
  std::deque<std::string> texts_;
  /// By the index of the file.
  std::vector<std::pair<std::size_t, ReadSource>> sources_;
  HostVariables variables_;
  HostOnlyNames hostOnly_;
  DeviceOnlyNames deviceOnly_;
};

}  // namespace

Split splitSource(std::string_view source, const std::string& path, const ReadIncluded& read) {
  return Splitter(read).run(source, path);
}

std::string hostFunctions(std::string_view source) {
  QualifierMacros macros;
  const auto lexemes = lexCuda(source);
  for (const auto& lexeme : lexemes)
    if (lexeme.kind == Lexeme::Kind::directive && readDirective(lexeme).name == "define")
      collectQualifierMacro(lexeme, macros);
  MappedText out(source);
  std::size_t at = 0;
  blankDeviceFunctions(readItems(lexemes, macros), lexemes, out, at);
  out.copy(at, source.size());
  return out.text();
}

std::string labelOf(const SplitFile& file, const std::string& path) {
  if (file.name.empty()) return fs::path(path).filename().string();
  std::error_code failed;
  const fs::path folder = fs::weakly_canonical(sourceFolder(path), failed);
  const fs::path way = folder.empty() ? fs::path() : fs::path(file.path).lexically_relative(folder);
  return way.empty() ? file.name : way.generic_string();
}

std::optional<IncludedFile> readBeside(const std::string& fromPath, const std::string& named) {
  const fs::path folder = sourceFolder(fromPath);
  std::error_code failed;
  if (folder.empty()) return std::nullopt;
  const fs::path path = fs::weakly_canonical(folder / named, failed);
  if (failed || !fs::is_regular_file(path, failed)) return std::nullopt;
  auto text = readFile(path);
  if (!text) return std::nullopt;
  return IncludedFile{path.string(), *std::move(text)};
}

}  // namespace wb
