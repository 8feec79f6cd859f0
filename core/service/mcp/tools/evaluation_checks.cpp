// SPDX-License-Identifier: Apache-2.0
#include "core/service/mcp/tools/evaluation_checks.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <string_view>

namespace wb {
namespace {

using nlohmann::json;

template <std::size_t count>
bool isOneOf(const std::string& word, const std::array<std::string_view, count>& words) {
  return std::ranges::find(words, word) != words.end();
}

std::string wrongInit(const json& init) {
  const std::string kind = init.at("kind");
  constexpr std::array<std::string_view, 6> kinds{"randn", "uniform", "zeros", "ones", "full", "arange"};
  if (!isOneOf(kind, kinds))
    return fmt::format("there is no init '{}'; it is one of {}", kind, fmt::join(kinds, ", "));
  if (kind == "full" && init.at("fill_value").is_null()) return "an init 'full' needs fill_value";
  const json &low = init.at("low"), &high = init.at("high"), &step = init.at("step");
  if (kind == "uniform" && !low.is_null() && !high.is_null() && low >= high)
    return "an init 'uniform' needs a low that is below high";
  if (kind == "arange" && !step.is_null() && step == 0) return "an init 'arange' needs a step that is not 0";
  return {};
}

std::string wrongTensor(const json& argument) {
  const json& spec = argument.at("tensor_spec");
  if (spec.is_null()) return "a tensor needs tensor_spec";
  constexpr std::array<std::string_view, 10> dtypes{"float64", "float32", "float16", "bfloat16", "int64",
                                                    "int32",   "int16",   "int8",    "uint8",    "bool"};
  const std::string dtype = spec.at("dtype");
  if (!isOneOf(dtype, dtypes))
    return fmt::format("there is no dtype '{}'; it is one of {}", dtype, fmt::join(dtypes, ", "));
  for (const json& each : spec.at("shape"))
    if (each < 1) return "the numbers of a shape are 1 and more";
  const json& init = spec.at("init");
  if (!init.is_null()) return wrongInit(init);
  if (argument.at("role") != "output" && spec.at("data").is_null())
    return "an input needs an init or data; what the kernel only writes has the role 'output'";
  return {};
}

std::string wrongArgument(const json& argument) {
  constexpr std::array<std::string_view, 3> roles{"input", "output", "inout"};
  const std::string role = argument.at("role"), type = argument.at("type");
  if (!isOneOf(role, roles)) return fmt::format("the role '{}' is none of {}", role, fmt::join(roles, ", "));
  if (type == "tensor") return wrongTensor(argument);
  const json& value = argument.at("value");
  if (type == "int" && !value.is_number_integer()) return "an int needs a whole number as its value";
  if (type == "float" && !value.is_number()) return "a float needs a number as its value";
  if (type == "bool" && !value.is_boolean()) return "a bool needs true or false as its value";
  if (type == "str" && !value.is_string()) return "a str needs a text as its value";
  constexpr std::array<std::string_view, 5> types{"tensor", "int", "float", "str", "bool"};
  if (!isOneOf(type, types))
    return fmt::format("there is no type '{}'; it is one of {}", type, fmt::join(types, ", "));
  return {};
}

/// Its numbers are all there, and 1 where the client gave none.
bool isPositive(const json& dimensions) {
  return std::ranges::all_of(dimensions, [](const json& each) { return each > 0; });
}

std::string wrongLaunch(const std::string& type, const json& launch) {
  const bool isCuda = type == "cuda";
  if (!isCuda && type != "triton") return {};
  if (launch.is_null()) return fmt::format("a {} kernel needs a launch", type);
  const json &grid = launch.at("grid"), &block = launch.at("block"), &warps = launch.at("num_warps");
  if (grid.is_null() || !isPositive(grid)) return "a launch needs a grid whose numbers are 1 and more";
  if (!isCuda) {
    constexpr std::array counts{1, 2, 4, 8, 16, 32};
    const bool isKnown = warps.is_null() || std::ranges::find(counts, warps.get<double>()) != counts.end();
    return isKnown ? std::string() : fmt::format("num_warps is one of {}", fmt::join(counts, ", "));
  }
  constexpr double mostThreads = 1024;
  if (block.is_null() || !isPositive(block)) return "a launch needs a block whose numbers are 1 and more";
  double threads = 1;
  for (const json& each : block) threads *= each.get<double>();
  if (threads > mostThreads)
    return fmt::format("a block has {} threads at most; this one has {}", mostThreads, threads);
  return {};
}

std::string wrongContract(const KernelCode& kernel) {
  const json contract = json::parse(kernel.io, nullptr, false);
  if (contract.is_discarded()) return {};
  for (const json& argument : contract.at("args"))
    if (const std::string wrong = wrongArgument(argument); !wrong.empty())
      return fmt::format("argument '{}': {}", argument.at("name").get<std::string>(), wrong);
  return wrongLaunch(kernel.type, contract.at("launch"));
}

/// `which` is "" for the only kernel of a request.
std::string wrongKernel(const KernelCode& kernel, std::string_view which) {
  if (kernel.type == "cuda" && kernel.io.empty())
    return which.empty() ? "cuda kernels require io_contract to be specified"
                         : fmt::format("{} kernel (cuda) requires io_contract to be specified", which);
  if (kernel.io.empty()) return {};
  const std::string wrong = wrongContract(kernel);
  return wrong.empty() ? wrong
                       : fmt::format("IOContract validation error: {}{}{}", which,
                                     which.empty() ? "" : " kernel: ", wrong);
}

}  // namespace

std::string wrongForTools(const EvaluationRequest& request) {
  const auto isWithin = [](const std::optional<double>& value) {
    return !value || (*value >= 0 && *value <= 1);
  };
  if (request.reference && !isWithin(request.atol)) return "Validation error: atol must be between 0 and 1.0";
  if (request.reference && !isWithin(request.rtol)) return "Validation error: rtol must be between 0 and 1.0";
  if (!request.reference) return wrongKernel(request.kernel, "");
  const std::string wrong = wrongKernel(*request.reference, "reference");
  return wrong.empty() ? wrongKernel(request.kernel, "custom") : wrong;
}

}  // namespace wb
