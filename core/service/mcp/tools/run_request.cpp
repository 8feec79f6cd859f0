// SPDX-License-Identifier: Apache-2.0
#include "core/service/mcp/tools/run_request.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "core/base/text.h"
#include "core/jobs/effort.h"
#include "core/jobs/given_cases.h"
#include "core/jobs/job_request.h"
#include "core/jobs/request_words.h"
#include "core/model/languages.h"
#include "core/model/operators/operator_name.h"
#include "core/suites/suites.h"

namespace wb {
namespace {

using Kind = McpArgument::Kind;

constexpr double longestWait = 3600;
/// Many clients give up on a call after a minute.
constexpr double standardWait = 50;

Error wrongRun(std::string text, std::string hint = {}) {
  return {Stage::job, std::move(text), std::move(hint)};
}

std::vector<std::string> deviceWords(const McpHost& host) {
  std::vector<std::string> words{"auto"};
  for (const DeviceState& each : host.service->devices()) words.push_back(each.device);
  return words;
}

/// The extension of a text without a file.
std::string_view extensionFor(std::string_view language, std::string_view text) {
  if (const Language* known = findLanguage(language)) return known->extension;
  if (text.find("__global__") != std::string_view::npos) return ".cu";
  if (text.find("#include") != std::string_view::npos) return ".cpp";
  return ".py";
}

/// A case says from which line of which file it came; where that file lies is nobody's business.
void forgetFolders(Job& job) {
  for (Case& each : job.cases) each.origin.file = std::string(fileNameOf(each.origin.file));
}

}  // namespace

std::vector<std::string> suiteNames() {
  std::vector<std::string> names;
  // What lies beside a kernel is nothing that a client could have put there.
  for (const SuiteInfo& info : suites())
    if (info.name != "beside") names.push_back(info.name);
  return names;
}

std::vector<std::string> languageIds() {
  std::vector<std::string> ids;
  for (const Language& language : languages())
    if (!language.extension.empty()) ids.emplace_back(language.id);
  return ids;
}

std::vector<McpArgument> runArguments(const McpHost& host) {
  std::vector<std::string> efforts;
  efforts.reserve(std::size(effortPresets));
  for (const EffortPreset& preset : effortPresets) efforts.emplace_back(preset.name);
  std::vector<McpArgument> arguments = {
      {.name = "op",
       .meaning = "The operator of ATen that the kernel implements: 'relu', 'sum.dim_IntList', 'add.Tensor'. "
                  "Left out, the kernel's header or its function's name tells it."},
      {.name = "language",
       .meaning =
           "The kernel's language; left out, its text tells it. torch_cpp: a C++ function over "
           "at::Tensor. raw_cuda: __global__ functions below a /* warpbench */ header. torch_cuda: CUDA "
           "and the C++ function that launches it. triton and python: a Python function, or class "
           "ModelNew where there is a problem.",
       .words = languageIds()},
      {.name = "suite",
       .meaning = "The cases to run. smoke: a few of everyday operators; opinfo: PyTorch's own samples of "
                  "nearly all operators; list_cases shows what is in one. Left out: the first that has cases "
                  "of the operator.",
       .words = suiteNames()},
      {.name = "cases",
       .meaning = "Cases of your own instead of a suite, one call on each line: ((T([64, 64], f32),), {}) is "
                  "one float32 tensor; ((T([8, 4], bf16), 1), {'keepdim': True}) has an int and a keyword."},
      {.name = "problem",
       .meaning =
           "A problem in KernelBench's form: the text of a Python module with class Model, get_inputs() "
           "and get_init_inputs(). The kernel is then a Python module with class ModelNew, and 'op', "
           "'suite' and 'cases' do not matter."},
      {.name = "dtype",
       .meaning = "The dtype of suites that are made for one, such as opinfo: 'float32', 'bf16'.",
       .fallback = "auto"},
      {.name = "tolerance",
       .meaning = "How close to the reference is right: torch, backendbench, strict, or 'RTOL,ATOL'.",
       .fallback = "torch"},
      {.name = "effort",
       .meaning = "How long each case is timed: quick 0.25 s, standard 1 s, thorough 10 s at most.",
       .fallback = "quick",
       .words = efforts},
      {.name = "device",
       .meaning = "Where it runs; auto is a GPU where there is one.",
       .fallback = "auto",
       .words = deviceWords(host)},
      {.name = "deadline_seconds",
       .kind = Kind::number,
       .meaning = "After so many seconds the run is ended; 0 is the service's own limit.",
       .fallback = 0},
      {.name = "wait_seconds",
       .kind = Kind::number,
       .meaning = "How long this call waits for the end of the run. After that it answers with what is known "
                  "so far, the run goes on, and read_run waits for the rest.",
       .fallback = standardWait,
       .most = longestWait}};
  if (!host.strictAlways)
    arguments.push_back({.name = "strict",
                         .kind = Kind::boolean,
                         .meaning = "Judges the kernel from another process, which it cannot reach: for code "
                                    "that may cheat. Costs some time for each kernel.",
                         .fallback = host.strict});
  return arguments;
}

KernelSource kernelOf(const std::string& text, const McpArguments& arguments, const std::string& name) {
  KernelSource kernel;
  kernel.text = text;
  kernel.op = arguments.text("op");
  kernel.language = arguments.text("language");
  kernel.path = name + std::string(extensionFor(kernel.language, text));
  if (std::string problem = arguments.text("problem"); !problem.empty()) {
    kernel.referencePath = "problem.py";
    kernel.referenceText = std::move(problem);
  }
  return kernel;
}

Result<std::string> servedDevice(const std::string& wanted, const McpHost& host) {
  const std::vector<std::string> words = deviceWords(host);
  if (words.size() < 2) return wrongRun("the service has no device");
  if (wanted != "auto") {
    if (std::find(words.begin(), words.end(), wanted) != words.end()) return wanted;
    return wrongRun(fmt::format("there is no device '{}' here", wanted), "there is " + joined(words, ", "));
  }
  // Whichever GPU is free first.
  const bool hasGpu = std::any_of(words.begin(), words.end(),
                                  [](const std::string& word) { return word.starts_with("cuda"); });
  return hasGpu ? "auto" : words[1];
}

Result<PlannedRun> planRun(std::vector<KernelSource> kernels, const McpArguments& arguments,
                           const Stages& stages, const ToolCall& call) {
  JobRequest request;
  request.op = arguments.text("op");
  const std::string wanted = arguments.text("device");
  WB_TRY(request.device, servedDevice(wanted, call.host));
  request.dtype = arguments.text("dtype");
  request.stages = stages;
  request.python = call.host.python;
  WB_TRY(request.tolerance, toleranceOf(arguments.text("tolerance")));
  const std::string effort = arguments.text("effort");
  for (const EffortPreset& preset : effortPresets)
    if (preset.name == effort) request.timing.capSeconds = preset.capSeconds;
  request.strict = call.host.strictAlways || arguments.flag("strict").value_or(call.host.strict);
  request.sandbox = call.host.sandbox && !request.strict;
  request.suite = arguments.text("suite");
  if (request.suite.empty()) request.suite = request.op.empty() ? "smoke" : suiteWith(schemaName(request.op));
  if (const std::string cases = arguments.text("cases"); !cases.empty()) {
    WB_TRY(request.cases, givenCases(cases, request.op));
  }
  request.sources = std::move(kernels);
  WB_TRY(auto planned, planJob(request, {.onText = [&](const std::string& text) { call.log("info", text); },
                                         .stop = call.stop}));
  forgetFolders(planned.job);
  // Which of several GPUs is free first is for the queue to say.
  planned.job.device = wanted == "auto" && request.device != "cpu" ? wanted : request.device;
  return PlannedRun{std::move(planned.job), std::move(planned.warnings)};
}

}  // namespace wb
