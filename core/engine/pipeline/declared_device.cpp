// SPDX-License-Identifier: Apache-2.0
#include "core/engine/pipeline/declared_device.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>

#include "core/base/text.h"

namespace wb {
namespace {

/// The words of a line of the comment at a source's beginning; nothing for the source's first line of code.
std::optional<std::string_view> commentWords(std::string_view line, bool& inBlock) {
  line = trimmed(line);
  const bool was = inBlock;
  if (line.starts_with("/*")) inBlock = true;
  if (inBlock) {
    const std::size_t end = line.find("*/");
    if (end != std::string_view::npos) inBlock = false;
    line = trimmed(line.substr(0, end));
    const std::size_t words = line.find_first_not_of("/*# \t");
    return words == std::string_view::npos ? std::string_view() : line.substr(words);
  }
  if (line.empty() || line == "#" || was) return line;
  for (const std::string_view mark : {"//", "# ", "#!"})
    if (line.starts_with(mark)) return trimmed(line.substr(mark.size()));
  return std::nullopt;
}

std::optional<ForDevice> declared(std::string_view source) {
  constexpr std::string_view key = "Device:";
  bool inBlock = false;
  while (!source.empty()) {
    const std::string_view line = source.substr(0, source.find('\n'));
    source.remove_prefix(std::min(source.size(), line.size() + 1));
    const auto words = commentWords(line, inBlock);
    if (!words) return std::nullopt;
    if (!words->starts_with(key)) continue;
    const std::string device = lowerCase(trimmed(words->substr(key.size())));
    if (device == "cpu") return ForDevice::cpu;
    if (device == "cuda" || device == "gpu") return ForDevice::gpu;
    if (device == "any") return ForDevice::any;
  }
  return std::nullopt;
}

bool mentions(std::string_view source, std::initializer_list<std::string_view> words) {
  return std::any_of(words.begin(), words.end(),
                     [&](std::string_view word) { return source.find(word) != std::string_view::npos; });
}

}  // namespace

ForDevice forDevice(std::string_view source, std::string_view language) {
  if (const auto said = declared(source)) return *said;
  if (language != "torch_cpp") return ForDevice::any;
  const std::string text = lowerCase(source);
  const bool reads = mentions(text, {"data_ptr", "accessor<"});
  return reads && !mentions(text, {"cpu", "cuda", "device"}) ? ForDevice::cpu : ForDevice::any;
}

std::string whyNotOn(std::string_view device, std::string_view source, std::string_view language) {
  const bool onCpu = device == "cpu";
  const ForDevice wanted = forDevice(source, language);
  if (wanted == ForDevice::any || (wanted == ForDevice::cpu) == onCpu) return {};
  if (wanted == ForDevice::gpu) return "Compiled; not run: it says that it is for a GPU, and this is the CPU";
  const bool said = declared(source).has_value();
  return fmt::format("Compiled; not run on {}: it {}", device,
                     said ? "says that it is for the CPU"
                          : "follows pointers into tensors on the host, and names no device. A first line "
                            "\"// Device: any\" runs it all the same");
}

}  // namespace wb
