// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/model/job.h"
#include "core/service/mcp/tools/tool.h"

namespace wb {

/// The arguments that say what is run and how, which tools that run kernels share. `source` is not one of
/// them.
[[nodiscard]] std::vector<McpArgument> runArguments(const McpHost& host);

/// A kernel's text as a client gives it, with a file name that fits its language.
[[nodiscard]] KernelSource kernelOf(const std::string& text, const McpArguments& arguments,
                                    const std::string& name);

/// What becomes of a client's wish.
struct PlannedRun {
  Job job;
  std::vector<std::string> warnings;
};

/// The job of kernels and of the arguments above. Suites are taken by name alone, so that no client reads a
/// file of this machine. Making one may take half a minute. Errors: what planJob() says, no such device,
/// cases that cannot be read.
Result<PlannedRun> planRun(std::vector<KernelSource> kernels, const McpArguments& arguments,
                           const Stages& stages, const ToolCall& call);

/// The device that suites are made for: "auto" is the first GPU, or the CPU. Error: the service has no such
/// device.
Result<std::string> servedDevice(const std::string& wanted, const McpHost& host);

/// The suites by name.
[[nodiscard]] std::vector<std::string> suiteNames();

/// The language ids that a kernel can be written in.
[[nodiscard]] std::vector<std::string> languageIds();

}  // namespace wb
