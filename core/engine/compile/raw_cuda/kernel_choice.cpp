// SPDX-License-Identifier: Apache-2.0
#include "core/engine/compile/raw_cuda/kernel_choice.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <vector>

#include "core/base/nearest.h"
#include "core/base/text.h"

namespace wb {
namespace {

std::vector<std::string> splitArguments(std::string_view text) {
  std::vector<std::string> parts;
  int depth = 0;
  std::size_t first = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '<' || c == '(') ++depth;
    if (c == '>' || c == ')') --depth;
    if (c == ',' && depth == 0) {
      parts.emplace_back(trimmed(text.substr(first, at - first)));
      first = at + 1;
    }
  }
  parts.emplace_back(trimmed(text.substr(first)));
  return parts;
}

Result<const CudaKernel*> findKernel(const HeaderName& wanted, const std::string& base,
                                     const RawCudaHeader& header, const std::vector<CudaKernel>& kernels) {
  std::vector<std::string> names;
  for (const auto& kernel : kernels) names.push_back(kernel.name);
  if (kernels.empty())
    return Error{Stage::compile, "There is no __global__ function in this file.",
                 "a raw CUDA kernel is one: __global__ void relu(…)", header.place};
  if (base.empty()) {
    if (kernels.size() == 1) return &kernels.front();
    return Error{Stage::compile,
                 fmt::format("There are several __global__ functions: {}.", fmt::join(names, ", ")),
                 fmt::format("say which in the header: kernel = \"{}\"", names.front()), header.place};
  }
  std::vector<const CudaKernel*> found;
  for (const auto& kernel : kernels)
    if (kernel.name == base || kernel.name.ends_with("::" + base)) found.push_back(&kernel);
  if (found.size() == 1) return found.front();
  if (found.empty()) {
    auto hint = didYouMean(base, names);
    if (hint.empty())
      hint = fmt::format("there {} {}", names.size() == 1 ? "is" : "are", fmt::join(names, ", "));
    return Error{Stage::compile, fmt::format("There is no __global__ function {}.", base), std::move(hint),
                 wanted.place};
  }
  return Error{Stage::compile, fmt::format("Several __global__ functions are called {}.", base),
               "give its namespace, or rename one", wanted.place};
}

Error templateError(const RawCudaHeader& header, const CudaKernel& kernel, std::string what) {
  return Error{
      Stage::compile, std::move(what),
      fmt::format("kernel = \"{}<scalar_t{}>\"", kernel.name, kernel.templateParameters > 1 ? ", …" : ""),
      header.kernel.name.empty() ? kernel.place : header.kernel.place};
}

}  // namespace

Result<KernelChoice> chooseKernel(const RawCudaHeader& header, const CudaSource& source) {
  const std::string& wanted = header.kernel.name;
  const auto open = wanted.find('<');
  auto found =
      findKernel(header.kernel, std::string(trimmed(wanted.substr(0, open))), header, source.kernels);
  if (!found) return std::move(found).error();
  KernelChoice choice{**found, (*found)->name, {}};
  const CudaKernel& kernel = choice.kernel;
  std::vector<std::string> arguments;
  if (open != std::string::npos) {
    const auto close = wanted.rfind('>');
    if (close == std::string::npos || close < open)
      return templateError(header, kernel, "The template arguments do not end: > is missing.");
    arguments = splitArguments(std::string_view(wanted).substr(open + 1, close - open - 1));
    if (kernel.templateParameters == 0)
      return templateError(header, kernel, fmt::format("{} is not a template.", kernel.name));
  } else if (kernel.templateParameters > 0) {
    if (kernel.templateParameters != 1 || kernel.typeNames.size() != 1)
      return templateError(
          header, kernel,
          fmt::format("{} is a template of {} parameters: say with which arguments it is to be compiled.",
                      kernel.name, kernel.templateParameters));
    arguments = {"scalar_t"};
  }
  for (std::size_t i = 0; i < arguments.size() && i < kernel.valueNames.size(); ++i)
    // A parameter called scalar_t whose value is scalar_t is not an alias.
    if (!kernel.valueNames[i].empty() && kernel.valueNames[i] != arguments[i])
      choice.templateArguments[kernel.valueNames[i]] = arguments[i];
  if (!arguments.empty()) choice.nameExpression += fmt::format("<{}>", fmt::join(arguments, ", "));
  return choice;
}

}  // namespace wb
