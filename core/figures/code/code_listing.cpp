// SPDX-License-Identifier: Apache-2.0
#include "core/figures/code/code_listing.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "core/base/text.h"
#include "core/figures/code/code_text.h"
#include "core/figures/code/readable_names.h"
#include "core/figures/profile/profile_facts.h"

namespace wb {
namespace {

std::string_view languageOf(ListingKind kind) {
  switch (kind) {
    case ListingKind::sass:
      return "SASS";
    case ListingKind::ptx:
      return "PTX";
    case ListingKind::ttir:
      return "Triton IR";
    case ListingKind::ttgir:
      return "TritonGPU IR";
    case ListingKind::llir:
      return "LLVM IR";
    case ListingKind::host:
      return "x86-64";
  }
  return "";
}

CodeRowKind kindOf(ListingKind kind, std::string_view whole) {
  const std::string_view text = trimmed(whole);
  if (kind == ListingKind::sass) return text == "NOP" ? CodeRowKind::nop : CodeRowKind::instruction;
  if (kind == ListingKind::host)
    return text.find("nop") != std::string_view::npos ? CodeRowKind::nop : CodeRowKind::instruction;
  if (text.empty() || text.starts_with("//") || text.starts_with(";")) return CodeRowKind::comment;
  if (kind == ListingKind::ptx) {
    if (text.starts_with(".")) return CodeRowKind::directive;
    return text.ends_with(":") ? CodeRowKind::label : CodeRowKind::instruction;
  }
  if (kind == ListingKind::llir) {
    const bool declares = text.starts_with("declare") || text.starts_with("source_filename") ||
                          text.starts_with("target ") || text.starts_with("attributes");
    if (declares) return CodeRowKind::directive;
    return text.find(':') == text.find_first_of(" :;") && text.find(':') != std::string_view::npos
               ? CodeRowKind::label
               : CodeRowKind::instruction;
  }
  if (text.starts_with("#")) return CodeRowKind::directive;
  return text.starts_with("^") ? CodeRowKind::label : CodeRowKind::instruction;
}

class Builder {
 public:
  Builder(const Report& report, OneCase only, std::size_t index)
      : kernel_(*report.kernels[index]), cases_(casesWithData(report, only)) {
    std::erase_if(cases_, [&](const ProfiledCase& one) { return one.at.kernel != index; });
    if (cases_.size() > 1) cases_.erase(cases_.begin() + 1, cases_.end());
  }

  void into(CodeListing& made) {
    for (const ProfiledCase& one : cases_) made.samples += samplesOf(one.profile->candidate);
    for (const Listing& listing : kernel_.listings) made.forms.push_back(formOf(listing));
    if (kernel_.compiled)
      for (const Artifact& artifact : kernel_.compiled->artifacts)
        if (!artifact.assembly.empty()) made.forms.push_back(formOf(artifact));
  }

 private:
  [[nodiscard]] CodeForm formOf(const Listing& listing) const {
    CodeForm form;
    form.kind = listing.kind;
    form.language = languageOf(listing.kind);
    form.function = listing.kernel.empty() ? listing.function : listing.kernel;
    form.dtype = listing.dtype.empty() ? dtypeOf(listing) : listing.dtype;
    form.architecture = listing.architecture;
    addText(form, listing.text);
    for (const Instruction& each : listing.instructions) {
      Place place;
      if (each.line > 0) place = {each.file.empty() ? kernel_.source.path : each.file, each.line, 0};
      addRow(form, each.text, place);
      form.rows.back().address = fmt::format("{:04x}", each.offset);
      form.rows.back().live = each.live;
    }
    addSamples(form, listing);
    return form;
  }

  [[nodiscard]] CodeForm formOf(const Artifact& artifact) const {
    CodeForm form;
    form.kind = ListingKind::ptx;
    form.language = languageOf(form.kind);
    form.function = nameOf(artifact.name);
    form.dtype = artifact.dtype;
    form.architecture = artifact.architecture;
    addText(form, artifact.assembly);
    return form;
  }

  /// The name under which machine code of the function is listed, so that both are found by one name.
  [[nodiscard]] std::string nameOf(const std::string& function) const {
    for (const Listing& one : kernel_.listings)
      if (one.function == function && !one.kernel.empty()) return one.kernel;
    return function;
  }

  /// Of recordings that do not know it: forms are listed in the order in which they were compiled.
  [[nodiscard]] std::string dtypeOf(const Listing& listing) const {
    if (!kernel_.compiled || listing.kind != ListingKind::sass) return {};
    std::vector<const Listing*> forms;
    for (const Listing& one : kernel_.listings)
      if (one.function == listing.function && one.kind == listing.kind) forms.push_back(&one);
    std::vector<std::string> dtypes;
    for (const Artifact& artifact : kernel_.compiled->artifacts)
      if (artifact.name == listing.function && !artifact.dtype.empty()) dtypes.push_back(artifact.dtype);
    if (dtypes.size() != forms.size()) return {};
    return dtypes[static_cast<std::size_t>(std::find(forms.begin(), forms.end(), &listing) - forms.begin())];
  }

  void addText(CodeForm& form, std::string_view text) const {
    if (text.empty()) return;
    for (const CodeLine& line : codeLines(form.kind, text, kernel_.source.path))
      addRow(form, line.text, line.place);
  }

  void addRow(CodeForm& form, const std::string& text, const Place& place) const {
    CodeRow row;
    row.text = withReadableNames(text);
    row.kind = kindOf(form.kind, text);
    if (place.line > 0 && place.file == kernel_.source.path)
      row.line = place.line;
    else if (place.line > 0)
      row.library = fmt::format("{}:{}", fileNameOf(place.file), place.line);
    form.rows.push_back(std::move(row));
  }

  /// Samples belong to the form of a function that ran, where it was compiled for several dtypes.
  void addSamples(CodeForm& form, const Listing& listing) const {
    std::map<std::uint64_t, std::size_t> rows;
    for (std::size_t i = 0; i < listing.instructions.size(); ++i) rows[listing.instructions[i].offset] = i;
    for (const ProfiledCase& one : cases_) {
      if (SampledCode(one).of(listing.function) != &listing) continue;
      for (const PcSample& sample : one.profile->candidate.samples) {
        const auto row = rows.find(sample.offset);
        if (sample.function != listing.function || row == rows.end()) continue;
        addStalls(form.stalls[row->second], sample);
        form.samples += samplesOf(sample);
      }
    }
  }

  const KernelReport& kernel_;
  std::vector<ProfiledCase> cases_;
};

/// The lines of the own source that a form has code for.
std::size_t linesOf(const CodeForm& form) {
  std::set<int> lines;
  for (const CodeRow& row : form.rows)
    if (row.line > 0) lines.insert(row.line);
  return lines.size();
}

}  // namespace

CodeListing codeListing(const Report& report, OneCase only) {
  CodeListing made;
  const std::size_t kernel = only ? only->kernel : 0;
  if (kernel < report.kernels.size()) {
    made.path = report.kernels[kernel]->source.path;
    made.source = report.kernels[kernel]->source.text;
    made.startedAt = report.startedAt;
    made.device = report.target.device;
    Builder(report, only, kernel).into(made);
  }
  if (made.forms.empty()) made.empty = whyEmpty(report, Need::listing, only);
  return made;
}

std::size_t firstForm(const CodeListing& listing) {
  std::size_t best = 0;
  std::pair<std::int64_t, std::size_t> most{-1, 0};
  for (std::size_t i = 0; i < listing.forms.size(); ++i) {
    const CodeForm& form = listing.forms[i];
    const bool machine = form.kind == ListingKind::sass || form.kind == ListingKind::host;
    const std::pair<std::int64_t, std::size_t> here{form.samples, machine ? linesOf(form) : 0};
    if (here > most) most = here, best = i;
  }
  return best;
}

CodeForm sourceForm(const CodeListing& listing) {
  CodeForm form;
  form.language = "Source";
  form.function = std::string(fileNameOf(listing.path));
  int number = 0;
  for (const std::string_view line : splitLines(listing.source)) {
    CodeRow row;
    row.text = line;
    row.line = ++number;
    row.address = std::to_string(number);
    form.rows.push_back(std::move(row));
  }
  return form;
}

std::vector<PairedRow> pairRows(const CodeForm& before, const CodeForm& after) {
  const auto textsOf = [](const CodeForm& form) {
    std::vector<std::string> texts;
    for (const CodeRow& row : form.rows) {
      // "BRA 0x240", "jne 0x1c"
      const std::size_t at = form.kind == ListingKind::sass || form.kind == ListingKind::host
                                 ? row.text.find(" 0x")
                                 : std::string::npos;
      const bool jumps = at != std::string::npos && row.text.find(',') == std::string::npos;
      texts.push_back(jumps ? row.text.substr(0, at) : row.text);
    }
    return texts;
  };
  const std::vector<std::string> first = textsOf(before), second = textsOf(after);
  const std::vector<std::string_view> a(first.begin(), first.end()), b(second.begin(), second.end());
  std::vector<PairedRow> pairs;
  std::size_t i = 0, j = 0;
  const auto same = [&](std::size_t until) {
    while (i < until) pairs.push_back({i++, j++});
  };
  for (const DiffHunk& hunk : diffLines(a, b)) {
    same(hunk.before);
    for (const std::size_t end = hunk.before + hunk.removed; i < end;)
      pairs.push_back({i++, PairedRow::none});
    for (const std::size_t end = hunk.after + hunk.added; j < end;) pairs.push_back({PairedRow::none, j++});
  }
  same(first.size());
  return pairs;
}

}  // namespace wb
