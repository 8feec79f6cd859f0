// SPDX-License-Identifier: Apache-2.0
#include "core/engine/compile/torch_cuda/module_flags.h"

#include <algorithm>
#include <initializer_list>
#include <optional>
#include <string_view>

namespace wb {
namespace {

bool isOneOf(std::string_view word, std::initializer_list<std::string_view> all) {
  return std::find(all.begin(), all.end(), word) != all.end();
}

/// The macro of a flag: "-DA=1" → "#define A 1".
std::string macroOf(std::string_view flag) {
  flag.remove_prefix(2);
  const auto equals = flag.find('=');
  if (flag.starts_with("D") || flag.empty()) return {};
  if (equals == std::string_view::npos) return "#define " + std::string(flag) + " 1\n";
  return "#define " + std::string(flag.substr(0, equals)) + " " + std::string(flag.substr(equals + 1)) + "\n";
}

/// Walks over flags, some of which have their value in the next word.
class Words {
 public:
  explicit Words(const std::vector<std::string>& words) : words_(words) {}
  [[nodiscard]] bool atEnd() const { return at_ >= words_.size(); }
  const std::string& next() { return words_[at_++]; }
  /// The value in "-I folder" and "-Ifolder", "--option value" and "--option=value".
  std::optional<std::string> value(const std::string& word, std::string_view option) {
    if (word == option) return atEnd() ? std::string() : next();
    if (!word.starts_with(option)) return std::nullopt;
    const std::string rest = word.substr(option.size());
    if (option.size() == 2) return rest;
    return rest.starts_with('=') ? std::optional(rest.substr(1)) : std::nullopt;
  }

 private:
  const std::vector<std::string>& words_;
  std::size_t at_ = 0;
};

void refuse(ModuleFlags& flags, const std::string& kind, const std::string& word) {
  if (flags.unfit.empty()) flags.unfit = kind + " has " + word;
}

void readHost(const ModuleSources& sources, bool clang, ModuleFlags& flags) {
  for (Words words(sources.hostFlags); !words.atEnd();) {
    const std::string& word = words.next();
    if (const auto folder = words.value(word, "-I")) {
      flags.host.insert(flags.host.end(), {"-isystem", *folder});
    } else if (word.starts_with("-D") && word.size() > 2) {
      flags.hostMacros += macroOf(word);
    } else if (isOneOf(word, {"-O3", "-O2", "-Ofast", "-O1"})) {
      // clang++'s precompiled header depends only on whether anything is optimised.
      if (word == "-Ofast") flags.codeGeneration.emplace_back("-ffast-math");
      if (word == "-O3" || word == "-Ofast") (clang ? flags.host : flags.codeGeneration).emplace_back("-O3");
    } else if (word.starts_with("-std=") || word.starts_with("-W") || word.starts_with("-g") ||
               isOneOf(word, {"", "-w", "-fPIC", "-fpic", "-pipe", "-pthread", "-v", "-DNDEBUG"})) {
      // The usual flags are as good, or these say nothing about the code.
    } else if (clang && word.starts_with("-fopenmp")) {
      // Clang's OpenMP, where it is installed, has threads of its own. Torch's way takes g++, whose OpenMP is
      // the one that torch has loaded.
      refuse(flags, "extra_cflags", word);
    } else if (word.starts_with("-m") || word.starts_with("-f")) {
      flags.codeGeneration.push_back(word);
    } else {
      refuse(flags, "extra_cflags", word);
    }
  }
}

void readCuda(const ModuleSources& sources, ModuleFlags& flags) {
  for (Words words(sources.cudaFlags); !words.atEnd();) {
    const std::string& word = words.next();
    std::optional<std::string> value;
    if ((value = words.value(word, "-I"))) {
      flags.host.insert(flags.host.end(), {"-isystem", *value});
      flags.device.push_back("-I" + *value);
      flags.nvcc.push_back("-I" + *value);
    } else if (word.starts_with("-D") && word.size() > 2) {
      flags.cudaMacros += macroOf(word);
      flags.device.push_back(word);
      flags.nvcc.push_back(word);
    } else if (word.starts_with("-U") && word.size() > 2) {
      flags.device.push_back(word);
      flags.nvcc.push_back(word);
    } else if (isOneOf(word, {"--use_fast_math", "-use_fast_math"})) {
      flags.device.emplace_back("--use_fast_math");
      flags.nvcc.emplace_back("--use_fast_math");
    } else if ((value = words.value(word, "--maxrregcount")) ||
               (value = words.value(word, "-maxrregcount"))) {
      flags.device.push_back("--maxrregcount=" + *value);
      flags.nvcc.push_back("--maxrregcount=" + *value);
    } else if (isOneOf(word.substr(0, word.find('=')), {"--fmad", "-fmad", "--ftz", "-ftz", "--prec-div",
                                                        "-prec-div", "--prec-sqrt", "-prec-sqrt"})) {
      const std::string full = word.starts_with("--") ? word : "-" + word;
      flags.device.push_back(full);
      flags.nvcc.push_back(full);
    } else if ((value = words.value(word, "-Xptxas")) || (value = words.value(word, "--ptxas-options"))) {
      if (*value != "-v" && *value != "--verbose" && !value->starts_with("-O") && *value != "-warn-spills") {
        flags.device.push_back("--ptxas-options=" + *value);
        flags.nvcc.push_back("--ptxas-options=" + *value);
      }
    } else if (words.value(word, "-Xcompiler") || words.value(word, "--compiler-options") ||
               words.value(word, "-gencode") || words.value(word, "--generate-code") ||
               words.value(word, "-arch") || words.value(word, "--gpu-architecture") ||
               words.value(word, "-Xcudafe") || words.value(word, "-diag-suppress") ||
               words.value(word, "--diag-suppress") || words.value(word, "-t") ||
               words.value(word, "--threads") || words.value(word, "-std") || words.value(word, "--std")) {
      // These are for the host's compiler, for architectures other than this device's, or about messages.
    } else if (word.starts_with("--expt-") ||
               isOneOf(word, {"", "-O1", "-O2", "-O3", "-w", "-lineinfo", "-g", "--generate-line-info", "-v",
                              "-ldir", "--extended-lambda", "-res-usage"})) {
    } else {
      refuse(flags, "extra_cuda_cflags", word);
    }
  }
}

}  // namespace

ModuleFlags readFlags(const ModuleSources& sources, bool clang) {
  ModuleFlags flags;
  readHost(sources, clang, flags);
  readCuda(sources, flags);
  for (const auto& folder : sources.includePaths) {
    flags.host.insert(flags.host.end(), {"-isystem", folder});
    flags.device.push_back("-I" + folder);
    flags.nvcc.push_back("-I" + folder);
  }
  return flags;
}

}  // namespace wb
