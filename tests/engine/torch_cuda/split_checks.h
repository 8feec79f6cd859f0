// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/engine/compile/torch_cuda/split/splitter.h"

namespace wb {

/// A CUDA extension that the splitter is tried on.
struct CorpusFile {
  std::string name, text;
  std::string unfit;  ///< part of the reason why the splitter leaves it to nvcc; "": it takes it apart
};
/// The files of tests/engine/compile/corpus, and the samples and templates that are CUDA extensions.
[[nodiscard]] std::vector<CorpusFile> splitCorpus();

/// The source taken apart; what it includes is not there.
[[nodiscard]] Split splitAlone(std::string_view source);

/// What is wrong with the parts of a source, "" where nothing is. Of what the splitter refuses nothing is
/// asked. Of the others: the lines stay; each token of the source stands in one part at least,
/// but for device members of a class that only the host knows; both have all macros; the host's has no `<<<`;
/// brackets and conditions that match in the source match in both.
[[nodiscard]] std::string faultOf(std::string_view source, const Split& split);

/// The tokens of a text, by their spelling.
[[nodiscard]] std::vector<std::string> spellings(std::string_view text);

}  // namespace wb
