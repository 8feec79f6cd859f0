// SPDX-License-Identifier: Apache-2.0
#include "core/model/operators/operator_search.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>
#include <tuple>

#include "core/model/operators/operator_name.h"

namespace wb {
namespace {

constexpr std::array<std::string_view, 24> everyday = {"aten::relu",
                                                       "aten::gelu",
                                                       "aten::silu",
                                                       "aten::sigmoid",
                                                       "aten::tanh",
                                                       "aten::exp",
                                                       "aten::add.Tensor",
                                                       "aten::mul.Tensor",
                                                       "aten::div.Tensor",
                                                       "aten::maximum",
                                                       "aten::sum.dim_IntList",
                                                       "aten::mean.dim",
                                                       "aten::amax",
                                                       "aten::_softmax",
                                                       "aten::softmax.int",
                                                       "aten::_log_softmax",
                                                       "aten::native_layer_norm",
                                                       "aten::mm",
                                                       "aten::bmm",
                                                       "aten::addmm",
                                                       "aten::convolution",
                                                       "aten::cat",
                                                       "aten::where.self",
                                                       "aten::embedding"};

std::string lower(std::string_view text) {
  std::string made(text);
  for (char& c : made) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return made;
}

std::vector<std::string> wordsOf(std::string_view typed) {
  std::vector<std::string> words;
  std::string word;
  for (const char c : lower(typed) + " ") {
    if (c != ' ') {
      word += c;
    } else if (!word.empty()) {
      words.push_back(std::exchange(word, {}));
    }
  }
  return words;
}

/// How well a word fits: 0 is best, 4 is not at all.
int rankOf(const std::string& word, const std::string& name, const std::string& base,
           const std::string& schema) {
  if (word == name || word == base || word == "aten::" + name) return 0;
  if (base.starts_with(word) || name.starts_with(word)) return 1;
  if (name.find(word) != std::string::npos) return 2;
  return schema.find(word) != std::string::npos ? 3 : 4;
}

/// 0 for an operator that returns something new, 1 for one that writes to an argument.
int writesOf(const OperatorEntry& entry) {
  return entry.schema.find("!)") == std::string::npos ? 0 : 1;
}

}  // namespace

std::vector<std::size_t> searchOperators(std::string_view typed, const std::vector<OperatorEntry>& operators,
                                         std::size_t most) {
  const std::vector<std::string> words = wordsOf(typed);
  std::vector<std::size_t> found;
  if (words.empty()) {
    for (const std::string_view name : everyday) {
      const auto at = std::ranges::find(operators, name, &OperatorEntry::name);
      if (at != operators.end() && found.size() < most)
        found.push_back(static_cast<std::size_t>(at - operators.begin()));
    }
    return found;
  }
  using Key = std::tuple<int, int, int, std::size_t, std::size_t>;
  std::vector<Key> keys;
  for (std::size_t i = 0; i < operators.size(); ++i) {
    const std::string name = lower(shortName(operators[i].name)), base = lower(baseName(operators[i].name)),
                      schema = lower(operators[i].schema);
    int rank = 0;
    for (const std::string& word : words) rank = std::max(rank, rankOf(word, name, base, schema));
    if (rank == 4) continue;
    keys.emplace_back(rank, writesOf(operators[i]), operators[i].name.starts_with("aten::") ? 0 : 1,
                      name.size(), i);
  }
  std::sort(keys.begin(), keys.end());
  for (const Key& key : keys)
    if (found.size() < most) found.push_back(std::get<4>(key));
  return found;
}

}  // namespace wb
