// SPDX-License-Identifier: Apache-2.0
#include "core/engine/compile/torch_cuda/split/host_variables.h"

#include <algorithm>
#include <array>

#include "core/engine/compile/text/brackets.h"
#include "core/engine/compile/torch_cuda/split/declared_name.h"

namespace wb {
namespace {

using Kind = Lexeme::Kind;

template <std::size_t n>
bool isOneOf(std::string_view word, const std::array<std::string_view, n>& words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

/// What no code of the device can do or call. Those that a kernel's own function might be called are missing.
bool isOfHost(std::string_view word) {
  constexpr std::array<std::string_view, 15> words{
      "try",  "catch", "throw",  "thread_local", "getenv", "secure_getenv", "atoi", "atol",
      "atof", "stoi",  "strtol", "strtoll",      "strtod", "fprintf",       "fopen"};
  return isOneOf(word, words);
}

bool isArithmetic(const Lexeme& word) {
  constexpr std::array<std::string_view, 22> words{
      "static",  "const",   "inline",   "unsigned", "signed",   "bool",     "char",    "short",
      "int",     "long",    "float",    "double",   "size_t",   "int8_t",   "uint8_t", "int16_t",
      "int32_t", "int64_t", "uint16_t", "uint32_t", "uint64_t", "constinit"};
  return isOneOf(word.text, words);
}

/// Whether it is a variable, or a function's prototype, that is not the device's.
bool isVariable(Lexemes lexemes, const Item& item) {
  const auto& q = item.qualifiers;
  if (item.kind != Item::Kind::declaration) return false;
  if (q.isConstexpr || q.global || q.device || q.constant) return false;
  const auto head = afterTemplateHeads(lexemes, item.first);
  if (head > item.last) return false;
  const auto& first = lexemes[head];
  constexpr std::array<std::string_view, 10> others{"using", "typedef", "struct", "class",     "enum",
                                                    "union", "friend",  "extern", "namespace", "template"};
  return !isOneOf(first.text, others);
}

/// Whether the constant may be more than a number that is made of numbers and other constants.
bool maybeCalls(Lexemes lexemes, const Item& item) {
  auto i = item.first;
  while (i < item.last && lexemes[i].kind == Kind::word && isArithmetic(lexemes[i])) ++i;
  // The name, then "=" or the dimensions of an array.
  if (i + 1 >= item.last || lexemes[i].kind != Kind::word) return true;
  if (!lexemes[i + 1].is("=") && !lexemes[i + 1].is("[") && !lexemes[i + 1].is("{")) return true;
  for (i += 1; i + 1 < item.last; ++i) {
    if (lexemes[i].kind != Kind::word) continue;
    const bool maybe =
        lexemes[i + 1].is("(") || lexemes[i + 1].is("<") || lexemes[i + 1].is("{") || lexemes[i].is("new");
    if (maybe) return true;
  }
  return false;
}

template <class Words>
void addWords(Lexemes lexemes, std::size_t begin, std::size_t end, Words& words) {
  for (auto i = begin; i < end && i < lexemes.size(); ++i)
    if (lexemes[i].kind == Kind::word)
      words.insert((isMember(lexemes, i) ? "." : "") + lexemes[i].spelling());
}

/// Whether it calls CUDA's runtime or a library of CUDA's, cudaMalloc( or cublasCreate(.
bool isCallOfRuntime(Lexemes lexemes, std::size_t at) {
  if (at + 1 >= lexemes.size() || !lexemes[at + 1].is("(")) return false;
  const auto text = lexemes[at].text;
  if (text == "cudaGridDependencySynchronize" || text == "cudaTriggerProgrammaticLaunchCompletion")
    return false;
  for (const std::string_view library :
       {"cuda", "cublas", "cudnn", "cusolver", "cusparse", "cufft", "curand"})
    if (text.starts_with(library) && text.size() > library.size() && text[library.size()] >= 'A' &&
        text[library.size()] <= 'Z')
      return true;
  return false;
}

/// Whether it is a function of a class that has no qualifier, which only code of the host may call.
bool isUnqualified(const Item& item) {
  const auto& q = item.qualifiers;
  return item.kind == Item::Kind::function && !q.global && !q.device && !q.isConstexpr;
}

}  // namespace

void HostVariables::read(Lexemes lexemes, const std::vector<Item>& items) {
  for (const auto& lexeme : lexemes) {
    if (lexeme.kind != Kind::directive) continue;
    const auto said = readDirective(lexeme);
    const auto rest = lexCuda(said.rest);
    if (said.name != "define") {
      addWords(rest, 0, rest.size(), named_);
    } else if (!rest.empty()) {
      addWords(rest, 1, rest.size(), macros_.emplace(rest[0].spelling(), Words{})->second);
    }
  }
  readItems(lexemes, items);
}

void HostVariables::readType(Lexemes lexemes, const Item& item) {
  addWords(lexemes, item.first, item.bodyOpen, named_);
  addWords(lexemes, item.bodyClose, item.last, named_);
  if (item.children.empty()) addWords(lexemes, item.bodyOpen, item.bodyClose, named_);
  for (const auto& child : item.children) {
    if (child.kind == Item::Kind::type)
      readType(lexemes, child);
    else if (isUnqualified(child))
      addWords(lexemes, child.parametersOpen, child.last,
               members_.emplace(lexemes[child.name].spelling(), Words{})->second);
    else
      addWords(lexemes, child.first, child.last, named_);
  }
}

void HostVariables::readItems(Lexemes lexemes, const std::vector<Item>& items) {
  for (const auto& item : items) {
    switch (item.kind) {
      case Item::Kind::scope:
        readItems(lexemes, item.children);
        break;
      case Item::Kind::type:
        readType(lexemes, item);
        break;
      case Item::Kind::function: {
        const bool host = isUnqualified(item);
        (host ? hostFunctions_ : otherFunctions_).insert(lexemes[item.name].spelling());
        if (!host) addWords(lexemes, item.first, item.last + 1, named_);
        break;
      }
      case Item::Kind::declaration:
        if (isVariable(lexemes, item)) {
          if (!item.qualifiers.isConst) break;  // which the device's part has not
          Constant constant;
          addWords(lexemes, item.first, item.last, constant.words);
          constant.maybeCalls = maybeCalls(lexemes, item);
          constants_.emplace(declaredName(lexemes, item), std::move(constant));
        } else {
          addWords(lexemes, item.first, item.last, named_);
        }
        break;
    }
  }
}

bool HostVariables::isHosts(std::string_view word) const {
  return isOfHost(word) || hostConstants_.contains(word) ||
         (hostFunctions_.contains(word) && !otherFunctions_.contains(word));
}

bool HostVariables::needsHost(Lexemes lexemes, std::size_t begin, std::size_t end) const {
  for (auto i = begin; i < end && i < lexemes.size(); ++i)
    if (lexemes[i].kind == Kind::word && !isMember(lexemes, i) &&
        (isHosts(lexemes[i].spelling()) || isCallOfRuntime(lexemes, i)))
      return true;
  return false;
}

bool HostVariables::isNamed(Lexemes lexemes, const Item& memberFunction) const {
  const auto& name = lexemes[memberFunction.name];
  if (name.kind != Kind::word) return true;
  return named_.contains(name.spelling()) || named_.contains("." + name.spelling());
}

void HostVariables::decide() {
  for (bool more = true; more;) {
    more = false;
    for (const auto& [name, constant] : constants_)
      if (!hostConstants_.contains(name) && std::any_of(constant.words.begin(), constant.words.end(),
                                                        [&](const auto& word) { return isHosts(word); })) {
        hostConstants_.insert(name);
        more = true;
      }
  }
  std::vector<std::string> open(named_.begin(), named_.end());
  const auto follow = [&](const Words& words) {
    for (const auto& word : words)
      if (named_.insert(word).second) open.push_back(word);
  };
  while (!open.empty()) {
    const std::string word = std::move(open.back());
    open.pop_back();
    const auto plain = word.starts_with('.') ? word.substr(1) : word;
    for (auto [at, end] = members_.equal_range(plain); at != end; ++at) follow(at->second);
    for (auto [at, end] = macros_.equal_range(word); at != end; ++at) follow(at->second);
    if (hostConstants_.contains(word)) continue;
    for (auto [at, end] = constants_.equal_range(word); at != end; ++at) follow(at->second.words);
  }
}

bool HostVariables::isHosts(Lexemes lexemes, const Item& declaration) const {
  if (!isVariable(lexemes, declaration) || !declaration.qualifiers.isConst) return false;
  const auto name = declaredName(lexemes, declaration);
  if (hostConstants_.contains(name)) return true;
  return maybeCalls(lexemes, declaration) && !named_.contains(name);
}

}  // namespace wb
