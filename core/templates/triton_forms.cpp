// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <vector>

#include "core/templates/form_makers.h"
#include "core/templates/form_texts.h"
#include "core/templates/forms.h"

namespace wb {
namespace {

const SchemaValue* findArgument(const Schema& schema, std::string_view name) {
  for (const SchemaValue& argument : schema.arguments)
    if (argument.name == name) return &argument;
  return nullptr;
}

NewKernel elementwiseKernel(const Elementwise& form, FormWords words) {
  const char* const names[] = {"self", "other"};
  std::vector<std::string> pointers, arguments, loads;
  for (int i = 0; i < form.inputs; ++i) {
    const std::string element = elementName(i, form.inputs);
    pointers.push_back(pointerName(i, form.inputs));
    arguments.emplace_back(names[i]);
    loads.push_back(fmt::format("    {} = tl.load({} + at, mask=inside).to(tl.float32)", element,
                                pointerName(i, form.inputs)));
  }
  std::string simple = "self.dtype in (torch.float16, torch.bfloat16, torch.float32)";
  std::string contiguous = "    self = self.contiguous()";
  if (form.inputs > 1) {
    simple += " and self.dtype == other.dtype and self.shape == other.shape";
    contiguous = "    self, other = self.contiguous(), other.contiguous()";
  }
  if (form.name == "gelu") simple += " and approximate == \"none\"";
  const bool scaled = form.triton.find("alpha") != std::string_view::npos;
  words["pointers"] = fmt::format("{}", fmt::join(pointers, ", "));
  words["arguments"] = fmt::format("{}", fmt::join(arguments, ", "));
  words["loads"] = fmt::format("{}", fmt::join(loads, "\n"));
  words["simple"] = simple;
  words["contiguous"] = contiguous;
  words["first"] = "self";
  words["numbers"] = scaled ? "alpha, " : "";
  words["values"] = scaled ? "alpha, " : "";
  words["expression"] = form.triton;
  return {{}, fillForm(asset::tritonElementwise, words), byElement};
}

}  // namespace

std::optional<NewKernel> tritonForm(const Schema& schema, FormWords words) {
  if (const Elementwise* form = findElementwise(schema)) {
    if (form->triton.empty()) return std::nullopt;
    return elementwiseKernel(*form, std::move(words));
  }
  words["guard"] = findArgument(schema, "half_to_float") ? " or half_to_float"
                   : findArgument(schema, "dtype")       ? " or dtype is not None"
                                                         : "";
  if (const Reduction* form = findReduction(schema)) {
    const SchemaValue* dim = findArgument(schema, "dim");
    words["dims"] = dim == nullptr ? "()" : dim->isOptional ? "() if dim is None else dim" : "dim";
    words["keepdim"] = findArgument(schema, "keepdim") ? "keepdim" : "False";
    words["start"] = form->tritonStart;
    words["combine"] = form->tritonCombine;
    words["finish"] = form->tritonFinish;
    return NewKernel{{}, fillForm(asset::tritonReduction, words), byRow};
  }
  if (const Softmax* form = findSoftmax(schema)) {
    words["result"] = form->isLogarithm ? "value - tl.log(total)" : "tl.exp(value) / total";
    return NewKernel{{}, fillForm(asset::tritonSoftmax, words), byRow};
  }
  if (isMatmul(schema)) {
    const bool batched = schema.name == "bmm";
    words["batches"] = batched ? "a.size(0)" : "1";
    words["shape"] = batched ? "(batches, rows, columns)" : "(rows, columns)";
    return NewKernel{{}, fillForm(asset::tritonMatmul, words), byTile};
  }
  if (isLayerNorm(schema)) {
    words["results"] = "out, mean, rstd";
    std::string text = fillForm(asset::tritonLayerNorm, words);
    for (std::size_t at = text.find("self"); at != std::string::npos; at = text.find("self", at))
      text.replace(at, 4, "input");
    return NewKernel{{}, std::move(text), byRow};
  }
  return std::nullopt;
}

}  // namespace wb
