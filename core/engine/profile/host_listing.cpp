// SPDX-License-Identifier: Apache-2.0
#include "core/engine/profile/host_listing.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <optional>
#include <utility>

#include "core/base/process/process.h"
#include "core/base/text.h"
#include "core/engine/profile/source_places.h"

namespace wb {
namespace {

constexpr std::chrono::seconds deadline{60};
constexpr std::size_t mostOutput = std::size_t{256} << 20;

/// The number at the front, which is taken away.
std::optional<std::uint64_t> takeHex(std::string_view& text) {
  std::uint64_t value = 0;
  const auto [end, wrong] = std::from_chars(text.data(), text.data() + text.size(), value, 16);
  if (wrong != std::errc() || end == text.data()) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return value;
}

/// The place in "/a/b.cpp:12 (discriminator 3)" and in "inlined by /a/b.cpp:12 (f)".
std::optional<Place> placeIn(std::string_view text) {
  constexpr std::string_view inlined = "inlined by ";
  if (text.starts_with(inlined)) text.remove_prefix(inlined.size());
  for (auto colon = text.find(':'); colon != std::string_view::npos; colon = text.find(':', colon + 1)) {
    int line = 0;
    const std::string_view rest = text.substr(colon + 1);
    const auto [end, wrong] = std::from_chars(rest.data(), rest.data() + rest.size(), line);
    const bool ends = end == rest.data() + rest.size() || *end == ' ';
    if (wrong == std::errc() && end != rest.data() && ends)
      return Place{std::string(text.substr(0, colon)), line, 0};
  }
  return std::nullopt;
}

/// What fills the space between functions.
bool isPadding(std::string_view text) {
  return text.find("nop") != std::string_view::npos || text == "int3" || text == "xchg   ax,ax";
}

/// What Warpbench adds to a kernel, and what calls into other libraries.
bool isOurs(std::string_view name) {
  return name.find("warpbench_") != std::string_view::npos || name == "wb_call" || name == "wb_parameters" ||
         name.ends_with("@plt") || name.ends_with("$plt");
}

class Reader {
 public:
  explicit Reader(const std::vector<std::string>& own) : places_(own) {}

  void line(std::string_view raw) {
    if (raw.empty()) return;
    std::string_view rest = raw;
    if (raw.front() == ' ') {
      rest = trimmed(raw);
      const auto address = takeHex(rest);
      if (address && rest.starts_with(":")) return instruction(*address, trimmed(rest.substr(1)));
    } else if (const auto address = takeHex(rest);
               address && rest.starts_with(" <") && rest.ends_with(">:")) {
      return function(*address, rest.substr(2, rest.size() - 4));
    }
    if (auto place = placeIn(raw)) places_.add(*std::move(place));
  }

  std::vector<Listing> finish() {
    close();
    return std::move(listings_);
  }

 private:
  void function(std::uint64_t address, std::string_view name) {
    close();
    current_ = {};
    current_.kind = ListingKind::host;
    current_.architecture = "x86-64";
    current_.function = current_.kernel = name;
    start_ = address;
    places_.clear();
  }

  void instruction(std::uint64_t address, std::string_view text) {
    Instruction made;
    made.offset = address - start_;
    made.text = withOffsets(text);
    places_.locate(made);
    current_.instructions.push_back(std::move(made));
  }

  /// "jmp 6f56 <f(int)+0x76>" → "jmp 0x76" within f, "call 6870 <g()>" → "call g()" into another one.
  [[nodiscard]] std::string withOffsets(std::string_view text) const {
    const auto open = text.find(" <");
    if (open == std::string_view::npos || !text.ends_with('>')) return std::string(text);
    const auto before = text.find_last_of(" ,", open - 1);
    std::string_view target = text.substr(open + 2, text.size() - open - 3);
    if (text.find('#') < open)
      return fmt::format("{} {}", trimmed(text.substr(0, text.find('#') + 1)), target);
    std::string_view digits = text.substr(before + 1, open - before - 1);
    const auto address = takeHex(digits);
    const bool inside = target.starts_with(current_.function) && (target.size() == current_.function.size() ||
                                                                  target[current_.function.size()] == '+');
    const std::string place =
        address && inside ? fmt::format("{:#x}", *address - start_) : std::string(target);
    return std::string(text.substr(0, before + 1)) + place;
  }

  void close() {
    auto& all = current_.instructions;
    while (!all.empty() && isPadding(all.back().text)) all.pop_back();
    const bool own = std::any_of(all.begin(), all.end(),
                                 [](const Instruction& one) { return one.line > 0 && one.file.empty(); });
    if (own && !isOurs(current_.function)) listings_.push_back(std::move(current_));
    current_ = {};
  }

  SourcePlaces places_;
  Listing current_;
  std::uint64_t start_ = 0;
  std::vector<Listing> listings_;
};

}  // namespace

std::vector<Listing> parseObjdump(std::string_view text, const std::vector<std::string>& own) {
  Reader reader(own);
  for (const std::string_view line : splitLines(text)) reader.line(line);
  return reader.finish();
}

Result<std::vector<Listing>> disassembleHost(const std::filesystem::path& object,
                                             const std::vector<std::string>& own) {
  const auto ran = runToEnd(Command{{"objdump", "-d", "-l", "--inlines", "-C", "--no-show-raw-insn", "-M",
                                     "intel", object.string()},
                                    {},
                                    {{"LC_ALL", "C.UTF-8"}}},
                            deadline, {}, mostOutput);
  if (!ran)
    return Error{Stage::profile, "objdump cannot be started: " + ran.error().text,
                 "install it with the compiler: apt install binutils"};
  if (!ran->ok() || ran->cut)
    return Error{Stage::profile,
                 fmt::format("objdump ended with {}: {}", describe(ran->ending), ran->err.substr(0, 500))};
  return parseObjdump(ran->out, own);
}

}  // namespace wb
