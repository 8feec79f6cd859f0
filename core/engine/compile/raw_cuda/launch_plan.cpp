// SPDX-License-Identifier: Apache-2.0
#include "core/engine/compile/raw_cuda/launch_plan.h"

#include <ATen/core/jit_type.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <torch/csrc/jit/frontend/function_schema_parser.h>

#include <algorithm>
#include <charconv>
#include <exception>
#include <utility>

#include "core/base/nearest.h"
#include "core/engine/compile/raw_cuda/kernel_choice.h"

namespace wb {
namespace {

using Kind = ParameterSource::Kind;

/// What a name of the operator means in an expression.
enum class NameKind { tensor, number, list, text, other };

c10::TypePtr withoutOptional(c10::TypePtr type) {
  while (auto optional = type->cast<c10::OptionalType>()) type = optional->getElementType();
  return type;
}

NameKind kindOf(const c10::Argument& argument) {
  const c10::TypePtr type = withoutOptional(argument.type());
  switch (type->kind()) {
    case c10::TypeKind::TensorType:
      return NameKind::tensor;
    case c10::TypeKind::IntType:
    case c10::TypeKind::SymIntType:
    case c10::TypeKind::FloatType:
    case c10::TypeKind::BoolType:
    case c10::TypeKind::NumberType:
      return NameKind::number;
    case c10::TypeKind::StringType:
      return NameKind::text;
    case c10::TypeKind::ListType: {
      const auto element = type->cast<c10::ListType>()->getElementType()->kind();
      const bool numbers = element == c10::TypeKind::IntType || element == c10::TypeKind::SymIntType ||
                           element == c10::TypeKind::FloatType || element == c10::TypeKind::BoolType;
      return numbers ? NameKind::list : NameKind::other;
    }
    default:
      return NameKind::other;
  }
}

class Planner {
 public:
  explicit Planner(LaunchPlan& plan) : plan_(plan) {}

  Result<void> run() {
    for (auto step : {&Planner::outputs, &Planner::workspaces, &Planner::defaults, &Planner::parameters,
                      &Planner::others, &Planner::zeros})
      WB_DO((this->*step)());
    plan_.stridedArguments.assign(plan_.schema.arguments().size(), plan_.header.strided);
    for (auto& output : plan_.outputs) output.strided = plan_.header.strided;
    for (const auto& name : strides_) {
      if (auto argument = argumentIndex(name))
        plan_.stridedArguments[*argument] = true;
      else if (auto output = outputIndex(name))
        plan_.outputs[*output].strided = true;
    }
    return {};
  }

 private:
  [[nodiscard]] static Error fail(std::string what, std::string hint, const Place& place) {
    return Error{Stage::compile, std::move(what), std::move(hint), place};
  }

  [[nodiscard]] std::optional<std::size_t> argumentIndex(const std::string& name) const {
    const auto& arguments = plan_.schema.arguments();
    for (std::size_t i = 0; i < arguments.size(); ++i)
      if (arguments[i].name() == name) return i;
    return std::nullopt;
  }
  [[nodiscard]] std::optional<std::size_t> workspaceIndex(const std::string& name) const {
    for (std::size_t i = 0; i < plan_.header.workspaces.size(); ++i)
      if (plan_.header.workspaces[i].name == name) return i;
    return std::nullopt;
  }

  Result<void> outputs() {
    plan_.writtenArguments.assign(plan_.schema.arguments().size(), false);
    for (std::size_t i = 0; i < plan_.schema.arguments().size(); ++i)
      if (const auto* alias = plan_.schema.arguments()[i].alias_info())
        plan_.writtenArguments[i] = alias->isWrite();
    for (const auto& result : plan_.schema.returns()) {
      if (result.type()->kind() != c10::TypeKind::TensorType)
        return fail(fmt::format("{} returns {}, which a raw CUDA kernel cannot.", plan_.schema.name(),
                                result.type()->str()),
                    "write it in torch C++", plan_.header.place);
      PlannedOutput output;
      if (const auto* alias = result.alias_info(); alias != nullptr && alias->isWrite())
        for (std::size_t i = 0; i < plan_.schema.arguments().size(); ++i)
          if (const auto* other = plan_.schema.arguments()[i].alias_info();
              other != nullptr && *other == *alias)
            output.argument = i;
      plan_.outputs.push_back(output);
    }
    return {};
  }

  Result<void> workspaces() {
    for (const auto& workspace : plan_.header.workspaces)
      if (argumentIndex(workspace.name) || outputIndex(workspace.name))
        return fail(fmt::format("The workspace {} has the name of an argument or output.", workspace.name),
                    {}, workspace.size.place());
    return {};
  }

  /// The default arguments: tensors in the operator's order, then outputs, then the number of elements if a
  /// parameter is left.
  Result<void> defaults() {
    if (plan_.header.args) return {};
    const Place& place = plan_.header.place;
    std::vector<std::string> texts;
    for (const auto& argument : plan_.schema.arguments()) {
      if (kindOf(argument) == NameKind::tensor) texts.push_back(argument.name());
    }
    for (std::size_t i = 0; i < plan_.outputs.size(); ++i)
      if (!plan_.outputs[i].argument)
        texts.push_back(plan_.outputs.size() == 1 ? "out" : fmt::format("out{}", i));
    if (texts.size() + 1 == plan_.kernel.parameters.size()) texts.emplace_back("numel(out)");
    if (texts.size() != plan_.kernel.parameters.size())
      return fail(fmt::format("{} takes {} parameters; without args it would get {}.", plan_.kernel.name,
                              plan_.kernel.parameters.size(), fmt::join(texts, ", ")),
                  "list in the header what each parameter gets: args = [\"self\", \"out\", \"numel(self)\"]",
                  plan_.kernel.place);
    std::vector<Expression> args;
    Place unknown = place;
    unknown.column = 0;
    for (const auto& text : texts) {
      WB_TRY(auto parsed, Expression::parse(text, unknown));
      args.push_back(std::move(parsed));
    }
    plan_.header.args = std::move(args);
    return {};
  }

  Result<void> parameters() {
    const auto& args = *plan_.header.args;
    const auto& parameters = plan_.kernel.parameters;
    if (args.size() != parameters.size()) {
      std::vector<std::string> written;
      for (const auto& parameter : parameters) written.push_back(parameter.written);
      return fail(fmt::format("args lists {}, but {} takes {}: {}.", args.size(), plan_.kernel.name,
                              parameters.size(), fmt::join(written, ", ")),
                  {}, args.empty() ? plan_.header.place : args.front().place());
    }
    for (std::size_t i = 0; i < args.size(); ++i) {
      WB_TRY(auto source, sourceOf(args[i], parameters[i]));
      plan_.sources.push_back(std::move(source));
    }
    return {};
  }

  Result<ParameterSource> sourceOf(const Expression& expression, const CudaParameter& parameter) {
    const std::string name = expression.plainName();
    ParameterSource source;
    bool pointer = true;
    const auto argument = argumentIndex(name);
    if (name == "null" || name == "nullptr")
      source.kind = Kind::null;
    else if (argument && kindOf(plan_.schema.arguments()[*argument]) == NameKind::tensor)
      source = {Kind::argument, *argument, {}};
    else if (!argument && outputIndex(name) && *outputIndex(name) < plan_.outputs.size())
      source = outputSource(*outputIndex(name));
    else if (auto workspace = workspaceIndex(name))
      source = {Kind::workspace, *workspace, {}};
    else
      pointer = false;
    if (!pointer) {
      WB_DO(use(expression));
      source = {Kind::number, 0, expression};
    }
    const Place& place = expression.place().column > 0 ? expression.place() : parameter.place;
    if (pointer && !parameter.pointer)
      return fail(fmt::format("{} is memory, but the kernel's parameter is not a pointer: {}.", name,
                              parameter.written),
                  {}, place);
    if (!pointer && parameter.pointer)
      return fail(fmt::format("{} is a number, but the kernel's parameter is a pointer: {}.",
                              expression.text(), parameter.written),
                  {}, place);
    if (!pointer && !cType(resolveType(parameter.type, withScalarType())))
      return fail(fmt::format("A parameter of this type cannot be passed: {}.", parameter.written),
                  "use integers, float, double, bool, __half, __nv_bfloat16 or scalar_t", parameter.place);
    return source;
  }

  [[nodiscard]] ParameterSource outputSource(std::size_t index) const {
    if (auto argument = plan_.outputs[index].argument) return {Kind::argument, *argument, {}};
    return {Kind::output, index, {}};
  }

  [[nodiscard]] TypeNames withScalarType() const {
    TypeNames names = plan_.aliases;
    names["scalar_t"] = "float";  // any dtype will do, since all can be passed
    return names;
  }

  /// Resolves the names of an expression that is a number.
  Result<void> use(const Expression& expression) {
    for (const auto& each : expression.names()) {
      const auto argument = argumentIndex(each.name);
      const auto output = outputIndex(each.name);
      if (!argument && !(output && *output < plan_.outputs.size())) return unknown(each);
      const NameKind kind = argument ? kindOf(plan_.schema.arguments()[*argument]) : NameKind::tensor;
      WB_DO(checkUse(each, kind));
      if (each.strides) strides_.push_back(each.name);
    }
    return {};
  }

  [[nodiscard]] Result<void> checkUse(const NameUse& use, NameKind kind) const {
    if (use.as == NameUse::As::any) return {};
    if (kind == NameKind::other)
      return fail(fmt::format("{} is of a kind that raw CUDA kernels cannot take: {}.", use.name,
                              plan_.schema.arguments()[*argumentIndex(use.name)].type()->str()),
                  "write it in torch C++", use.place);
    if (use.as == NameUse::As::tensor && kind != NameKind::tensor)
      return fail(fmt::format("{} is not a tensor.", use.name), {}, use.place);
    if (use.as == NameUse::As::list && kind != NameKind::list)
      return fail(fmt::format("{} is not a list.", use.name), {}, use.place);
    if (use.as != NameUse::As::value) return {};
    if (kind == NameKind::tensor)
      return fail(fmt::format("{} is a tensor, not a number.", use.name),
                  fmt::format("numel({0}) or size({0}, 0)", use.name), use.place);
    if (kind == NameKind::list)
      return fail(fmt::format("{} is a list, not a number.", use.name),
                  fmt::format("{0}[0] or len({0})", use.name), use.place);
    if (kind == NameKind::text)
      return fail(fmt::format("{} is a string, not a number.", use.name),
                  fmt::format("is({}, word) is 1 or 0", use.name), use.place);
    return {};
  }

  [[nodiscard]] Error unknown(const NameUse& use) const {
    if (workspaceIndex(use.name))
      return fail(fmt::format("{} is a workspace, not a number.", use.name), {}, use.place);
    std::vector<std::string> names;
    for (const auto& argument : plan_.schema.arguments()) names.push_back(argument.name());
    for (std::size_t i = 0; i < plan_.outputs.size(); ++i)
      names.push_back(i == 0 ? "out" : fmt::format("out{}", i));
    for (const auto& workspace : plan_.header.workspaces) names.push_back(workspace.name);
    auto hint = didYouMean(use.name, names);
    if (hint.empty()) hint = fmt::format("there are {}", fmt::join(names, ", "));
    return fail(fmt::format("Unknown name {}.", use.name), std::move(hint), use.place);
  }

  Result<void> others() {
    std::vector<const Expression*> all;
    for (const auto& each : plan_.header.grid) all.push_back(&each);
    for (const auto& each : plan_.header.block) all.push_back(&each);
    if (plan_.header.shared) all.push_back(&*plan_.header.shared);
    for (const auto& each : plan_.header.workspaces) all.push_back(&each.size);
    for (const Expression* each : all) WB_DO(use(*each));
    const HeaderName& scalar = plan_.header.scalarType;
    if (scalar.name.empty() || outputIndex(scalar.name)) return {};
    const auto argument = argumentIndex(scalar.name);
    if (!argument) return unknown({scalar.name, scalar.place, NameUse::As::tensor, false});
    return checkUse({scalar.name, scalar.place, NameUse::As::tensor, false},
                    kindOf(plan_.schema.arguments()[*argument]));
  }

  Result<void> zeros() {
    for (const auto& each : plan_.header.zero) {
      const auto output = outputIndex(each.name);
      if (auto workspace = workspaceIndex(each.name))
        plan_.zeroWorkspaces.push_back(*workspace);
      else if (output && *output < plan_.outputs.size() && !plan_.outputs[*output].argument)
        plan_.zeroOutputs.push_back(*output);
      else
        return fail(fmt::format("zero lists {}, which is no output of its own and no workspace.", each.name),
                    {}, each.place);
    }
    return {};
  }

  LaunchPlan& plan_;
  std::vector<std::string> strides_;  // the names for whose strides an expression asks
};

}  // namespace

std::optional<std::size_t> outputIndex(const std::string& name) {
  if (!name.starts_with("out")) return std::nullopt;
  if (name.size() == 3) return 0;
  std::size_t index = 0;
  const auto read = std::from_chars(name.data() + 3, name.data() + name.size(), index);
  return read.ec == std::errc{} && read.ptr == name.data() + name.size() ? std::optional(index)
                                                                         : std::nullopt;
}

Result<LaunchPlan> planLaunch(RawCudaHeader header, const CudaSource& source, const std::string& schema) {
  WB_TRY(auto choice, chooseKernel(header, source));
  try {
    TypeNames aliases(source.aliases.begin(), source.aliases.end());
    for (auto& [name, type] : choice.templateArguments) aliases[name] = type;
    LaunchPlan plan{std::move(header),
                    std::move(choice.kernel),
                    std::move(choice.nameExpression),
                    std::move(aliases),
                    torch::jit::parseSchema(schema),
                    {},
                    {},
                    {},
                    {},
                    {},
                    {},
                    source.usesScalarType};
    WB_DO(Planner(plan).run());
    return plan;
  } catch (const std::exception& problem) {
    return Error{Stage::compile, fmt::format("The operator's schema cannot be read: {}", problem.what())};
  }
}

}  // namespace wb
