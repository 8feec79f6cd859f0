// SPDX-License-Identifier: Apache-2.0
#include "core/engine/compile/host/translation_unit.h"

#include <ATen/core/jit_type.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <torch/csrc/jit/frontend/function_schema_parser.h>

#include <algorithm>

#include "core/engine/compile/diagnostics.h"
#include "core/engine/reference/exception_text.h"

namespace wb {
namespace {

constexpr std::string_view glueFileName = "warpbench-glue";
constexpr std::string_view assertionMark = "warpbench-signature-";

struct ArgumentKind {
  /// The enumerator of warpbench_glue::Kind.
  std::string kind;
  /// The C++ type, for people.
  std::string suggestion;
};

ArgumentKind listKind(const c10::Type& element) {
  using K = c10::TypeKind;
  switch (element.kind()) {
    case K::TensorType:
      return {"tensors", "at::TensorList"};
    case K::OptionalType:
      return {"optionalTensors", "const c10::List<std::optional<at::Tensor>>&"};
    case K::IntType:
    case K::SymIntType:
      return {"integers", "at::IntArrayRef"};
    case K::FloatType:
      return {"reals", "at::ArrayRef<double>"};
    case K::BoolType:
      return {"booleans", "at::ArrayRef<bool>"};
    case K::NumberType:
      return {"scalars", "at::ArrayRef<at::Scalar>"};
    default:
      return {"other", "c10::IValue"};
  }
}

ArgumentKind kindOf(const c10::Type& type) {
  using K = c10::TypeKind;
  switch (type.kind()) {
    case K::OptionalType: {
      auto inner = kindOf(*type.expectRef<c10::OptionalType>().getElementType());
      const bool list = inner.suggestion == "at::IntArrayRef";
      if (inner.suggestion == "const at::Tensor&") inner.suggestion = "at::Tensor";
      if (inner.suggestion == "const at::Scalar&") inner.suggestion = "at::Scalar";
      inner.suggestion = list ? "at::OptionalIntArrayRef" : "std::optional<" + inner.suggestion + ">";
      return inner;
    }
    case K::TensorType:
      return {"tensor", "const at::Tensor&"};
    case K::NumberType:
      return {"scalar", "const at::Scalar&"};
    case K::IntType:
    case K::SymIntType:
      return {"integer", "int64_t"};
    case K::ScalarTypeType:
      return {"integer", "at::ScalarType"};
    case K::LayoutType:
      return {"integer", "at::Layout"};
    case K::MemoryFormatType:
      return {"integer", "at::MemoryFormat"};
    case K::FloatType:
      return {"real", "double"};
    case K::BoolType:
      return {"boolean", "bool"};
    case K::StringType:
      return {"text", "std::string_view"};
    case K::DeviceObjType:
      return {"device", "at::Device"};
    case K::GeneratorType:
      return {"generator", "at::Generator"};
    case K::ListType:
      return listKind(*type.expectRef<c10::ListType>().getElementType());
    default:
      return {"other", "c10::IValue"};
  }
}

/// The argument that is returned ("Tensor(a!) self … -> Tensor(a!)"), or -1.
int aliasOf(const c10::FunctionSchema& schema, const c10::Argument& returned) {
  const auto* alias = returned.alias_info();
  if (alias == nullptr || !alias->isWrite()) return -1;
  for (std::size_t i = 0; i < schema.arguments().size(); ++i) {
    const auto* other = schema.arguments()[i].alias_info();
    if (other != nullptr && other->isWrite() && other->beforeSets() == alias->beforeSets())
      return static_cast<int>(i);
  }
  return -1;
}

std::string schemaText(const c10::FunctionSchema& schema) {
  return fmt::format("{}", toString(schema));
}

/// How many arguments there are up to the last one without a default.
std::size_t requiredArguments(const c10::FunctionSchema& schema) {
  std::size_t required = 0;
  for (std::size_t i = 0; i < schema.arguments().size(); ++i)
    if (!schema.arguments()[i].default_value()) required = i + 1;
  return required;
}

std::string plural(std::size_t count, std::string_view word) {
  return fmt::format("{} {}{}", count, word, count == 1 ? "" : "s");
}

std::string_view returnsHint(const c10::FunctionSchema& schema, bool allAliased) {
  if (allAliased) return "at::Tensor& or void";
  if (schema.returns().size() > 1) return "std::tuple with one element for each";
  const auto kind = kindOf(*schema.returns()[0].real_type()).kind;
  return kind == "tensor" ? "at::Tensor" : kind == "tensors" ? "std::vector<at::Tensor>" : "a matching type";
}

class Glue {
 public:
  Glue(TranslationUnit& unit, const c10::FunctionSchema& schema) : unit_(unit), schema_(schema) {}

  void append() {
    const auto& f = unit_.function;
    std::string& out = unit_.text;
    out +=
        fmt::format("\n#line {} \"{}\"\nnamespace warpbench_glue {{ namespace {{\n", f.line, kernelFileName);
    line(
        fmt::format("constexpr auto warpbench_probe = []<class F>(Type<F>) -> F requires requires {{ "
                    "static_cast<F>(&{0}); }} "
                    "{{ return static_cast<F>(&{0}); }};",
                    f.qualified));
    line(fmt::format(
        "constexpr auto warpbench_kernel = [](auto rank) {{ if constexpr (!requires {{ pickKernel(&{0}, "
        "rank); }} && "
        "isOneOverload<std::remove_const_t<decltype(warpbench_probe)>>) return firstMatch(rank, "
        "warpbench_probe, "
        "OverloadTypes{{}}); else return pickKernel(&{0}, rank); }}(Rank<1>{{}});",
        f.qualified));
    line("using WarpbenchKernel = std::remove_const_t<decltype(warpbench_kernel)>;");
    checkCount();
    for (std::size_t i = 0; i < schema_.arguments().size(); ++i) checkParameter(i);
    checkReturn();
    out += fmt::format("#line 1 \"{}\"\n", glueFileName);
    tables();
    out +=
        "}}\n"
        "extern \"C\" __attribute__((visibility(\"default\"))) int wb_parameters() {\n"
        "  return warpbench_glue::Signature<warpbench_glue::WarpbenchKernel>::parameters;\n}\n"
        "extern \"C\" __attribute__((visibility(\"default\"))) void wb_call(std::vector<c10::IValue>* stack) "
        "{\n"
        "  warpbench_glue::call(warpbench_glue::warpbench_kernel, *stack, "
        "warpbench_glue::warpbench_operator);\n}\n";
  }

 private:
  /// Adds a line of glue; compiler messages about it name the function's own line.
  void line(const std::string& text) {
    unit_.text += fmt::format("#line {} \"{}\"\n{}\n", unit_.function.line, kernelFileName, text);
  }
  void assertion(const std::string& condition, std::string message, int lineNumber, int column) {
    line(
        fmt::format("static_assert({}, \"{}{}.\");", condition, assertionMark, unit_.signatureErrors.size()));
    unit_.signatureErrors.push_back(
        Diagnostic{Severity::error, std::move(message), "", Place{"", lineNumber, column}, "warpbench"});
  }
  void assertion(const std::string& condition, std::string message) {
    assertion(condition, std::move(message), unit_.function.line, unit_.function.column);
  }

  void checkCount() {
    const auto& f = unit_.function;
    const std::size_t most = schema_.arguments().size(), least = requiredArguments(schema_);
    assertion(fmt::format("Signature<WarpbenchKernel>::parameters <= {}", most),
              fmt::format("{} takes {}, but {} has only {}", f.name, plural(f.parameters.size(), "parameter"),
                          schemaText(schema_), plural(most, "argument")));
    assertion(
        fmt::format("Signature<WarpbenchKernel>::parameters >= {}", least),
        fmt::format("{} takes {}, but {} needs {}: only arguments with a default can be left out at the end",
                    f.name, plural(f.parameters.size(), "parameter"), schemaText(schema_),
                    plural(least, "argument")));
  }

  void checkParameter(std::size_t i) {
    const auto& f = unit_.function;
    const auto& argument = schema_.arguments()[i];
    const auto kind = kindOf(*argument.real_type());
    const bool known = i < f.parameters.size();
    const std::string mine = known ? fmt::format(" ('{}')", f.parameters[i].text) : "";
    assertion(
        fmt::format("Signature<WarpbenchKernel>::fits({}, Kind::{})", i, kind.kind),
        fmt::format("parameter {} of {}{} cannot take the operator's argument '{} {}': use {}", i + 1, f.name,
                    mine, argument.real_type()->annotation_str(), argument.name(), kind.suggestion),
        known ? f.parameters[i].line : f.line, known ? f.parameters[i].column : f.column);
  }

  void checkReturn() {
    const auto& returns = schema_.returns();
    const bool allTensors = std::all_of(returns.begin(), returns.end(), [](const c10::Argument& r) {
      return kindOf(*r.real_type()).kind == "tensor";
    });
    const bool allAliased = std::all_of(returns.begin(), returns.end(),
                                        [&](const c10::Argument& r) { return aliasOf(schema_, r) >= 0; });
    const std::string first = returns.empty() ? "other" : kindOf(*returns[0].real_type()).kind;
    const std::string hint{returns.empty() ? std::string_view{"void"} : returnsHint(schema_, allAliased)};
    assertion(fmt::format("gives<WarpbenchKernel>({}, Kind::{}, {}, {})", returns.size(), first, allTensors,
                          allAliased),
              fmt::format("{} does not return what the operator does: {}. Use {}", unit_.function.name,
                          schemaText(schema_), hint));
  }

  void tables() {
    std::vector<std::string> names;
    for (const auto& a : schema_.arguments()) names.push_back("\"" + a.name() + "\"");
    names.emplace_back("nullptr");
    std::vector<int> aliases;
    for (const auto& r : schema_.returns()) aliases.push_back(aliasOf(schema_, r));
    aliases.push_back(-1);
    const auto& returns = schema_.returns();
    const bool list = returns.size() == 1 && kindOf(*returns[0].real_type()).kind == "tensors";
    unit_.text += fmt::format(
        "constexpr const char* warpbench_names[] = {{{}}};\nconstexpr int warpbench_aliases[] = {{{}}};\n"
        "constexpr Operator warpbench_operator{{warpbench_names, warpbench_aliases, {}, {}}};\n",
        fmt::join(names, ", "), fmt::join(aliases, ", "), returns.size(), list);
  }

  TranslationUnit& unit_;
  const c10::FunctionSchema& schema_;
};

int lastLine(std::string_view source) {
  while (source.ends_with('\n')) source.remove_suffix(1);
  return 1 + static_cast<int>(std::count(source.begin(), source.end(), '\n'));
}

}  // namespace

Result<c10::FunctionSchema> parsedSchema(const std::string& text) {
  try {
    return torch::jit::parseSchema(text);
  } catch (...) {
    return Error{Stage::compile, fmt::format("cannot read the schema '{}': {}", text, exceptionText())};
  }
}

TranslationUnit makeTranslationUnit(std::string_view source, FunctionDefinition function,
                                    const c10::FunctionSchema& schema) {
  TranslationUnit unit;
  unit.function = std::move(function);
  for (const std::string_view part : {"torch::nn", "torch::optim", "torch::data", "torch::jit",
                                      "torch::autograd::Function", "torch::save", "torch::load"})
    unit.wholeTorch = unit.wholeTorch || mentions(source, part);
  if (source.starts_with("\xEF\xBB\xBF")) source.remove_prefix(3);
  if (unit.wholeTorch) unit.text = "#define WARPBENCH_WHOLE_TORCH 1\n";
  unit.text += fmt::format("#line 1 \"{}\"\n{}\n", kernelFileName, source);
  Glue(unit, schema).append();
  return unit;
}

std::vector<Diagnostic> readMessages(std::string_view output, std::string_view tool,
                                     const TranslationUnit& unit, std::string_view source,
                                     const std::string& path) {
  std::vector<Diagnostic> out;
  bool dropNotes = false;
  for (auto& d : parseDiagnostics(output, tool)) {
    if (d.severity == Severity::note && dropNotes) continue;
    dropNotes = false;
    const bool glue = d.place.file == glueFileName;
    if (const auto mark = d.message.find(assertionMark); mark != std::string::npos) {
      const auto index = static_cast<std::size_t>(std::stoul(d.message.substr(mark + assertionMark.size())));
      d = unit.signatureErrors.at(index);
      d.place.file = path;
      dropNotes = true;
    } else if (d.severity == Severity::error && d.message.find("pickKernel") != std::string::npos) {
      d = Diagnostic{Severity::error,
                     unit.function.name +
                         " is overloaded, and Warpbench cannot tell which one is the kernel: "
                         "rename the others",
                     "", Place{path, unit.function.line, unit.function.column}, "warpbench"};
      dropNotes = true;
    } else if (glue) {
      // The source left something open, so the compiler found the error inside the glue.
      d.place = Place{path, lastLine(source), 0};
    } else if (d.place.file == kernelFileName) {
      d.place.file = path;
    }
    // Further errors about a kernel that could not be named say nothing new.
    if (d.message.find("arpbench_kernel") != std::string::npos ||
        d.message.find("WarpbenchKernel") != std::string::npos)
      continue;
    out.push_back(std::move(d));
  }
  return out;
}

}  // namespace wb
