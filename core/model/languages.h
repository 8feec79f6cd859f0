// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "core/model/job.h"

namespace wb {

/// A kernel language that users can write. A new one needs a row in languages.cpp, a compiler in
/// core/engine/pipeline/compilers.cpp, and a template under resources/templates.
struct Language {
  /// The id: "torch_cpp".
  std::string_view id;
  /// The title for people: "torch C++".
  std::string_view title;
  /// The extension: ".cpp".
  std::string_view extension;
  /// The editor's lexer: "cpp", "cuda", "python".
  std::string_view lexer;
  /// A file under resources/templates.
  std::string_view templateFile;
  /// One line for lists.
  std::string_view summary;
  /// A GPU is needed to run; every language compiles without one.
  bool needsGpu;
  /// It runs in a worker inside a Python interpreter.
  bool needsPython;
};

[[nodiscard]] std::span<const Language> languages();
[[nodiscard]] const Language* findLanguage(std::string_view id);

/// The language of a source by its file name and text; nullptr when none takes it.
[[nodiscard]] const Language* detectLanguage(std::string_view fileName, std::string_view text);

/// The language of a kernel, as given, else as detected; nullptr when none takes it.
[[nodiscard]] const Language* languageOf(const KernelSource& source);

/// Whether any kernel of the job runs in a Python interpreter.
[[nodiscard]] bool needsPython(const Job& job);

}  // namespace wb
