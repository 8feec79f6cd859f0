// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/diff.h"
#include "core/base/enum.h"
#include "core/figures/case_key.h"
#include "core/model/report.h"

namespace wb {

/// What a row of code is, for those who hide the noise.
WB_ENUM(CodeRowKind, instruction, label, directive, comment, nop);

struct CodeRow {
  std::string text;
  /// The address in the function as it is said: "01f0"; "" in texts.
  std::string address;
  /// The line of the kernel's own source that it was made for; 0 when unknown.
  int line = 0;
  /// The place where it was made for another file's line: "math.hpp:90".
  std::string library;
  CodeRowKind kind = CodeRowKind::instruction;
  /// How many general registers are in use there; 0 when unknown.
  int live = 0;
};

/// The code of one function in one language, for one dtype and architecture.
struct CodeForm {
  /// The language for people: "SASS", "PTX", "Triton IR", "x86-64", and "Source".
  std::string language;
  ListingKind kind = ListingKind::sass;
  /// The function for people; its dtype and architecture, which may be "".
  std::string function, dtype, architecture;
  std::vector<CodeRow> rows;
  /// The samples of its rows by reason, and their sum.
  std::map<std::size_t, std::map<std::string, std::int64_t>> stalls;
  std::int64_t samples = 0;
};

/// All code of a kernel, with what was sampled of one case.
struct CodeListing {
  /// The kernel's path as places name it, and its text when it was compiled.
  std::string path, source;
  /// When the run began, and on what.
  std::string startedAt, device;
  std::vector<CodeForm> forms;
  /// All samples of the case, those without a row too.
  std::int64_t samples = 0;
  /// Why there are no forms, and what to do; "" where there are some.
  std::string empty;
};
[[nodiscard]] CodeListing codeListing(const Report& report, OneCase only);

/// The form that is looked at first: the one with most samples, else the first of most lines of the source.
[[nodiscard]] std::size_t firstForm(const CodeListing& listing);

/// The kernel's source as a form, to be compared like code.
[[nodiscard]] CodeForm sourceForm(const CodeListing& listing);

/// Something that margins can show of each row and line.
struct CodeCounter {
  /// "samples", "live", "rows", or a stall's reason.
  std::string id;
  std::string title, meaning;
  /// What the numbers in the margins are of, in a word or two: "% samples".
  std::string unit;
};
/// What is known of this form: samples and their reasons first, most first.
[[nodiscard]] std::vector<CodeCounter> codeCounters(const CodeListing& listing, const CodeForm& form);

/// What a margin shows at one row or line.
struct CodeMark {
  std::string text;
  /// 0 to 1: how warm it is.
  double share = 0;
  /// Everything that is known, one thing per line.
  std::string detail;
  bool operator==(const CodeMark&) const = default;
};
/// By row; rows without a value have no mark.
[[nodiscard]] std::map<std::size_t, CodeMark> rowMarks(const CodeListing& listing, const CodeForm& form,
                                                       std::string_view counter);
/// By line of the kernel's own source, 1-based.
[[nodiscard]] std::map<int, CodeMark> lineMarks(const CodeListing& listing, const CodeForm& form,
                                                std::string_view counter);

/// A row of two forms side by side: one of both, or one that is only in the first or only in the second. A
/// row that a form lacks is `none`.
struct PairedRow {
  static constexpr std::size_t none = static_cast<std::size_t>(-1);
  std::size_t before = none, after = none;
  bool operator==(const PairedRow&) const = default;
};
/// What became of a form. Where a jump leads does not count, since it changes with every instruction before
/// it.
[[nodiscard]] std::vector<PairedRow> pairRows(const CodeForm& before, const CodeForm& after);

}  // namespace wb
