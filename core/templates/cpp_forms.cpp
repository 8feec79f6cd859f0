// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <vector>

#include "core/templates/form_makers.h"
#include "core/templates/form_texts.h"
#include "core/templates/forms.h"

namespace wb {
namespace {

/// The condition that the form can compute the case, and the loads of its elements.
void addInputs(const Elementwise& form, FormWords& words) {
  std::string simple = "self.scalar_type() == at::kFloat && self.is_contiguous()", pointers, loads;
  const char* const names[] = {"self", "other"};
  for (int i = 0; i < form.inputs; ++i) {
    const std::string element = elementName(i, form.inputs);
    pointers += fmt::format("{}  const float* {} = {}.const_data_ptr<float>();", i > 0 ? "\n" : "",
                            pointerName(i, form.inputs), names[i]);
    loads += fmt::format("{}      const float {} = {}[i];", i > 0 ? "\n" : "", element,
                         pointerName(i, form.inputs));
  }
  if (form.inputs > 1)
    simple +=
        " && other.scalar_type() == at::kFloat &&\n                      other.is_contiguous() && "
        "self.sizes() == other.sizes()";
  if (form.name == "gelu") simple += " && approximate == \"none\"";
  if (form.expression.find("s * ") != std::string_view::npos)
    pointers += "\n  const float s = alpha.to<float>();";
  words["simple"] = simple;
  words["pointers"] = pointers;
  words["loads"] = loads;
  words["expression"] = spelled(form.expression, "float(", "std::");
}

std::string dimensionsOf(const Schema& schema) {
  for (const SchemaValue& argument : schema.arguments)
    if (argument.name == "dim") return argument.isOptional ? "dim.value_or(at::IntArrayRef())" : "dim";
  return "at::IntArrayRef()";
}

bool takes(const Schema& schema, std::string_view name) {
  for (const SchemaValue& argument : schema.arguments)
    if (argument.name == name) return true;
  return false;
}

std::string guardOf(const Schema& schema) {
  if (takes(schema, "half_to_float")) return " && !half_to_float";
  return takes(schema, "dtype") ? " && !dtype" : "";
}

void replaceAll(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
}

}  // namespace

std::optional<NewKernel> cppForm(const Schema& schema, FormWords words) {
  if (const Elementwise* form = findElementwise(schema)) {
    addInputs(*form, words);
    return NewKernel{{}, fillForm(asset::cppElementwise, words), byElement};
  }
  words["guard"] = guardOf(schema);
  if (const Reduction* form = findReduction(schema)) {
    words["dims"] = dimensionsOf(schema);
    words["keepdim"] = takes(schema, "keepdim") ? "keepdim" : "false";
    words["accumulator"] = form->start == "0" ? "double" : "float";
    words["start"] = form->start;
    words["combine"] = form->combine;
    words["finish"] = form->finish == "total / columns" ? "total / static_cast<double>(columns)" : "total";
    return NewKernel{{}, fillForm(asset::cppReduction, words), byRow};
  }
  if (const Softmax* form = findSoftmax(schema)) {
    words["result"] = form->isLogarithm ? "x[i] - largest - std::log(sum)" : "std::exp(x[i] - largest) / sum";
    return NewKernel{{}, fillForm(asset::cppSoftmax, words), byRow};
  }
  if (isMatmul(schema)) {
    const bool batched = schema.name == "bmm";
    words["batches"] = batched ? "left.size(0)" : "1";
    words["shape"] = batched ? "{batches, rows, columns}" : "{rows, columns}";
    return NewKernel{{}, fillForm(asset::cppMatmul, words), byRow};
  }
  if (isLayerNorm(schema)) {
    words["results"] = "{out, mean, rstd}";
    std::string text = fillForm(asset::cppLayerNorm, words);
    replaceAll(text, "self", "input");
    return NewKernel{{}, std::move(text), byRow};
  }
  return std::nullopt;
}

std::optional<NewKernel> cudaForm(const Schema& schema, FormWords words) {
  const Elementwise* form = findElementwise(schema);
  if (!form) return std::nullopt;
  addInputs(*form, words);
  const char* const names[] = {"self", "other"};
  std::vector<std::string> pointers, floats, doubles, loads;
  for (int i = 0; i < form->inputs; ++i) {
    const std::string element = elementName(i, form->inputs);
    pointers.push_back(fmt::format("const T* __restrict__ {}", pointerName(i, form->inputs)));
    loads.push_back(fmt::format("  const T {} = {}[i];", element, pointerName(i, form->inputs)));
    floats.push_back(fmt::format("{}.const_data_ptr<float>()", names[i]));
    doubles.push_back(fmt::format("{}.const_data_ptr<double>()", names[i]));
  }
  const bool scaled = form->expression.find("s * ") != std::string_view::npos;
  std::string simple = words["simple"];
  replaceAll(simple, "self.scalar_type() == at::kFloat",
             "(self.scalar_type() == at::kFloat || self.scalar_type() == at::kDouble)");
  replaceAll(simple, "other.scalar_type() == at::kFloat", "other.scalar_type() == self.scalar_type()");
  words["simple"] = simple;
  words["pointers"] = fmt::format("{}", fmt::join(pointers, ", "));
  words["loads"] = fmt::format("{}", fmt::join(loads, "\n"));
  words["floats"] = fmt::format("{}", fmt::join(floats, ", "));
  words["doubles"] = fmt::format("{}", fmt::join(doubles, ", "));
  words["numbers"] = scaled ? ", T s" : "";
  words["floatValues"] = scaled ? ", alpha.to<float>()" : "";
  words["doubleValues"] = scaled ? ", alpha.to<double>()" : "";
  words["expression"] = spelled(form->expression, "T(", "");
  return NewKernel{{}, fillForm(asset::cudaElementwise, words), byElement};
}

}  // namespace wb
