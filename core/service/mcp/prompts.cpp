// SPDX-License-Identifier: Apache-2.0
#include "core/service/mcp/prompts.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace wb {
namespace {

struct PromptArgument {
  std::string_view name, meaning;
  bool required = true;
  std::string_view fallback{};
};

struct Prompt {
  std::string_view name, title, meaning;
  std::vector<PromptArgument> arguments;
  /// "{op}" stands for an argument.
  std::string_view text;
};

const std::vector<Prompt>& prompts() {
  static const std::vector<Prompt> list = {
      {"write_kernel",
       "Write a fast kernel",
       "Writes a kernel for an operator and makes it faster, step by step",
       {{"op", "The operator: gelu, softmax.int, sum.dim_IntList"},
        {"language", "torch_cpp, raw_cuda, torch_cuda, triton or python", false, "triton"}},
       "Write a kernel for PyTorch's operator {op} in the language {language}, and make it as fast as you "
       "can.\n"
       "1. Call machine, to see what it will run on, and new_kernel for a first one.\n"
       "2. Run it with run_kernel. Until every case is right, ask explain_failing_case for the reason and "
       "mend it.\n"
       "3. Then ask profile_kernel what holds it back, change one thing, and see with compare_sources "
       "whether the "
       "change helped. Keep a change only if the interval says so.\n"
       "4. Stop when two changes in a row did not help. Run the last version with effort=\"standard\", and "
       "say what "
       "it reached with its interval, on which device, and what you left out."},
      {"mend_kernel",
       "Mend a kernel that is wrong",
       "Finds out why a run failed, and mends its kernel",
       {{"run_id", "The run that failed"}},
       "Run {run_id} of Warpbench failed. Read it with read_run, and ask explain_failing_case for each kind "
       "of "
       "failure. Name the reason before you change anything. Then change the kernel, run it again on the "
       "failing "
       "case alone with the argument 'cases', and last on the whole suite."},
      {"explain_speed",
       "Explain how fast a kernel is",
       "Says from a profile why a kernel is as fast as it is",
       {{"run_id", "A run of profile_kernel"}},
       "Read run {run_id} of Warpbench with read_run. Say in plain words what its time is made of and what "
       "limits "
       "it: memory, arithmetic, latency or launches; name the figures that show it. Look at the hot lines "
       "with "
       "show_assembly. End with the two changes that promise most, and by how much at best."},
  };
  return list;
}

void replaceAll(std::string& text, const std::string& from, const std::string& to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
}

RpcError wrongPrompt(std::string text) {
  return {RpcCode::invalidParams, std::move(text)};
}

}  // namespace

McpJson listPrompts() {
  McpJson list = McpJson::array();
  for (const Prompt& prompt : prompts()) {
    McpJson arguments = McpJson::array();
    for (const PromptArgument& argument : prompt.arguments)
      arguments.push_back(
          {{"name", argument.name}, {"description", argument.meaning}, {"required", argument.required}});
    list.push_back({{"name", prompt.name},
                    {"title", prompt.title},
                    {"description", prompt.meaning},
                    {"arguments", std::move(arguments)}});
  }
  return list;
}

std::variant<McpJson, RpcError> getPrompt(const nlohmann::json& params) {
  const auto name = params.find("name");
  if (name == params.end() || !name->is_string()) return wrongPrompt("'name' must be a text");
  const auto& list = prompts();
  const auto prompt = std::find_if(list.begin(), list.end(),
                                   [&](const Prompt& each) { return name->get<std::string>() == each.name; });
  if (prompt == list.end()) return wrongPrompt("there is no such prompt");
  const auto given = params.find("arguments");
  const bool areGiven = given != params.end() && given->is_object();
  std::string text(prompt->text);
  for (const PromptArgument& argument : prompt->arguments) {
    std::string value(argument.fallback);
    if (areGiven && given->contains(argument.name)) {
      const nlohmann::json& one = given->at(std::string(argument.name));
      if (!one.is_string()) return wrongPrompt("'" + std::string(argument.name) + "' must be a text");
      value = one.get<std::string>();
    }
    if (argument.required && value.empty())
      return wrongPrompt("the argument '" + std::string(argument.name) + "' is missing");
    replaceAll(text, "{" + std::string(argument.name) + "}", value);
  }
  const McpJson message{{"role", "user"}, {"content", {{"type", "text"}, {"text", std::move(text)}}}};
  return McpJson{{"description", prompt->meaning}, {"messages", McpJson::array({message})}};
}

}  // namespace wb
