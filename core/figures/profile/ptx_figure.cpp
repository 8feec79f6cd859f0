// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <string>
#include <string_view>

#include "core/base/text.h"
#include "core/figures/cells.h"
#include "core/figures/code/code_text.h"
#include "core/figures/columns.h"
#include "core/figures/profile/profile_figures.h"

namespace wb {
namespace {

struct PtxLine {
  const KernelReport& kernel;
  const std::string& label;
  std::string text;
  const Place& place;
};

Cell textOf(const PtxLine& line) {
  const std::string_view text = trimmed(line.text);
  const bool isQuiet = text.starts_with(".") || text.starts_with("//");
  return textCell(line.text, isQuiet ? Tone::muted : Tone::neutral);
}

const std::vector<ColumnOf<PtxLine>>& ptxColumns() {
  using Kind = ColumnKind;
  static const std::vector<ColumnOf<PtxLine>> columns = {
      {{.key = "function",
        .title = "Function",
        .meaning = "Compiled form that it belongs to",
        .kind = Kind::group,
        .rank = 2},
       [](const PtxLine& line) { return textCell(line.label, Tone::muted); }},
      {{.key = "text", .title = "PTX", .meaning = "As the compiler wrote it", .kind = Kind::code}, textOf},
      {{.key = "place",
        .title = "Line",
        .meaning = "Line of the source that it was made for",
        .kind = Kind::place},
       [](const PtxLine& line) { return line.place.line > 0 ? lineCell(line.kernel, line.place) : Cell{}; }},
  };
  return columns;
}

/// PTX of one compiled form: of a kernel that was compiled ahead, or of one that Triton compiled at its first
/// launch.
struct Form {
  std::string name, dtype;
  const std::string* text = nullptr;
};

std::vector<Form> formsOf(const KernelReport& kernel) {
  std::vector<Form> forms;
  if (kernel.compiled)
    for (const Artifact& artifact : kernel.compiled->artifacts)
      forms.push_back({artifact.name, artifact.dtype, &artifact.assembly});
  for (const Listing& listing : kernel.listings)
    if (listing.kind == ListingKind::ptx) forms.push_back({listing.kernel, listing.dtype, &listing.text});
  std::erase_if(forms, [](const Form& form) { return form.text->empty(); });
  return forms;
}

/// The form's name and dtype, with the kernel's where there are several; "" for the only one.
std::string labelOf(const Report& report, std::size_t kernel, const Form& form, bool several) {
  if (!several) return {};
  const std::string label = form.name + (form.dtype.empty() ? "" : " " + form.dtype);
  return report.kernels.size() > 1 ? kernelLabel(report, kernel) + ": " + label : label;
}

}  // namespace

Table ptxTable(const Report& report, OneCase only) {
  TableOf<PtxLine> table("ptx", "PTX of the candidate", ptxColumns());
  for (std::size_t k = 0; k < report.kernels.size(); ++k) {
    const KernelReport& kernel = *report.kernels[k];
    if (only && only->kernel != k) continue;
    const std::vector<Form> forms = formsOf(kernel);
    const bool several = forms.size() > 1 || (!only && report.kernels.size() > 1);
    for (std::size_t i = 0; i < forms.size(); ++i) {
      const std::string label = labelOf(report, k, forms[i], several);
      int count = 0;
      for (const CodeLine& line : codeLines(ListingKind::ptx, *forms[i].text, kernel.source.path))
        if (label.empty() || !trimmed(line.text).empty())
          table.add(fmt::format("{}/{}/{}", k, i, ++count), {kernel, label, line.text, line.place},
                    line.place);
    }
  }
  return std::move(table).take("This kernel has no PTX: its language has none, or it was not compiled yet");
}

}  // namespace wb
