// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/model/job.h"

namespace wb {

/// Files behind the kernels of a command line: a folder stands for the kernel files in it, in the order of
/// their names. Errors: a folder without any.
Result<std::vector<std::string>> kernelFiles(const std::vector<std::string>& given);

/// Gives kernels the problem that they solve (KernelBench's form: class Model, get_inputs). `problem` is a
/// Python file for all of them, or a folder, where files of the same name belong together. Errors: there is
/// no such file or folder, or a kernel has no problem.
Result<void> attachProblems(std::vector<KernelSource>& kernels, const std::string& problem);

/// The problems themselves where there is no kernel: the reference runs against itself. Files of a folder
/// that cannot be read are left out and named in `unread`, unless none can be read.
Result<std::vector<KernelSource>> problemsAlone(const std::string& problem, std::vector<Error>& unread);

}  // namespace wb
