// SPDX-License-Identifier: Apache-2.0
#include "core/templates/new_kernel.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/model/languages.h"
#include "core/templates/form_makers.h"
#include "core/templates/form_texts.h"
#include "core/templates/signature.h"

namespace wb {
namespace {

/// The words that all forms use.
FormWords commonWords(const Schema& schema, std::string_view text) {
  FormWords words;
  words["schema"] = text;
  words["operator"] =
      schema.space + "::" + schema.name + (schema.overload.empty() ? "" : "." + schema.overload);
  words["function"] = functionName(schema);
  std::string kernel = schema.name;
  while (kernel.starts_with('_')) kernel.erase(0, 1);
  words["kernel"] = kernel + "_kernel";
  return words;
}

Result<NewKernel> cppKernel(const Schema& schema, FormWords words, bool isCuda) {
  WB_TRY(const CppSignature signature, cppSignature(schema));
  words["parameters"] = signature.parameters;
  words["returns"] = signature.returns;
  words["include"] = signature.include;
  words["body"] = signature.body;
  // The body without "  return " and ";" is the call.
  const std::string_view body = signature.body;
  constexpr std::string_view begin = "  return ";
  words["aten"] =
      body.starts_with(begin) ? std::string(body.substr(begin.size(), body.size() - begin.size() - 1)) : "";
  if (auto made = (isCuda ? cudaForm : cppForm)(schema, words)) {
    // ATen's own function stands behind the includes of the form.
    const std::size_t at = made->text.find("#include <ATen/");
    made->text.insert(made->text.find('\n', at) + 1, signature.include);
    return *made;
  }
  return NewKernel{{}, fillForm(isCuda ? asset::cudaAten : asset::cppAten, words), byAten};
}

}  // namespace

std::string fillForm(std::string_view text, const FormWords& words) {
  std::string filled;
  while (!text.empty()) {
    const std::size_t open = text.find("{{"), close = text.find("}}", open);
    const auto word = open == std::string_view::npos || close == std::string_view::npos
                          ? words.end()
                          : words.find(text.substr(open + 2, close - open - 2));
    if (word == words.end()) {
      const std::size_t upTo = open == std::string_view::npos ? text.size() : open + 2;
      filled += text.substr(0, upTo);
      text.remove_prefix(upTo);
      continue;
    }
    filled += text.substr(0, open);
    filled += word->second;
    text.remove_prefix(close + 2);
  }
  return filled;
}

std::string spelled(std::string_view expression, std::string_view number, std::string_view function) {
  std::string text(expression);
  const auto replace = [&](std::string_view from, std::string_view to) {
    for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
      text.replace(at, from.size(), to);
  };
  replace("T(", number);
  replace("F:", function);
  return text;
}

std::string elementName(int input, int inputs) {
  return inputs == 1 ? "x" : input == 0 ? "a" : "b";
}

std::string pointerName(int input, int inputs) {
  return inputs == 1 ? "xs" : input == 0 ? "first" : "second";
}

Result<NewKernel> newKernel(std::string_view text, std::string_view language) {
  WB_TRY(const Schema schema, parseSchema(text));
  const Language* known = findLanguage(language);
  if (!known)
    return Error{Stage::job, fmt::format("no language '{}'", language), "see the list of languages"};
  FormWords words = commonWords(schema, text);
  Result<NewKernel> made = [&]() -> Result<NewKernel> {
    if (language == "torch_cpp") return cppKernel(schema, words, false);
    if (language == "torch_cuda") return cppKernel(schema, words, true);
    if (language == "raw_cuda") {
      if (auto form = rawCudaForm(schema, words)) return *form;
      return rawCudaBegin(schema, words);
    }
    words["parameters"] = pythonParameters(schema);
    words["aten"] = pythonCall(schema);
    if (language == "triton") {
      if (auto form = tritonForm(schema, words)) return *form;
      return NewKernel{{}, fillForm(asset::tritonAten, words), byAten};
    }
    if (language == "python") return NewKernel{{}, fillForm(asset::pythonAten, words), byAten};
    return Error{Stage::job, fmt::format("{} has no templates for operators", known->title),
                 "choose another language"};
  }();
  if (!made) return made;
  made->file = fmt::format("{}{}{}", schema.name, schema.overload.empty() ? "" : "." + schema.overload,
                           known->extension);
  return made;
}

}  // namespace wb
