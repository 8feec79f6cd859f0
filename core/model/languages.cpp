// SPDX-License-Identifier: Apache-2.0
#include "core/model/languages.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "core/base/text.h"

namespace wb {
namespace {

constexpr std::array table{
    Language{"torch_cpp", "torch C++", ".cpp", "cpp", "torch_cpp.cpp",
             "A C++ function over at::Tensor, built by the system's compiler against LibTorch", false, false},
    Language{"raw_cuda", "raw CUDA", ".cu", "cuda", "raw_cuda.cu",
             "__global__ functions, compiled by NVRTC and launched by Warpbench itself", true, false},
    Language{"python", "Python", ".py", "python", "python.py",
             "A Python function or module over torch tensors: plain torch, load_inline, flag_gems", false,
             true},
    Language{"triton", "Triton", ".py", "python", "triton.py",
             "Triton kernels and the Python function that launches them; interpreted where there is no GPU",
             false, true},
    Language{"torch_cuda", "CUDA extension", ".cu", "cuda", "torch_cuda.cu",
             "CUDA kernels and the C++ function over at::Tensor that launches them, in one file", true,
             false},
    Language{"aten", "ATen", "", "", "", "ATen itself: the null test", false, false},
};

/// The file name's extension in lower case, with its dot.
std::string extensionOf(std::string_view fileName) {
  const auto slash = fileName.find_last_of("/\\");
  if (slash != std::string_view::npos) fileName.remove_prefix(slash + 1);
  const auto dot = fileName.rfind('.');
  if (dot == std::string_view::npos) return {};
  return lowerCase(fileName.substr(dot));
}

/// A block comment that starts with the word "warpbench" before the first line of code; licence comments may
/// stand before it.
bool hasContract(std::string_view text) {
  constexpr std::string_view blanks = " \t\r\n";
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  for (;;) {
    const auto first = text.find_first_not_of(blanks);
    if (first == std::string_view::npos) return false;
    text.remove_prefix(first);
    const bool block = text.starts_with("/*");
    if (!block && !text.starts_with("//")) return false;
    if (block) {
      std::string_view inside = text.substr(2);
      inside.remove_prefix(std::min(inside.find_first_not_of(blanks), inside.size()));
      constexpr std::string_view word = "warpbench";
      if (inside.starts_with(word) &&
          (inside.size() == word.size() || blanks.find(inside[word.size()]) != std::string_view::npos))
        return true;
    }
    const auto end = block ? text.find("*/", 2) : text.find('\n');
    if (end == std::string_view::npos) return false;
    text.remove_prefix(end + (block ? 2 : 1));
  }
}

bool includesTorch(std::string_view text) {
  for (std::string_view header : {"<torch/", "\"torch/", "<ATen/", "\"ATen/", "<c10/", "\"c10/"}) {
    if (text.find(header) != std::string_view::npos) return true;
  }
  return false;
}

}  // namespace

std::span<const Language> languages() {
  return table;
}

const Language* findLanguage(std::string_view id) {
  const auto found = std::find_if(table.begin(), table.end(), [&](const Language& l) { return l.id == id; });
  return found == table.end() ? nullptr : &*found;
}

const Language* detectLanguage(std::string_view fileName, std::string_view text) {
  const std::string extension = extensionOf(fileName);
  if (extension == ".cpp" || extension == ".cc" || extension == ".cxx") return findLanguage("torch_cpp");
  if (extension == ".py")
    return findLanguage(text.find("triton.jit") != std::string_view::npos ? "triton" : "python");
  if (extension != ".cu") return nullptr;
  if (hasContract(text)) return findLanguage("raw_cuda");
  if (includesTorch(text)) return findLanguage("torch_cuda");
  // Without a header the compiler explains what is missing.
  return text.find("__global__") != std::string_view::npos ? findLanguage("raw_cuda") : nullptr;
}

const Language* languageOf(const KernelSource& source) {
  return source.language.empty() ? detectLanguage(source.path, source.text) : findLanguage(source.language);
}

bool needsPython(const Job& job) {
  return std::any_of(job.kernels.begin(), job.kernels.end(), [](const KernelSource& kernel) {
    const Language* language = languageOf(kernel);
    return !kernel.referenceText.empty() || (language && language->needsPython);
  });
}

}  // namespace wb
