// SPDX-License-Identifier: Apache-2.0
#include "core/engine/check/written_beyond.h"

#include <ATen/core/Tensor.h>
#include <fmt/format.h>

#include <cstddef>

#include "core/base/quantity.h"
#include "core/engine/reference/operator.h"

namespace wb {
namespace {

/// Whether a tensor lies in this memory.
bool liesIn(const at::Tensor& tensor, const void* data) {
  return tensor.defined() && tensor.has_storage() && tensor.storage().data() == data;
}

bool liesIn(const c10::IValue& value, const void* data) {
  for (const at::Tensor& tensor : planFrom({value}).examples)
    if (liesIn(tensor, data)) return true;
  return false;
}

constexpr const char* ownTensor = "a tensor that it made for itself";

std::string nameOfResult(std::size_t number, std::size_t count) {
  return count == 1 ? "its result" : fmt::format("its result {}", number);
}

std::string nameOf(const void* data, const c10::FunctionSchema& schema, const CallResults& side) {
  for (std::size_t i = 0; i < side.arguments.size() && i < schema.arguments().size(); ++i)
    if (liesIn(side.arguments[i], data)) return fmt::format("its input '{}'", schema.arguments()[i].name());
  for (std::size_t i = 0; i < side.results.size(); ++i)
    if (liesIn(side.results[i], data)) return nameOfResult(i, side.results.size());
  return ownTensor;
}

std::string inWords(std::size_t inFront, std::size_t behind, const std::string& what) {
  const bool isBehind = behind > 0;
  return fmt::format("the kernel writes {} {} ({})", isBehind ? "beyond the end of" : "in front of", what,
                     formatBytes(static_cast<double>(isBehind ? behind : inFront)));
}

}  // namespace

std::string wordsOf(const WrittenBeyond& beyond, const c10::FunctionSchema& schema, const CallResults& side) {
  return inWords(beyond.inFront, beyond.behind, nameOf(beyond.data, schema, side));
}

std::string wordsOf(const WrittenThere& beyond, std::size_t results) {
  return inWords(
      beyond.inFront, beyond.behind,
      beyond.result && *beyond.result < results ? nameOfResult(*beyond.result, results) : ownTensor);
}

}  // namespace wb
