// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "core/engine/compile/host/translation_unit.h"
#include "core/engine/compile/text/lexer.h"
#include "core/model/operators/operator_name.h"

namespace wb {
namespace {

constexpr std::string_view kernelSuffix = "_kernel_impl";

/// The operator's name as a folder: "aten::sum.dim_IntList" → "sum__dim_IntList", "aten::relu" →
/// "relu__default".
std::string folderForm(std::string_view schemaName) {
  const auto colons = schemaName.rfind("::");
  std::string_view name = colons == std::string_view::npos ? schemaName : schemaName.substr(colons + 2);
  const auto dot = name.find('.');
  if (dot == std::string_view::npos) return std::string{name} + "__default";
  return std::string{name.substr(0, dot)} + "__" + std::string{name.substr(dot + 1)};
}

void addOnce(std::vector<std::string>& names, const std::string& name) {
  if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
}

bool isMacro(std::string_view name) {
  return name.starts_with("PYBIND11_") || name.starts_with("TORCH_");
}

/// The names in `m.def("forward", &ns::relu_forward)`: the one for Python, and the last part of the
/// function's.
struct Bound {
  std::string name, function;
};
std::vector<Bound> boundFunctions(std::string_view source) {
  const auto lexemes = lexCode(source);
  std::vector<Bound> all;
  for (std::size_t i = 0; i + 4 < lexemes.size(); ++i) {
    if (!lexemes[i].is("def") || !lexemes[i + 1].is("(") || lexemes[i + 2].kind != Lexeme::Kind::literal ||
        !lexemes[i + 3].is(","))
      continue;
    std::size_t at = i + 4;
    if (lexemes[at].is("&")) ++at;
    std::string function;
    for (; at < lexemes.size() && (lexemes[at].kind == Lexeme::Kind::word || lexemes[at].is("::")); ++at)
      if (lexemes[at].kind == Lexeme::Kind::word) function = lexemes[at].spelling();
    std::string_view name = lexemes[i + 2].text;
    if (name.size() < 2 || function.empty()) continue;
    all.push_back({std::string(name.substr(1, name.size() - 2)), function});
  }
  return all;
}

/// Adds the names that the bindings have for a kernel after those that the functions have themselves: an
/// operator's name, or the only name there is.
void addBound(std::string_view source, std::vector<std::string>& names) {
  const auto all = boundFunctions(source);
  const std::size_t known = names.size();
  for (std::size_t i = 0; i < known; ++i)
    for (const auto& bound : all)
      if (bound.name == names[i]) addOnce(names, bound.function);
  if (all.size() == 1) addOnce(names, all.front().function);
}

std::string describeFound(const std::vector<FunctionDefinition>& functions) {
  std::vector<std::string> names;
  for (const auto& f : functions)
    if (!isMacro(f.name)) addOnce(names, f.name);
  if (names.empty()) return "The source defines no function at all.";
  constexpr std::size_t most = 8;
  const std::string more = names.size() > most ? fmt::format(" and {} more", names.size() - most) : "";
  names.resize(std::min(names.size(), most));
  return fmt::format("The source defines {}{}.", fmt::join(names, ", "), more);
}

}  // namespace

std::vector<std::string> kernelNames(std::string_view schemaName) {
  const std::string folder = folderForm(schemaName), base = baseName(schemaName);
  std::vector<std::string> names;
  for (const auto& name :
       {folder + std::string{kernelSuffix}, base + std::string{kernelSuffix}, folder, base})
    addOnce(names, name);
  return names;
}

Result<FunctionDefinition> findKernel(std::string_view source, std::string_view path,
                                      std::string_view schemaName) {
  const auto functions = scanFunctions(source);
  const auto names = kernelNames(schemaName);
  auto candidates = names;
  addBound(source, candidates);
  const FunctionDefinition* asTemplate = nullptr;
  for (const auto& name : candidates) {
    for (const auto& f : functions) {
      if (f.name != name) continue;
      if (!f.isTemplate) return f;
      if (asTemplate == nullptr) asTemplate = &f;
    }
  }
  const std::string file{path};
  if (asTemplate != nullptr)
    return Error{
        Stage::compile, asTemplate->name + " is a template, which cannot be called by its name alone",
        "add a function over at::Tensor that calls it", Place{file, asTemplate->line, asTemplate->column}};
  return Error{Stage::compile,
               fmt::format("no function for {}: looked for {}. {}", schemaName, fmt::join(names, ", "),
                           describeFound(functions)),
               fmt::format("name the kernel {}", names[1]), Place{file, 0, 0}};
}

std::vector<std::string> possibleKernels(std::string_view source) {
  auto functions = scanFunctions(source);
  std::erase_if(functions, [](const FunctionDefinition& f) { return f.isTemplate || isMacro(f.name); });
  std::vector<std::string> names;
  for (const auto& f : functions)
    if (f.name.ends_with(kernelSuffix)) addOnce(names, f.name);
  for (const auto& bound : boundFunctions(source)) addOnce(names, bound.name);
  // A source's main functions come last, after those that they use.
  for (const bool internal : {false, true})
    for (auto f = functions.rbegin(); f != functions.rend(); ++f)
      if (f->internal == internal) addOnce(names, f->name);
  return names;
}

}  // namespace wb
