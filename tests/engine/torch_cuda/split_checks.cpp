// SPDX-License-Identifier: Apache-2.0
#include "tests/engine/torch_cuda/split_checks.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "core/base/files/file.h"
#include "core/engine/compile/text/brackets.h"
#include "core/engine/compile/torch_cuda/split/items.h"
#include "core/engine/compile/torch_cuda/split/launches.h"

namespace wb {
namespace {

namespace fs = std::filesystem;
using Kind = Lexeme::Kind;

/// Which bytes of the source stand in the part as they are.
std::vector<bool> bytesIn(const MappedText& part, std::string_view source) {
  std::vector<bool> there(source.size());
  for (const auto& piece : part.pieces()) {
    if (piece.fixed) continue;
    for (std::size_t i = 0; i < piece.size; ++i)
      if (part.text()[piece.at + i] == source[piece.from + i]) there[piece.from + i] = true;
  }
  return there;
}

bool holds(const std::vector<bool>& bytes, const Lexeme& lexeme) {
  const auto begin = bytes.begin() + static_cast<std::ptrdiff_t>(lexeme.offset);
  return std::all_of(begin, begin + static_cast<std::ptrdiff_t>(lexeme.text.size()),
                     [](bool b) { return b; });
}

/// Names of the directives that `keep` takes, in order.
template <class Keep>
std::vector<std::string> directives(Lexemes lexemes, Keep keep) {
  std::vector<std::string> out;
  for (const auto& lexeme : lexemes)
    if (lexeme.kind == Kind::directive)
      if (const auto said = readDirective(lexeme); keep(said.name)) out.emplace_back(said.name);
  return out;
}
bool isMacro(std::string_view name) {
  return name == "define" || name == "undef";
}
bool isCondition(std::string_view name) {
  return name.starts_with("if") || name.starts_with("el") || name == "endif";
}

bool bracketsMatch(Lexemes lexemes) {
  std::string open;
  for (const auto& lexeme : lexemes) {
    if (opensBracket(lexeme)) open += lexeme.text[0];
    if (!closesBracket(lexeme)) continue;
    const char opener = lexeme.is(")") ? '(' : lexeme.is("]") ? '[' : '{';
    if (open.empty() || open.back() != opener) return false;
    open.pop_back();
  }
  return open.empty();
}

bool conditionsMatch(Lexemes lexemes) {
  int depth = 0;
  for (const auto& name : directives(lexemes, isCondition)) {
    if (name.starts_with("if")) ++depth;
    if (depth == 0) return false;
    if (name == "endif") --depth;
  }
  return depth == 0;
}

bool hasLaunch(Lexemes lexemes) {
  if (const auto launches = findLaunches(lexemes); launches.broken || !launches.sites.empty()) return true;
  return std::any_of(lexemes.begin(), lexemes.end(), [](const Lexeme& lexeme) {
    return lexeme.kind == Kind::directive && readDirective(lexeme).name == "define" &&
           hasLaunch(lexCuda(lexeme.text.substr(1)));
  });
}

std::string faultOfPart(const std::string& which, Lexemes source, const MappedText& part) {
  const auto lexemes = lexCuda(part.text());
  if (directives(source, isMacro) != directives(lexemes, isMacro)) return which + " lacks a macro";
  if (conditionsMatch(source) && !conditionsMatch(lexemes)) return which + " has half a condition";
  if (bracketsMatch(source) && !bracketsMatch(lexemes)) return which + " has half a pair of brackets";
  return {};
}

/// Marks what stands in functions of a class for the device alone. Of a class that only the host can know (it
/// has a tensor) neither part keeps them.
void markMembers(const std::vector<Item>& items, bool ofClass, std::vector<bool>& marked) {
  for (const auto& item : items) {
    markMembers(item.children, ofClass || item.kind == Item::Kind::type, marked);
    const auto& q = item.qualifiers;
    if (!ofClass || item.kind != Item::Kind::function || q.host || !(q.device || q.global)) continue;
    for (auto i = item.bodyOpen; i <= item.bodyClose; ++i) marked[i] = true;
  }
}
std::vector<bool> deviceMembers(Lexemes lexemes) {
  QualifierMacros macros;
  for (const auto& lexeme : lexemes)
    if (lexeme.kind == Kind::directive && readDirective(lexeme).name == "define")
      collectQualifierMacro(lexeme, macros);
  std::vector<bool> marked(lexemes.size());
  markMembers(readItems(lexemes, macros), false, marked);
  return marked;
}

void addFolder(const fs::path& folder, std::vector<CorpusFile>& all) {
  std::vector<fs::path> paths;
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.path().extension() == ".cu") paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  for (const auto& path : paths) {
    CorpusFile file{path.stem().string(), readFile(path).value(), {}};
    constexpr std::string_view unfit = "// unfit: ";
    if (const auto at = file.text.find(unfit); at != std::string::npos)
      file.unfit = file.text.substr(at + unfit.size(), file.text.find('\n', at) - at - unfit.size());
    all.push_back(std::move(file));
  }
}

}  // namespace

std::vector<CorpusFile> splitCorpus() {
  std::vector<CorpusFile> all;
  const fs::path root = WB_SOURCE_DIR;
  for (const char* folder : {"tests/engine/compile/corpus", "resources/samples", "resources/templates"})
    addFolder(root / folder, all);
  return all;
}

Split splitAlone(std::string_view source) {
  return splitSource(source, "", [](const auto&, const auto&) { return std::nullopt; });
}

std::string faultOf(std::string_view source, const Split& split) {
  if (!split.unfit.empty()) return {};
  const auto& host = split.files.at(0).host;
  const auto& device = split.files.at(0).device;
  const auto lines = [](std::string_view text) { return std::count(text.begin(), text.end(), '\n'); };
  if (lines(host.text()) != lines(source)) return "the host's part has other lines";
  if (lines(device.text()) != lines(source)) return "the device's part has other lines";
  const auto lexemes = lexCuda(source);
  const auto inHost = bytesIn(host, source), inDevice = bytesIn(device, source);
  const auto member = deviceMembers(lexemes);
  for (std::size_t i = 0; i < lexemes.size(); ++i) {
    const auto& lexeme = lexemes[i];
    const bool arrow = lexeme.is("<") || lexeme.is(">");
    const bool include = lexeme.kind == Kind::directive && readDirective(lexeme).name.starts_with("include");
    if (!member[i] && !arrow && !include && !holds(inHost, lexeme) && !holds(inDevice, lexeme))
      return fmt::format("neither part has \"{}\" of byte {}", lexeme.text, lexeme.offset);
  }
  if (hasLaunch(lexCuda(host.text()))) return "the host's part has a <<<";
  if (auto fault = faultOfPart("the host's part", lexemes, host); !fault.empty()) return fault;
  return faultOfPart("the device's part", lexemes, device);
}

std::vector<std::string> spellings(std::string_view text) {
  std::vector<std::string> all;
  for (const auto& lexeme : lexCuda(text)) {
    if (lexeme.kind == Kind::directive) {
      const auto said = readDirective(lexeme);
      all.push_back(fmt::format("#{} {}", said.name, said.rest));
    } else {
      all.push_back(lexeme.spelling());
    }
  }
  return all;
}

}  // namespace wb
