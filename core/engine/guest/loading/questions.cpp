// SPDX-License-Identifier: Apache-2.0
#include "core/engine/guest/loading/questions.h"

#include <string_view>
#include <utility>

#include "core/engine/guest/values.h"

namespace wb {
namespace {

/// What a compiler printed is shown up to here.
constexpr std::size_t longestOutput = 8000;

}  // namespace

void write(ByteWriter& to, const TextToBuild& text) {
  to.text(text.header);
  to.text(text.text);
  to.put(static_cast<std::uint32_t>(text.files.size()));
  for (const auto& [name, content] : text.files) {
    to.text(name);
    to.text(content);
  }
  to.put(static_cast<std::uint32_t>(text.options.size()));
  for (const std::string& each : text.options) to.text(each);
}

TextToBuild readTextToBuild(ByteReader& from) {
  TextToBuild text;
  text.header = from.text();
  text.text = from.text();
  for (std::size_t left = from.count(2 * sizeof(std::uint32_t)); left > 0; --left) {
    std::string name = from.text();
    text.files.emplace_back(std::move(name), from.text());
  }
  for (std::size_t left = from.count(sizeof(std::uint32_t)); left > 0; --left)
    text.options.push_back(from.text());
  return text;
}

void write(ByteWriter& to, const std::optional<BuiltText>& built) {
  to.put(static_cast<std::uint8_t>(built ? 1 : 0));
  if (!built) return;
  to.text(built->object);
  to.text(std::string_view(built->output).substr(0, longestOutput));
  to.text(built->ending);
  to.put(static_cast<std::uint8_t>(built->cached ? 1 : 0));
}

std::optional<BuiltText> readBuiltText(ByteReader& from) {
  if (from.get<std::uint8_t>() != 1) return std::nullopt;
  BuiltText built;
  for (std::string* each : {&built.object, &built.output, &built.ending}) *each = from.text();
  built.cached = from.get<std::uint8_t>() == 1;
  return built;
}

void write(ByteWriter& to, const std::vector<std::string>& names) {
  to.put(static_cast<std::uint32_t>(names.size()));
  for (const std::string& each : names) to.text(each);
}

std::vector<std::string> readNames(ByteReader& from) {
  std::vector<std::string> names;
  for (std::size_t left = from.count(sizeof(std::uint32_t)); left > 0; --left) names.push_back(from.text());
  return names;
}

void write(ByteWriter& to, const Result<NamedKernels>& kernels) {
  to.put(static_cast<std::uint8_t>(kernels ? 1 : 0));
  if (!kernels) return write(to, kernels.error());
  to.text(kernels->cubin);
  write(to, kernels->loweredNames);
}

Result<NamedKernels> readNamedKernels(ByteReader& from) {
  if (from.get<std::uint8_t>() != 1) return readError(from);
  NamedKernels kernels;
  kernels.cubin = from.text(std::string::npos);
  kernels.loweredNames = readNames(from);
  return kernels;
}

}  // namespace wb
