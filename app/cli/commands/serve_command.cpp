// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "app/cli/commands/verb.h"
#include "app/cli/output/output.h"
#include "core/base/files/paths.h"

namespace wb {
namespace {

constexpr const char* program = "warpbench-service";

/// The service is a program of its own, so that this one needs none of its libraries. It takes this one's
/// place; gives the exit status where it cannot.
int become(const std::string& word, const std::vector<std::string>& rest) {
  const std::string path = (programFolder() / program).string();
  std::vector<std::string> words{path, word};
  words.insert(words.end(), rest.begin(), rest.end());
  std::vector<char*> arguments;
  for (std::string& each : words) arguments.push_back(each.data());
  arguments.push_back(nullptr);
  ::execv(path.c_str(), arguments.data());
  return refuse({Stage::setup, fmt::format("{} cannot be started: {}", path, std::strerror(errno)),
                 "build it with packaging/setup build, which installs its libraries"});
}

Verb verbOf(const std::string& word, std::string summary) {
  auto command = std::make_shared<CLI::App*>(nullptr);
  return {word, std::move(summary),
          [command](CLI::App& app) {
            // Its options, --help among them, are the other program's.
            app.set_help_flag();
            app.prefix_command();
            *command = &app;
          },
          [command, word](const std::string&) { return become(word, (*command)->remaining()); }};
}

}  // namespace

Verb mcpVerb() {
  return verbOf("mcp", "Give a language model these tools (Model Context Protocol)");
}

Verb serveVerb() {
  return verbOf("serve", "Run kernels for other programs, over HTTP");
}

}  // namespace wb
