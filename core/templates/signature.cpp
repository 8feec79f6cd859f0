// SPDX-License-Identifier: Apache-2.0
#include "core/templates/signature.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <vector>

namespace wb {
namespace {

bool isOneOf(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

/// A name that neither language keeps for itself.
std::string parameterName(const std::string& name) {
  return isOneOf(name, {"from",     "lambda", "in",      "is",       "not",      "and",     "or",
                        "for",      "if",     "default", "operator", "new",      "delete",  "class",
                        "register", "union",  "signed",  "unsigned", "template", "typename"})
             ? name + "_"
             : name;
}

std::string scalarType(std::string_view type) {
  if (isOneOf(type, {"int", "SymInt"})) return "int64_t";
  if (type == "float") return "double";
  if (type == "bool") return "bool";
  if (type == "str") return "std::string_view";
  if (type == "Scalar") return "at::Scalar";
  if (isOneOf(type, {"ScalarType", "Layout", "MemoryFormat", "Device", "Generator"}))
    return fmt::format("at::{}", type);
  return {};
}

/// The C++ type of a parameter, where `at::_ops` has such a one.
std::optional<std::string> naturalType(const SchemaValue& value) {
  if (value.type == "Tensor" && value.isList) {
    if (value.isOptional) return std::nullopt;
    return value.hasOptionalElements ? "const c10::List<std::optional<at::Tensor>>&" : "at::TensorList";
  }
  if (value.type == "Tensor") {
    if (value.isOptional) return "const std::optional<at::Tensor>&";
    return value.isWritten ? "at::Tensor&" : "const at::Tensor&";
  }
  if (value.isList) {
    if (isOneOf(value.type, {"int", "SymInt"}))
      return value.isOptional ? "at::OptionalIntArrayRef" : "at::IntArrayRef";
    if (value.type == "float")
      return value.isOptional ? "std::optional<at::ArrayRef<double>>" : "at::ArrayRef<double>";
    if (value.type == "Scalar" && !value.isOptional) return "at::ArrayRef<at::Scalar>";
    return std::nullopt;
  }
  const std::string type = scalarType(value.type);
  if (type.empty()) return std::nullopt;
  // A dimension's name is a str in the schema, and a type of its own in C++.
  if (value.type == "str" && isOneOf(value.name, {"dim", "names", "out_dim", "start_dim", "end_dim"}))
    return std::nullopt;
  if (value.isOptional)
    return value.type == "Scalar" ? "const std::optional<at::Scalar>&"
                                  : fmt::format("std::optional<{}>", type);
  return value.type == "Scalar" ? "const at::Scalar&" : type;
}

/// What `at::_ops` is called with for a parameter.
std::string naturalValue(const SchemaValue& value) {
  const std::string name = parameterName(value.name);
  if (value.type != "SymInt" || !value.isList) return name;
  if (!value.isOptional) return fmt::format("c10::fromIntArrayRefSlow({})", name);
  return fmt::format("{0} ? at::OptionalSymIntArrayRef(c10::fromIntArrayRefSlow(*{0})) : std::nullopt", name);
}

/// The getter of a boxed result.
std::string getter(const SchemaValue& result) {
  if (result.type == "Tensor" && result.isList) return "toTensorVector()";
  if (result.isList) return {};
  if (result.type == "Tensor") return "toTensor()";
  if (isOneOf(result.type, {"int", "SymInt", "ScalarType", "QScheme"})) return "toInt()";
  if (result.type == "float") return "toDouble()";
  if (isOneOf(result.type, {"bool", "SymBool"})) return "toBool()";
  if (result.type == "Scalar") return "toScalar()";
  return {};
}

std::string resultType(const SchemaValue& result) {
  const std::string get = getter(result);
  if (get == "toTensor()") return "at::Tensor";
  if (get == "toTensorVector()") return "std::vector<at::Tensor>";
  if (get == "toInt()") return "int64_t";
  if (get == "toDouble()") return "double";
  if (get == "toBool()") return "bool";
  return "at::Scalar";
}

bool allWritten(const Schema& schema) {
  return std::all_of(schema.results.begin(), schema.results.end(),
                     [](const SchemaValue& r) { return r.isWritten; });
}

bool isNatural(const Schema& schema) {
  const auto isTensor = [](const SchemaValue& r) { return r.type == "Tensor" && !r.isList && !r.isOptional; };
  const bool results = allWritten(schema) ||
                       std::all_of(schema.results.begin(), schema.results.end(), isTensor) ||
                       (schema.results.size() == 1 && !getter(schema.results[0]).empty() &&
                        !isOneOf(schema.results[0].type, {"SymInt", "SymBool", "ScalarType", "QScheme"}));
  // These have functions of another form in `at::_ops`, or none.
  const bool isOdd = schema.name.find("resize") != std::string::npos || schema.name == "as_strided_" ||
                     schema.overload.find("imname") != std::string::npos ||
                     schema.overload.ends_with("_legacy");
  return schema.space == "aten" && results && !isOdd &&
         std::none_of(schema.results.begin(), schema.results.end(),
                      [](const SchemaValue& r) { return r.isWritten && r.isList; }) &&
         std::all_of(schema.arguments.begin(), schema.arguments.end(),
                     [](const SchemaValue& a) { return naturalType(a).has_value(); });
}

std::string returnType(const Schema& schema) {
  if (allWritten(schema))
    return schema.results.size() == 1 && !schema.results[0].isList ? "at::Tensor&" : "void";
  if (schema.results.size() == 1) return resultType(schema.results[0]);
  std::vector<std::string> types;
  for (const SchemaValue& result : schema.results) types.push_back(resultType(result));
  return fmt::format("std::tuple<{}>", fmt::join(types, ", "));
}

/// The argument that an in-place operator, or one with `out`, returns.
std::string writtenName(const Schema& schema) {
  for (const SchemaValue& argument : schema.arguments)
    if (argument.isWritten) return parameterName(argument.name);
  return {};
}

CppSignature natural(const Schema& schema) {
  CppSignature made;
  std::vector<std::string> parameters, values;
  for (const SchemaValue& argument : schema.arguments) {
    parameters.push_back(*naturalType(argument) + " " + parameterName(argument.name));
    values.push_back(naturalValue(argument));
  }
  made.parameters = fmt::format("{}", fmt::join(parameters, ", "));
  made.returns = returnType(schema);
  made.include = fmt::format("#include <ATen/ops/{}_ops.h>\n", schema.name);
  made.body =
      fmt::format("  {}at::_ops::{}{}::call({});", made.returns == "void" ? "" : "return ", schema.name,
                  schema.overload.empty() ? "" : "_" + schema.overload, fmt::join(values, ", "));
  return made;
}

/// Whatever C++ has no type for goes through the dispatcher as it is.
CppSignature boxed(const Schema& schema) {
  CppSignature made;
  std::vector<std::string> parameters, values;
  for (const SchemaValue& argument : schema.arguments) {
    const bool isTensor = argument.type == "Tensor" && !argument.isList && !argument.isOptional;
    const std::string type =
        isTensor ? argument.isWritten ? "at::Tensor&" : "const at::Tensor&" : "const c10::IValue&";
    parameters.push_back(type + " " + parameterName(argument.name));
    values.push_back(parameterName(argument.name));
  }
  made.parameters = fmt::format("{}", fmt::join(parameters, ", "));
  made.returns = returnType(schema);
  made.include = "#include <ATen/core/dispatch/Dispatcher.h>\n";
  made.body = fmt::format(
      "  static const c10::OperatorHandle op =\n"
      "      c10::Dispatcher::singleton().findSchemaOrThrow(\"{}::{}\", \"{}\");\n"
      "  c10::Stack stack{{{}}};\n  op.callBoxed(stack);\n",
      schema.space, schema.name, schema.overload, fmt::join(values, ", "));
  std::vector<std::string> results;
  for (std::size_t i = 0; i < schema.results.size(); ++i)
    results.push_back(fmt::format("stack[{}].{}", i, getter(schema.results[i])));
  if (made.returns == "at::Tensor&")
    made.body += fmt::format("  return {};", writtenName(schema));
  else if (made.returns == "void")
    made.body.pop_back();
  else if (results.size() == 1)
    made.body += fmt::format("  return {};", results[0]);
  else
    made.body += fmt::format("  return {{{}}};", fmt::join(results, ", "));
  return made;
}

std::string pythonDefault(const SchemaValue& value) {
  static constexpr std::array<std::string_view, 4> words = {"None", "True", "False", "inf"};
  const std::string& given = value.defaultValue;
  if (given.starts_with('"') || given.starts_with('\'') || given.starts_with('[')) {
    if (!given.starts_with('[')) return given;
    return given == "[]" ? "()" : fmt::format("({},)", given.substr(1, given.size() - 2));
  }
  if (given == "inf") return "float(\"inf\")";
  if (std::find(words.begin(), words.end(), given) != words.end()) return given;
  // Words such as "contiguous_format" and "Mean" are numbers for ATen; torch has them under other names.
  const bool isNumber = !given.empty() && given.find_first_not_of("0123456789+-.eE") == std::string::npos;
  return isNumber ? given : "None";
}

}  // namespace

std::string functionName(const Schema& schema) {
  // A function's name cannot say another namespace than aten, so that the operator is given beside it.
  const bool saysOverload = !schema.overload.empty() && schema.space == "aten";
  return schema.name + (saysOverload ? "__" + schema.overload : "") + "_kernel_impl";
}

Result<CppSignature> cppSignature(const Schema& schema) {
  if (isNatural(schema)) return natural(schema);
  for (const SchemaValue& result : schema.results)
    if (!allWritten(schema) && (getter(result).empty() || result.isOptional))
      return Error{
          Stage::job,
          fmt::format("{}::{} returns {}, which a C++ kernel cannot", schema.space, schema.name, result.type),
          "choose Python"};
  return boxed(schema);
}

std::string pythonParameters(const Schema& schema) {
  std::string text;
  bool starred = false, optional = false;
  for (const SchemaValue& argument : schema.arguments) {
    text += text.empty() ? "" : ", ";
    if (argument.keywordOnly && !starred) text += "*, ";
    starred = starred || argument.keywordOnly;
    text += parameterName(argument.name);
    // Python wants a default for whatever comes after one that has it.
    optional = (optional && !argument.keywordOnly) || argument.hasDefault;
    if (optional) text += "=" + (argument.hasDefault ? pythonDefault(argument) : std::string("None"));
  }
  return text;
}

std::string pythonCall(const Schema& schema) {
  std::vector<std::string> values;
  for (const SchemaValue& argument : schema.arguments)
    values.push_back(argument.keywordOnly ? argument.name + "=" + parameterName(argument.name)
                                          : parameterName(argument.name));
  std::string overload = schema.overload.empty() ? "default" : schema.overload;
  std::string op = fmt::format("torch.ops.{}.{}", schema.space, schema.name);
  // A word of Python's own is no attribute that could be written with a dot.
  op = overload == "from" ? fmt::format("getattr({}, \"from\")", op) : op + "." + overload;
  return fmt::format("{}({})", op, fmt::join(values, ", "));
}

}  // namespace wb
