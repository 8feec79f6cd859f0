// SPDX-License-Identifier: Apache-2.0
// What the margins of a listing and of its source show.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/base/quantity.h"
#include "core/figures/cells.h"
#include "core/figures/code/code_listing.h"
#include "core/figures/profile/profile_facts.h"

namespace wb {
namespace {

Stalls allStalls(const CodeListing& listing) {
  Stalls sum;
  for (const CodeForm& form : listing.forms)
    for (const auto& [row, stalls] : form.stalls)
      for (const auto& [reason, samples] : stalls) sum[reason] += samples;
  return sum;
}

/// Reasons with samples, most first.
std::vector<std::pair<std::string, std::int64_t>> mostFirst(const Stalls& stalls) {
  std::vector<std::pair<std::string, std::int64_t>> list(stalls.begin(), stalls.end());
  std::erase_if(list, [](const auto& one) { return one.second == 0; });
  std::stable_sort(list.begin(), list.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  return list;
}

std::string detailOf(const Stalls& stalls) {
  const auto all = static_cast<double>(totalSamples(stalls));
  std::string detail = plural(totalSamples(stalls), "sample", "samples");
  for (const auto& [reason, samples] : mostFirst(stalls))
    detail += fmt::format("\n{} {}", formatPercent(static_cast<double>(samples) / all), stallText(reason));
  return detail;
}

/// Margins have room for six characters, and nobody needs to know how little less than that it is.
std::string marginText(double share) {
  if (share < 1e-4) return "<0.01 %";
  return share < 1e-3 ? fmt::format("{:.2f} %", share * 100) : formatPercent(share);
}

/// A row's or line's samples, or those of one reason, as a share of all samples of the case.
template <class Key>
void addSampleMarks(std::map<Key, CodeMark>& marks, const std::map<Key, Stalls>& all, double samples,
                    std::string_view counter) {
  for (const auto& [key, stalls] : all) {
    const auto reason = stalls.find(std::string(counter));
    const std::int64_t here = counter == "samples"     ? totalSamples(stalls)
                              : reason == stalls.end() ? 0
                                                       : reason->second;
    if (here == 0 || samples <= 0) continue;
    const double share = static_cast<double>(here) / samples;
    marks[key] = {marginText(share), share, detailOf(stalls)};
  }
}

/// Numbers instead of shares: the warmest is the largest.
template <class Key>
void addCountMarks(std::map<Key, CodeMark>& marks, const std::map<Key, std::int64_t>& counts,
                   std::string_view one, std::string_view many) {
  std::int64_t most = 0;
  for (const auto& [key, count] : counts) most = std::max(most, count);
  for (const auto& [key, count] : counts)
    if (count > 0)
      marks[key] = {formatCount(count), static_cast<double>(count) / static_cast<double>(most),
                    plural(count, std::string(one), std::string(many))};
}

}  // namespace

std::vector<CodeCounter> codeCounters(const CodeListing& listing, const CodeForm& form) {
  std::vector<CodeCounter> counters;
  if (listing.samples > 0) {
    counters.push_back({"samples", "Samples", "Share of the samples of the program counter", "% samples"});
    for (const auto& [reason, samples] : mostFirst(allStalls(listing))) {
      const std::string text = stallText(reason);
      std::string title = text.substr(0, text.find(':'));
      if (!title.empty() && title[0] >= 'a' && title[0] <= 'z') title[0] = static_cast<char>(title[0] - 32);
      counters.push_back({reason, std::move(title), text, "% samples"});
    }
  }
  if (std::any_of(form.rows.begin(), form.rows.end(), [](const CodeRow& row) { return row.live > 0; }))
    counters.push_back({"live", "Live registers", "How many general registers are in use", "registers"});
  counters.push_back({"rows", "Instructions", "How many instructions were made for a line", "instr."});
  return counters;
}

std::map<std::size_t, CodeMark> rowMarks(const CodeListing& listing, const CodeForm& form,
                                         std::string_view counter) {
  std::map<std::size_t, CodeMark> marks;
  if (counter == "live") {
    std::map<std::size_t, std::int64_t> live;
    for (std::size_t i = 0; i < form.rows.size(); ++i) live[i] = form.rows[i].live;
    addCountMarks(marks, live, "register is in use", "registers are in use");
  } else if (counter != "rows") {
    addSampleMarks(marks, form.stalls, static_cast<double>(listing.samples), counter);
  }
  return marks;
}

std::map<int, CodeMark> lineMarks(const CodeListing& listing, const CodeForm& form,
                                  std::string_view counter) {
  std::map<int, CodeMark> marks;
  std::map<int, std::int64_t> counts;
  if (counter == "rows" || counter == "live") {
    for (const CodeRow& row : form.rows) {
      if (row.line <= 0 || row.kind != CodeRowKind::instruction) continue;
      std::int64_t& count = counts[row.line];
      count = counter == "rows" ? count + 1 : std::max<std::int64_t>(count, row.live);
    }
    const bool rows = counter == "rows";
    addCountMarks(marks, counts, rows ? "instruction" : "register is in use at most",
                  rows ? "instructions" : "registers are in use at most");
    return marks;
  }
  std::map<int, Stalls> lines;
  for (const CodeForm& each : listing.forms)
    for (const auto& [row, stalls] : each.stalls)
      if (const int line = each.rows[row].line; line > 0)
        for (const auto& [reason, samples] : stalls) lines[line][reason] += samples;
  addSampleMarks(marks, lines, static_cast<double>(listing.samples), counter);
  return marks;
}

}  // namespace wb
