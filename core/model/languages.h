// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "core/model/job.h"

namespace wb {

/// A kernel language that users can write. Plug point: one row in languages.cpp, one compiler in
/// core/engine/pipeline/compilers.cpp, a template under resources/templates.
struct Language {
  std::string_view id;            ///< "torch_cpp"
  std::string_view title;         ///< "torch C++"
  std::string_view extension;     ///< ".cpp"
  std::string_view lexer;         ///< the editor's: "cpp", "cuda", "python"
  std::string_view templateFile;  ///< under resources/templates
  std::string_view summary;       ///< one line for lists
  bool needsGpu;                  ///< to run; every language compiles without one
  bool needsPython;               ///< runs in a worker inside a Python interpreter
};

[[nodiscard]] std::span<const Language> languages();
[[nodiscard]] const Language* findLanguage(std::string_view id);

/// Language of a source by its file name and text (decisions, "Files, languages, operators"); nullptr when
/// none takes it.
[[nodiscard]] const Language* detectLanguage(std::string_view fileName, std::string_view text);

/// The language a kernel is in: as given, else as detected; nullptr when none takes it.
[[nodiscard]] const Language* languageOf(const KernelSource& source);

/// Whether any kernel of the job runs in a Python interpreter.
[[nodiscard]] bool needsPython(const Job& job);

}  // namespace wb
