// SPDX-License-Identifier: Apache-2.0
#include "core/engine/profile/disassembly.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <map>
#include <optional>

#include "core/base/files/file.h"
#include "core/base/process/process.h"
#include "core/base/process/programs.h"
#include "core/base/python.h"
#include "core/base/text.h"
#include "core/base/toolkit.h"
#include "core/engine/cupti/activity.h"
#include "core/engine/profile/source_places.h"

namespace wb {
namespace {

constexpr std::chrono::seconds deadline{60};
constexpr std::size_t mostOutput = std::size_t{256} << 20;

std::optional<std::uint64_t> number(std::string_view text, int base) {
  std::uint64_t value = 0;
  const auto [end, wrong] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (wrong != std::errc() || end == text.data()) return std::nullopt;
  return value;
}

/// The place in `File "/a/b.cu", line 12 inlined at …`, which is /a/b.cu:12. A comment of its own names the
/// function that it is inlined into.
std::optional<Place> placeIn(std::string_view comment) {
  const auto open = comment.find("File \""), close = comment.find("\", line ", open);
  if (open == std::string_view::npos || close == std::string_view::npos) return std::nullopt;
  const auto line = number(comment.substr(close + 8), 10);
  if (!line) return std::nullopt;
  return Place{std::string(comment.substr(open + 6, close - open - 6)), static_cast<int>(*line), 0};
}

/// One section of code as far as it has been read.
struct Section {
  Listing listing;
  std::map<std::string, std::uint64_t, std::less<>> labels;
  /// Labels whose instruction is still to come.
  std::vector<std::string> pending;
};

/// The text with the labels of this section replaced by offsets, "BRA `(.L_x_4)" → "BRA 0x240", since the
/// listing does not have the labels. Other labels stay.
std::string withOffsets(std::string text, const Section& section) {
  for (auto open = text.find("`("); open != std::string::npos; open = text.find("`(", open + 1)) {
    const auto close = text.find(')', open);
    if (close == std::string::npos) break;
    const auto label = section.labels.find(std::string_view(text).substr(open + 2, close - open - 2));
    if (label != section.labels.end())
      text.replace(open, close + 1 - open, fmt::format("{:#x}", label->second));
  }
  return text;
}

class Reader {
 public:
  explicit Reader(const std::string& ownFile) : places_({std::filesystem::path(ownFile).filename()}) {}

  void line(std::string_view raw) {
    const std::string_view text = trimmed(raw);
    if (text.starts_with("//## ")) return place(text);
    if (text.starts_with("/*")) return instruction(text);
    if (text.starts_with(".section\t") || text.starts_with(".section "))
      return section(trimmed(text.substr(8)));
    if (text.starts_with(".target")) {
      architecture_ = trimmed(text.substr(7));
      architecture_ = architecture_.substr(0, architecture_.find_first_of(", \t"));
    } else if (text.starts_with(".headerflags")) {
      headerFlags(text);
    } else if (text.ends_with(":") && open_) {
      current_.pending.emplace_back(text.substr(0, text.size() - 1));
    }
  }

  std::vector<Listing> finish() {
    close();
    return std::move(listings_);
  }

 private:
  /// Older binaries name their architecture in these flags: EF_CUDA_SM90, and EF_CUDA_ACCELERATORS for its
  /// "a".
  void headerFlags(std::string_view text) {
    const auto at = text.find("EF_CUDA_SM");
    if (at == std::string_view::npos) return;
    if (const auto version = number(text.substr(at + 10), 10))
      architecture_ = fmt::format("sm_{}{}", *version,
                                  text.find("EF_CUDA_ACCELERATORS") == std::string_view::npos ? "" : "a");
  }

  void section(std::string_view text) {
    close();
    const std::string_view name = text.substr(0, text.find(','));
    open_ = name.starts_with(".text.");
    if (!open_) return;
    current_ = {};
    current_.listing.function = name.substr(6);
    current_.listing.kernel = shortKernelName(current_.listing.function);
    places_.clear();
  }

  void place(std::string_view text) {
    if (auto found = placeIn(text)) places_.add(*std::move(found));
  }

  void instruction(std::string_view text) {
    const auto end = text.find("*/");
    if (!open_ || end == std::string_view::npos) return;
    const auto offset = number(text.substr(2, end - 2), 16);
    if (!offset) return;
    for (std::string& label : current_.pending) current_.labels.emplace(std::move(label), *offset);
    current_.pending.clear();
    std::string_view words = trimmed(text.substr(end + 2));
    while (words.ends_with(';') || words.ends_with(' ')) words.remove_suffix(1);
    Instruction made;
    made.offset = *offset;
    made.text = words;
    places_.locate(made);
    current_.listing.instructions.push_back(std::move(made));
  }

  void close() {
    if (!std::exchange(open_, false)) return;
    auto& instructions = current_.listing.instructions;
    // These fill the section up to its alignment and are never reached.
    while (!instructions.empty() && instructions.back().text == "NOP") instructions.pop_back();
    for (Instruction& each : instructions) each.text = withOffsets(std::move(each.text), current_);
    current_.listing.architecture = architecture_;
    if (!instructions.empty()) listings_.push_back(std::move(current_.listing));
  }

  std::string architecture_;
  /// The text is within a section of code.
  bool open_ = false;
  Section current_;
  SourcePlaces places_;
  std::vector<Listing> listings_;
};

/// The disassemblers of the toolkit and of PATH, then that of Triton's package.
std::vector<std::filesystem::path> disassemblers() {
  std::vector<std::filesystem::path> found = toolkitPrograms("nvdisasm");
  const Result<std::filesystem::path> python = findPython();
  if (!python) return found;
  for (const auto& folder : packageFolders(python->parent_path().parent_path()))
    for (const char* place : {"nvidia/cu13/bin/nvdisasm", "triton/backends/nvidia/bin/nvdisasm"})
      if (isProgram(folder / place)) found.push_back(folder / place);
  return found;
}

/// The number between the first two bars behind "//": the count of general registers in a line of life
/// ranges.
std::optional<int> liveRegisters(std::string_view line) {
  const auto comment = line.rfind("// |");
  if (comment == std::string_view::npos) return std::nullopt;
  const auto count = number(trimmed(line.substr(comment + 4)), 10);
  return count ? std::optional(static_cast<int>(*count)) : std::nullopt;
}

}  // namespace

void addLiveRegisters(std::vector<Listing>& listings, std::string_view text) {
  Listing* function = nullptr;
  std::size_t next = 0;
  for (const std::string_view raw : splitLines(text)) {
    const std::string_view line = trimmed(raw);
    if (line.starts_with(".section")) {
      const auto name = line.find(".text.");
      const std::string_view rest = name == std::string_view::npos ? "" : line.substr(name + 6);
      const auto found = std::find_if(listings.begin(), listings.end(), [&](const Listing& one) {
        return !rest.empty() && one.function == rest.substr(0, rest.find(','));
      });
      function = found == listings.end() ? nullptr : &*found;
      next = 0;
    } else if (function != nullptr && line.starts_with("/*")) {
      const auto offset = number(line.substr(2), 16);
      auto& all = function->instructions;
      while (offset && next < all.size() && all[next].offset < *offset) ++next;
      if (offset && next < all.size() && all[next].offset == *offset)
        all[next].live = liveRegisters(raw).value_or(0);
    }
  }
}

std::vector<Listing> parseDisassembly(std::string_view text, const std::string& ownFile) {
  Reader reader(ownFile);
  for (const std::string_view line : splitLines(text)) reader.line(line);
  return reader.finish();
}

Result<std::vector<Listing>> disassemble(std::string_view cubin, const std::string& ownFile) {
  const auto programs = disassemblers();
  if (programs.empty())
    return Error{Stage::profile, "There is no nvdisasm",
                 "install Triton (pip install triton) or the CUDA toolkit, or put nvdisasm into PATH"};
  const Result<TemporaryFile> file = TemporaryFile::make(cubin);
  if (!file)
    return Error{Stage::profile, "The binary cannot be given to nvdisasm: " + file.error().text,
                 file.error().hint};
  Error last;
  for (const auto& program : programs) {  // one may be too old for the architecture; then the next is tried
    const auto ran = runToEnd(Command{{program.string(), "-gi", "-c", "-ndf", file->path().string()}, {}, {}},
                              deadline, {}, mostOutput);
    if (ran && ran->ok() && !ran->cut) {
      std::vector<Listing> listings = parseDisassembly(ran->out, ownFile);
      // It tells them only by itself, and not of every binary; then they stay unknown.
      const auto live =
          runToEnd(Command{{program.string(), "-c", "-plr", "-lrm", "count", file->path().string()}, {}, {}},
                   deadline, {}, mostOutput);
      if (live && live->ok() && !live->cut) addLiveRegisters(listings, live->out);
      return listings;
    }
    last = ran ? Error{Stage::profile, fmt::format("{} ended with {}: {}", program.string(),
                                                   describe(ran->ending), ran->err.substr(0, 500))}
               : ran.error();
  }
  return last;
}

}  // namespace wb
