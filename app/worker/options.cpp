// SPDX-License-Identifier: Apache-2.0
#include "app/worker/options.h"

#include <algorithm>
#include <string_view>

#include "core/base/process/guest_start.h"

namespace wb {
namespace {

bool isDevice(std::string_view text) {
  if (text == "cpu") return true;
  constexpr std::string_view prefix = "cuda:";
  if (!text.starts_with(prefix)) return false;
  text.remove_prefix(prefix.size());
  return !text.empty() && text.size() < 4 &&
         std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

Error usageError(const std::string& text) {
  return Error{Stage::setup, text, "warpbench-worker --help"};
}

}  // namespace

Result<WorkerOptions> parseOptions(int argc, const char* const* argv) {
  WorkerOptions options;
  for (int i = 1; i < argc; ++i) {
    std::string_view argument = argv[i];
    const std::size_t equals = argument.find('=');
    const std::string_view name = argument.substr(0, equals);
    const bool valued = name == "--device" || name == "--torch";
    std::string value;
    if (valued && equals != std::string_view::npos) {
      value = argument.substr(equals + 1);
    } else if (valued) {
      if (++i == argc) return usageError(std::string(name) + " needs a value");
      value = argv[i];
    }
    if (name == "--device") {
      if (!isDevice(value)) return usageError("'" + value + "' is no device: cpu, cuda:0, cuda:1 …");
      options.device = value;
    } else if (name == "--torch") {
      options.torch = value;
    } else if (argument == "--judges") {
      options.judges = true;
    } else if (argument == "--guest") {
      options.mode = WorkerOptions::Mode::guest;
    } else if (argument == closedArgument) {
      // It has been heeded before.
    } else if (argument == "--prepare") {
      options.mode = WorkerOptions::Mode::prepare;
    } else if (argument == "--doctor") {
      options.mode = WorkerOptions::Mode::doctor;
    } else if (argument == "--version") {
      options.mode = WorkerOptions::Mode::version;
    } else if (argument == "--help") {
      options.mode = WorkerOptions::Mode::help;
    } else {
      return usageError("unknown option '" + std::string(argument) + "'");
    }
  }
  return options;
}

std::string usage() {
  return "warpbench-worker [--device=cpu|cuda:N] [--torch=DIR] [--judges]\n"
         "  Compiles and runs kernels on one device, for the program that speaks Warpbench's protocol on "
         "its\n"
         "  standard input and output. Started by warpbench and warpbench-ui. With --judges it makes ready "
         "what\n"
         "  strict jobs need before the first one comes.\n"
         "warpbench-worker --guest [--closed]   forks processes that hold kernels' code for a worker that "
         "judges\n"
         "                             strictly; or, closed to others of the same user, its reference\n"
         "warpbench-worker --prepare   precompiled header and operator catalogue, ahead of the first kernel\n"
         "warpbench-worker --doctor    what is installed, as JSON\n"
         "warpbench-worker --keep PROGRAM …   runs a program and ends all that it leaves behind\n"
         "warpbench-worker --in-sandbox SPEC -- PROGRAM …   the same inside walls, which SPEC says as JSON\n"
         "warpbench-worker --version\n"
         "torch is looked for in --torch, then beside $WARPBENCH_PYTHON, then in the set-up's virtual\n"
         "environment, then beside python3.\n";
}

}  // namespace wb
