// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <vector>

#include "core/templates/form_makers.h"
#include "core/templates/form_texts.h"
#include "core/templates/forms.h"

namespace wb {
namespace {

/// The type in which is computed: an integer has no functions of the mathematical library.
constexpr const char* ownType =
    "// Two bytes are computed in float; everything else in its own type.\n"
    "template <typename T, int bytes = sizeof(T)> struct Working { using type = T; };\n"
    "template <typename T> struct Working<T, 2> { using type = float; };\n";
constexpr const char* realType =
    "// Double is computed in double; everything else in float.\n"
    "template <typename T> struct Working { using type = float; };\n"
    "template <> struct Working<double> { using type = double; };\n";

NewKernel elementwiseKernel(const Elementwise& form, FormWords words) {
  const char* const names[] = {"self", "other"};
  std::vector<std::string> pointers, arguments, loads;
  for (int i = 0; i < form.inputs; ++i) {
    const std::string element = elementName(i, form.inputs);
    pointers.push_back(fmt::format("const scalar_t* __restrict__ {}", pointerName(i, form.inputs)));
    arguments.push_back(fmt::format("\"{}\"", names[i]));
    loads.push_back(fmt::format("  const working_t {} = static_cast<working_t>({}[i]);", element,
                                pointerName(i, form.inputs)));
  }
  arguments.emplace_back("\"out\"");
  arguments.emplace_back("\"numel(out)\"");
  std::string numbers, expression = spelled(form.expression, "working_t(", "");
  if (form.expression.find("s * ") != std::string_view::npos) {
    arguments.emplace_back("\"alpha\"");
    numbers = ", double alpha";
    loads.emplace_back("  const working_t s = static_cast<working_t>(alpha);");
  }
  if (form.name == "gelu") {
    arguments.emplace_back("\"is(approximate, tanh)\"");
    numbers = ", bool usesTanh";
    loads.emplace_back(
        "  const working_t tanhForm = working_t(0.5) * x *\n"
        "      (working_t(1) + tanh(working_t(0.79788456080286536) * (x + working_t(0.044715) * x * x * "
        "x)));");
    expression = "usesTanh ? tanhForm : " + expression;
  }
  words["working"] = form.expression.find("F:") == std::string_view::npos ? ownType : realType;
  words["pointers"] = fmt::format("{}", fmt::join(pointers, ", "));
  words["arguments"] = fmt::format("{}", fmt::join(arguments, ", "));
  words["loads"] = fmt::format("{}", fmt::join(loads, "\n"));
  words["numbers"] = numbers;
  words["expression"] = expression;
  return {{}, fillForm(asset::rawElementwise, words), byElement};
}

NewKernel reductionKernel(const Reduction& form, const Schema& schema, FormWords words) {
  bool hasDim = false, hasDtype = false;
  for (const SchemaValue& argument : schema.arguments) {
    hasDim = hasDim || argument.name == "dim";
    hasDtype = hasDtype || argument.name == "dtype";
  }
  words["remark"] =
      hasDim ? "One dimension is reduced. A case with several is refused, since 2 - len(dim) is 0 then."
             : "All elements are reduced, by one block.";
  words["arguments"] =
      hasDim ? "\"self\", \"out\", \"size(self, dim[0]) / (2 - len(dim))\", \"inner(self, dim[0])\""
             : "\"self\", \"out\", \"numel(self)\", \"1\"";
  words["combine"] = form.combine;
  words["finish"] = form.finish == "total / columns" ? "partial[0] / columns" : "partial[0]";
  // With `dtype` the result has another type than the input.
  words["result"] = "scalar_t";
  return {{}, fillForm(asset::rawReduction, words), byRow};
}

}  // namespace

std::optional<NewKernel> rawCudaForm(const Schema& schema, FormWords words) {
  if (const Elementwise* form = findElementwise(schema)) return elementwiseKernel(*form, std::move(words));
  if (const Reduction* form = findReduction(schema)) return reductionKernel(*form, schema, std::move(words));
  if (const Softmax* form = findSoftmax(schema)) {
    words["result"] = form->isLogarithm ? "x - log(sum)" : "exp(x) / sum";
    return NewKernel{{}, fillForm(asset::rawSoftmax, words), byRow};
  }
  if (isMatmul(schema)) {
    words["batches"] = schema.name == "bmm" ? ", \"size(self, 0)\"" : "";
    return NewKernel{{}, fillForm(asset::rawMatmul, words), byTile};
  }
  if (isLayerNorm(schema)) return NewKernel{{}, fillForm(asset::rawLayerNorm, words), byRow};
  return std::nullopt;
}

Result<NewKernel> rawCudaBegin(const Schema& schema, FormWords words) {
  const auto refuse = [&](const std::string& what) {
    return Error{Stage::job,
                 fmt::format("raw CUDA cannot implement {}::{}: {}", schema.space, schema.name, what),
                 "choose a CUDA extension, C++ or Python"};
  };
  std::vector<std::string> arguments, pointers;
  for (const SchemaValue& argument : schema.arguments) {
    if (argument.type != "Tensor") continue;
    if (argument.isList) return refuse(fmt::format("'{}' is a list of tensors", argument.name));
    if (argument.isWritten) continue;
    arguments.push_back(fmt::format("\"{}\"", argument.name));
    pointers.push_back(fmt::format("const void* {}", argument.name == "out" ? "out_" : argument.name));
  }
  if (schema.results.empty()) return refuse("it returns nothing");
  for (std::size_t i = 0; i < schema.results.size(); ++i) {
    const SchemaValue& result = schema.results[i];
    if (result.type != "Tensor" || result.isList || result.isOptional)
      return refuse("it returns other things than tensors");
    arguments.push_back(fmt::format("\"out{}\"", i));
    pointers.push_back(fmt::format("void* result{}", i));
  }
  arguments.emplace_back("\"numel(out0)\"");
  words["arguments"] = fmt::format("{}", fmt::join(arguments, ", "));
  words["pointers"] = fmt::format("{}", fmt::join(pointers, ", "));
  return NewKernel{{}, fillForm(asset::rawBegin, words), unwritten, false};
}

}  // namespace wb
