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
  std::string folder;          ///< "add__Tensor"
  std::string op;              ///< "aten::add.Tensor"
  std::filesystem::path file;  ///< "…/add__Tensor/add__Tensor_implementation_v1.py"
  bool operator==(const DirectoryKernel&) const = default;
};

/// Where two files or folders were there for one operator.
struct DirectoryChoice {
  std::string op;
  std::string text;  ///< "mul.Tensor: mul__Tensor_implementation_v10.py, not …_v2.py"
};

/// BackendBench's directory of kernels: FOLDER/FOLDER_implementation*.py.
struct KernelDirectory {
  std::filesystem::path folder;          ///< that was read: the directory, or the last run in it
  std::vector<DirectoryKernel> kernels;  ///< one an operator
  std::vector<DirectoryChoice> choices;  ///< that BackendBench makes otherwise
  std::vector<std::string> problems;     ///< folders that name no operator
  int emptyFolders = 0;                  ///< without an implementation, as BackendBench's set-up makes them
};

/// `like`: as BackendBench reads it: the first file in string order, the last folder listed, Python only.
/// Else the newest version in natural order, of two folders the one that names the overload, and torch C++
/// and CUDA sources too; where a folder has none of BackendBench's names, FOLDER_attempt_*.py and FOLDER.py;
/// where there are no such folders but those of runs (run_1, llm_run_2025…), the last run that has some. With
/// a `catalogue` a folder without overload means the operator that a bare name means, and unknown operators
/// are problems. Errors: no such directory.
Result<KernelDirectory> readKernelDirectory(const std::filesystem::path& directory, bool like,
                                            const Catalogue* catalogue = nullptr);

/// BackendBench's own reading of a folder's name: "add___Tensor" → "aten::add_.Tensor"; "" for one that it
/// cannot resolve.
[[nodiscard]] std::string operatorOfFolder(std::string_view folder);

/// Order in which "v2" stands before "v10".
[[nodiscard]] bool naturallyBefore(std::string_view a, std::string_view b);

}  // namespace wb
