// SPDX-License-Identifier: Apache-2.0
#include "core/engine/compile/raw_cuda/signature.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

#include "core/engine/compile/text/lexer.h"
#include "core/engine/compile/text/line_index.h"

namespace wb {
namespace {

constexpr std::array<std::string_view, 9> qualifiers{"const",      "volatile", "__restrict__",
                                                     "__restrict", "restrict", "__grid_constant__",
                                                     "typename",   "struct",   "constexpr"};
constexpr std::array<std::string_view, 10> builtinWords{"unsigned", "signed", "int",    "long", "short",
                                                        "char",     "float",  "double", "bool", "void"};

template <class List>
bool contains(const List& list, std::string_view word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

using Tokens = std::vector<Lexeme>;
using Kind = Lexeme::Kind;

/// A type's text, "unsigned int", "std::int64_t", "Foo<int,3>", with blanks between words only.
std::string spell(Tokens::const_iterator first, Tokens::const_iterator last) {
  std::string text;
  for (auto token = first; token != last; ++token) {
    if (token->kind != Kind::punctuation && !text.empty() &&
        (std::isalnum(static_cast<unsigned char>(text.back())) != 0 || text.back() == '_'))
      text += ' ';
    text += token->spelling();
  }
  return text;
}

class Scanner {
 public:
  Scanner(std::string_view text, const std::string& file)
      : text_(text), file_(file), lines_(text), tokens_(lexCuda(text)) {
    std::erase_if(tokens_, [&](const Lexeme& token) {
      if (token.kind == Kind::directive) seeDirective(readDirective(token));
      return token.kind == Kind::directive;
    });
  }

  CudaSource scan() {
    while (at_ < tokens_.size()) step();
    keepDefinitions();
    for (const auto& kernel : source_.kernels)
      if (kernel.templateParameters > 0) source_.usesScalarType = true;
    return std::move(source_);
  }

 private:
  [[nodiscard]] std::string_view word(std::size_t index) const {
    return index < tokens_.size() ? tokens_[index].text : std::string_view();
  }
  [[nodiscard]] bool isWord(std::size_t index) const {
    return index < tokens_.size() && tokens_[index].kind == Kind::word;
  }

  void seeDirective(const Directive& line) {
    if (line.name.starts_with("include") && line.rest.starts_with('"')) source_.includesFiles = true;
  }

  void step() {
    const std::string_view token = word(at_);
    if (token == "scalar_t") source_.usesScalarType = true;
    if (token == "namespace") return enterNamespace();
    if (token == "template" && word(at_ + 1) == "<") return readTemplate();
    if (token == "using" && word(at_ + 2) == "=") return readUsing();
    if (token == "typedef") return readTypedef();
    if (token == "__global__") return readKernel();
    if (token == "{") ++depth_;
    if (token == "}") {
      --depth_;
      while (!namespaces_.empty() && namespaces_.back().second > depth_) namespaces_.pop_back();
    }
    if (token == ";" || token == "}") pending_ = {};
    ++at_;
  }

  void enterNamespace() {
    std::string name;
    std::size_t at = at_ + 1;
    while (at < tokens_.size() && (isWord(at) || word(at) == "::")) name += tokens_[at++].spelling();
    if (word(at) == "{") namespaces_.emplace_back(name, ++depth_);
    at_ = at + 1;
  }

  /// The index of the bracket that closes the one at `open`; tokens_.size() if none does.
  [[nodiscard]] std::size_t closing(std::size_t open) const {
    int depth = 0;
    const std::string_view opener = word(open);
    const std::string_view closer = opener == "<" ? ">" : opener == "(" ? ")" : "}";
    for (std::size_t at = open; at < tokens_.size(); ++at) {
      if (word(at) == opener) ++depth;
      if (word(at) == closer && --depth == 0) return at;
    }
    return tokens_.size();
  }

  /// The ranges between the commas of a list that stands between two brackets.
  [[nodiscard]] std::vector<std::pair<std::size_t, std::size_t>> split(std::size_t open,
                                                                       std::size_t close) const {
    std::vector<std::pair<std::size_t, std::size_t>> parts;
    int depth = 0;
    std::size_t first = open + 1;
    for (std::size_t at = open + 1; at < close; ++at) {
      const std::string_view token = word(at);
      if (token == "(" || token == "<" || token == "[" || token == "{") ++depth;
      if (token == ")" || token == ">" || token == "]" || token == "}") --depth;
      if (token == "," && depth == 0) {
        parts.emplace_back(first, at);
        first = at + 1;
      }
    }
    if (first < close) parts.emplace_back(first, close);
    return parts;
  }

  void readTemplate() {
    const std::size_t close = closing(at_ + 1);
    pending_ = {};
    for (auto [first, last] : split(at_ + 1, close)) {
      ++pending_.templateParameters;
      std::size_t end = first;
      while (end < last && word(end) != "=") ++end;
      const bool named = end > first + 1 && isWord(end - 1);
      const std::string name = named ? tokens_[end - 1].spelling() : std::string();
      if (word(first) == "typename" || word(first) == "class") pending_.typeNames.push_back(name);
      pending_.valueNames.push_back(name);
    }
    at_ = close + 1;
  }

  void readUsing() {
    std::size_t end = at_;
    while (end < tokens_.size() && word(end) != ";") ++end;
    source_.aliases[tokens_[at_ + 1].spelling()] = typeText(at_ + 3, end);
    if (typeText(at_ + 3, end) == "scalar_t") source_.usesScalarType = true;
    at_ = end;
  }

  void readTypedef() {
    std::size_t end = at_;
    while (end < tokens_.size() && word(end) != ";" && word(end) != "{") ++end;
    if (word(end) == ";" && end >= at_ + 3 && isWord(end - 1)) {
      source_.aliases[tokens_[end - 1].spelling()] = typeText(at_ + 1, end - 1);
      if (typeText(at_ + 1, end - 1) == "scalar_t") source_.usesScalarType = true;
    }
    at_ = end;
  }

  [[nodiscard]] std::string typeText(std::size_t first, std::size_t last) const {
    Tokens kept;
    for (std::size_t at = first; at < last; ++at)
      if (!contains(qualifiers, word(at))) kept.push_back(tokens_[at]);
    return spell(kept.begin(), kept.end());
  }

  void readKernel() {
    std::size_t at = at_ + 1;
    while (at < tokens_.size()) {  // up to the name: the word before a bracket that is not an attribute's
      if (word(at) == ";" || word(at) == "{") break;
      if (word(at) == "(" && at > at_ && isWord(at - 1)) {
        const std::string_view before = word(at - 1);
        if (!before.starts_with("__")) break;
      }
      at = word(at) == "(" ? closing(at) + 1 : at + 1;
    }
    if (word(at) == "(")
      takeKernel(at);
    else
      at_ = std::max(at, at_ + 1);
    pending_ = {};
  }

  void takeKernel(std::size_t open) {
    CudaKernel kernel = std::move(pending_);
    for (const auto& [name, depth] : namespaces_)
      if (!name.empty()) kernel.name += name + "::";
    kernel.name += tokens_[open - 1].spelling();
    kernel.place = placeOf(open - 1);
    const std::size_t close = closing(open);
    for (auto [first, last] : split(open, close)) {
      for (std::size_t at = first; at < last; ++at)
        if (word(at) == "scalar_t") source_.usesScalarType = true;
      if (!(last == first + 1 && word(first) == "void")) kernel.parameters.push_back(parameter(first, last));
    }
    source_.kernels.push_back(std::move(kernel));
    defined_.push_back(word(close + 1) == "{");
    at_ = close + 1;
  }

  [[nodiscard]] CudaParameter parameter(std::size_t first, std::size_t last) const {
    CudaParameter parameter;
    parameter.place = placeOf(first);
    const std::size_t begin = tokens_[first].offset;
    const std::size_t end = tokens_[last - 1].end();
    parameter.written = std::string(text_.substr(begin, end - begin));
    while (last > first && std::any_of(tokens_.begin() + static_cast<std::ptrdiff_t>(first),
                                       tokens_.begin() + static_cast<std::ptrdiff_t>(last),
                                       [](const Lexeme& token) { return token.is("="); }))
      --last;  // this was a default value
    std::size_t array = first;
    while (array < last && word(array) != "[") ++array;
    parameter.pointer = array < last;
    last = array;
    std::vector<std::size_t> kept;
    for (std::size_t at = first; at < last; ++at)
      if (!contains(qualifiers, word(at))) kept.push_back(at);
    if (kept.size() > 1 && isWord(kept.back()) && !contains(builtinWords, word(kept.back())) &&
        word(kept[kept.size() - 2]) != "::") {
      parameter.name = tokens_[kept.back()].spelling();
      last = kept.back();
    }
    std::size_t star = first;
    while (star < last && word(star) != "*") ++star;
    parameter.pointer = parameter.pointer || star < last;
    for (std::size_t at = first; at < star; ++at)
      if (word(at) == "const") parameter.readOnly = parameter.pointer;
    parameter.type = typeText(first, star);
    if (star < last && std::count_if(tokens_.begin() + static_cast<std::ptrdiff_t>(star),
                                     tokens_.begin() + static_cast<std::ptrdiff_t>(last),
                                     [](const Lexeme& token) { return token.is("*"); }) > 1)
      parameter.type += "*";
    return parameter;
  }

  /// Keeps one kernel where it is declared first and defined later.
  void keepDefinitions() {
    std::vector<CudaKernel> kept;
    for (std::size_t i = 0; i < source_.kernels.size(); ++i) {
      auto same = std::find_if(kept.begin(), kept.end(), [&](const CudaKernel& kernel) {
        return kernel.name == source_.kernels[i].name &&
               kernel.parameters.size() == source_.kernels[i].parameters.size();
      });
      if (same == kept.end())
        kept.push_back(std::move(source_.kernels[i]));
      else if (defined_[i])
        *same = std::move(source_.kernels[i]);
    }
    source_.kernels = std::move(kept);
  }

  [[nodiscard]] Place placeOf(std::size_t token) const { return lines_.place(tokens_[token].offset, file_); }

  std::string_view text_;
  const std::string& file_;
  CudaSource source_;
  LineIndex lines_;
  Tokens tokens_;
  std::size_t at_ = 0;
  int depth_ = 0;
  std::vector<std::pair<std::string, int>> namespaces_;
  std::vector<bool> defined_;
  CudaKernel pending_;  // the template parameters seen before the next declaration
};

}  // namespace

CudaSource scanCudaSource(std::string_view text, const std::string& file) {
  return Scanner(text, file).scan();
}

}  // namespace wb
