// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "core/base/quantity.h"
#include "core/figures/cells.h"
#include "core/figures/columns.h"
#include "core/figures/figures.h"
#include "core/model/wrong_elements.h"

namespace wb {

namespace {

/// So many elements of each case are shown where several cases are.
constexpr std::size_t elementsOfMany = 32;
constexpr const char* noElements =
    "No case failed with wrong elements. Of the first failing cases of a kernel every one tells its own.";

struct ElementLine {
  const ElementPair& element;
  const std::vector<std::int64_t>& shape;
  std::string label;
};

const std::vector<ColumnOf<ElementLine>>& elementColumns() {
  using Kind = ColumnKind;
  using Line = const ElementLine&;
  static const std::vector<ColumnOf<ElementLine>> columns = {
      {{.key = "case", .title = "Case", .meaning = "The case that failed", .kind = Kind::group},
       [](Line line) { return textCell(line.label); }},
      {{.key = "element", .title = "Element", .meaning = "Its place in the output", .kind = Kind::name},
       [](Line line) {
         Cell cell = textCell(placeText(line.element.at, line.shape));
         cell.sort = static_cast<double>(line.element.at);
         return cell;
       }},
      {{.key = "expected", .title = "Expected", .meaning = "What the reference gives", .kind = Kind::code},
       [](Line line) { return textCell(line.element.expected); }},
      {{.key = "got", .title = "Got", .meaning = "What the kernel gives", .kind = Kind::code},
       [](Line line) {
         return textCell(line.element.actual, line.element.wrong ? Tone::bad : Tone::neutral);
       }},
      {{.key = "difference",
        .title = "Difference",
        .meaning = "How far the two are apart",
        .kind = Kind::number,
        .better = Better::lower},
       [](Line line) {
         return errorCell(line.element.difference, line.element.wrong ? Tone::bad : Tone::neutral);
       }},
      {{.key = "exact",
        .title = "Float64",
        .meaning = "What the reference gives when it computes in float64",
        .kind = Kind::code,
        .rank = 1},
       [](Line line) { return textCell(line.element.exact, Tone::muted); }},
  };
  return columns;
}

/// Calls visit(row id, row) for the one case, or for all, that tell their wrong elements.
template <class Visit>
void forEachTelling(const Report& report, OneCase only, Visit visit) {
  const auto look = [&](CaseKey key, const CaseRow& row) {
    if (row.check.wrong && isSound(**row.check.wrong)) visit(key, row);
  };
  if (only) {
    if (only->kernel < report.kernels.size() && only->index < report.kernels[only->kernel]->cases.size())
      look(*only, report.kernels[only->kernel]->cases[only->index]);
    return;
  }
  for (std::size_t k = 0; k < report.kernels.size(); ++k)
    forEachCase(*report.kernels[k], [&](std::size_t index, const CaseRow& row) { look({k, index}, row); });
}

std::string labelOf(const Report& report, CaseKey key, const CaseRow& row) {
  std::string label = caseLabel(row.definition);
  if ((*row.check.wrong)->output > 0) label = fmt::format("out{} of {}", (*row.check.wrong)->output, label);
  return report.kernels.size() > 1 ? kernelLabel(report, key.kernel) + ": " + label : label;
}

std::string wordsOf(const CaseCheck& check) {
  if (!check.errors) return "Some elements are wrong.";
  const ErrorFigures& errors = *check.errors;
  std::string words =
      fmt::format("{} of {} {} wrong", formatCount(errors.mismatches),
                  plural(errors.elements, "element", "elements"), errors.mismatches == 1 ? "is" : "are");
  return words + (errors.cluster.empty() ? "." : fmt::format(": {}.", errors.cluster));
}

}  // namespace

Table elementsTable(const Report& report, OneCase only) {
  TableOf<ElementLine> table("elements", "Wrong elements",
                             only ? without(elementColumns(), "case") : elementColumns());
  forEachTelling(report, only, [&](CaseKey key, const CaseRow& row) {
    const WrongElements& wrong = **row.check.wrong;
    const std::string label = labelOf(report, key, row);
    std::vector<const ElementPair*> order;
    for (const ElementPair& element : wrong.elements) order.push_back(&element);
    std::stable_partition(order.begin(), order.end(), [](const ElementPair* one) { return one->wrong; });
    if (!only && order.size() > elementsOfMany) order.resize(elementsOfMany);
    for (const ElementPair* element : order)
      table.add(fmt::format("{}/{}#{}", key.kernel, key.index, element->at), {*element, wrong.shape, label});
  });
  return std::move(table).take(noElements);
}

CellMaps errorMaps(const Report& report, OneCase only) {
  CellMaps maps{"error-maps", "Where the errors lie", {}, {}};
  forEachTelling(report, only, [&](CaseKey key, const CaseRow& row) {
    const WrongElements& wrong = **row.check.wrong;
    maps.maps.push_back({fmt::format("{}/{}", key.kernel, key.index), labelOf(report, key, row),
                         wordsOf(row.check), wrong.shape, wrong.cells, wrong.map});
  });
  if (maps.maps.empty()) maps.empty = noElements;
  return maps;
}

std::vector<CaseKey> casesWithElements(const Report& report) {
  std::vector<CaseKey> keys;
  forEachTelling(report, {}, [&](CaseKey key, const CaseRow&) { keys.push_back(key); });
  return keys;
}

}  // namespace wb
