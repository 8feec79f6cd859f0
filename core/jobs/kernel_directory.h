// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/model/operators/catalogue.h"

namespace wb {

/// A kernel found in a folder named after its operator.
struct DirectoryKernel {
  /// The folder's name: "add__Tensor".
  std::string folder;
  /// The operator: "aten::add.Tensor".
  std::string op;
  /// The file: "…/add__Tensor/add__Tensor_implementation_v1.py".
  std::filesystem::path file;
  bool operator==(const DirectoryKernel&) const = default;
};

/// A choice between two files or folders for one operator.
struct DirectoryChoice {
  std::string op;
  /// The choice in words: "mul.Tensor: mul__Tensor_implementation_v10.py, not …_v2.py".
  std::string text;
};

/// BackendBench's directory of kernels: FOLDER/FOLDER_implementation*.py.
struct KernelDirectory {
  /// The folder that was read: the directory, or the last run in it.
  std::filesystem::path folder;
  /// The kernels, one per operator.
  std::vector<DirectoryKernel> kernels;
  /// The choices that BackendBench makes otherwise.
  std::vector<DirectoryChoice> choices;
  /// The folders whose names are not operators.
  std::vector<std::string> problems;
  /// How many folders have no implementation; BackendBench's set-up makes such folders.
  int emptyFolders = 0;
};

/// Reads a directory. With `like` it is read as BackendBench does: the first file in string order, the last
/// folder listed, Python only. Else the newest version in natural order is taken, of two folders the one that
/// names the overload, and torch C++ and CUDA sources count too. Where a folder has none of BackendBench's
/// names, FOLDER_attempt_*.py and FOLDER.py count; where there are no such folders but those of runs (run_1,
/// llm_run_2025…), the last run that has some. With a `catalogue` a folder without overload means the
/// operator that a bare name means, and unknown operators are problems. Error: there is no such directory.
Result<KernelDirectory> readKernelDirectory(const std::filesystem::path& directory, bool like,
                                            const Catalogue* catalogue = nullptr);

/// The operator of a folder's name as BackendBench reads it: "add___Tensor" → "aten::add_.Tensor"; "" for a
/// name that it cannot resolve.
[[nodiscard]] std::string operatorOfFolder(std::string_view folder);

/// Whether a name comes before another in the order in which "v2" stands before "v10".
[[nodiscard]] bool naturallyBefore(std::string_view a, std::string_view b);

}  // namespace wb
