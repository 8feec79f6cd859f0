// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "core/engine/compile/translation_unit.h"
#include "core/model/operator_name.h"

namespace wb {
namespace {

constexpr std::string_view kernelSuffix = "_kernel_impl";

/// "aten::sum.dim_IntList" → "sum__dim_IntList", "aten::relu" → "relu__default".
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
  const FunctionDefinition* asTemplate = nullptr;
  for (const auto& name : names) {
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
  // A source's own functions come last, after what they use.
  for (const bool internal : {false, true})
    for (auto f = functions.rbegin(); f != functions.rend(); ++f)
      if (f->internal == internal) addOnce(names, f->name);
  return names;
}

}  // namespace wb
