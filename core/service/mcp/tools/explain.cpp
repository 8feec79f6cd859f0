// SPDX-License-Identifier: Apache-2.0
#include "core/service/mcp/tools/explain.h"

#include <fmt/format.h>

#include <charconv>
#include <optional>
#include <string_view>
#include <utility>

#include "core/base/cut_text.h"
#include "core/base/text.h"
#include "core/figures/cases/details.h"
#include "core/figures/cells.h"
#include "core/figures/figures.h"
#include "core/figures/text/text.h"
#include "core/service/mcp/tools/bounded.h"

namespace wb {
namespace {

constexpr std::size_t mostElements = 12, mostMapLines = 40, mostMapBytes = 4000;
constexpr std::size_t longestMessageHere = 3000, longestTraceHere = 4000, longestArguments = 1500;

bool isFailure(const CaseRow& row) {
  return row.check.verdict != Verdict::notRun && tally(row.check.verdict) == Tally::fail;
}

std::optional<std::size_t> numberIn(std::string_view text) {
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc{} && end == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

Error noSuchCase(std::string text, std::string hint) {
  return {Stage::job, std::move(text), std::move(hint)};
}

void addMismatchAdvice(std::vector<std::string>& advice, const CaseRow& row) {
  if (const auto& errors = row.check.errors) {
    if (!errors->cluster.empty())
      advice.emplace_back(
          "The wrong elements form a pattern, so look at the index arithmetic there first: the last block, "
          "the "
          "mask of a ragged edge, the stride of that dimension.");
    if (errors->elements > 0 && errors->mismatches == errors->elements)
      advice.emplace_back("Every element is wrong, so it is the formula or an argument, and no edge.");
    if (errors->oracleAbs && errors->oracleReferenceAbs &&
        *errors->oracleAbs <= 2 * *errors->oracleReferenceAbs)
      advice.emplace_back(
          "Against float64 the kernel is about as good as the reference; only the tolerance "
          "between the two is missed.");
  }
  if (!layoutOf(row.definition.args).empty())
    advice.emplace_back(
        "An input is not contiguous; the kernel has to follow its strides, or make it "
        "contiguous first.");
  if (row.definition.dtype == "f16" || row.definition.dtype == "bf16")
    advice.emplace_back("Sums of 16-bit numbers have to be kept in float32 and rounded once at the end.");
  if (row.check.varies)
    advice.emplace_back(
        "The same input gave other bits the second time: look for a race, or for memory that "
        "is read before it is written.");
}

}  // namespace

Result<CaseKey> caseNamed(const Report& report, const std::string& id) {
  if (id.empty()) {
    for (std::size_t k = 0; k < report.kernels.size(); ++k)
      for (std::size_t i = 0; i < report.kernels[k]->cases.size(); ++i)
        if (isFailure(report.kernels[k]->cases[i])) return CaseKey{k, i};
    return noSuchCase("no case of this run failed",
                      "a kernel that did not compile has no cases; read_run says what happened");
  }
  const std::size_t slash = id.find('/');
  const auto kernel = numberIn(std::string_view(id).substr(0, slash));
  const auto index =
      slash == std::string::npos ? std::nullopt : numberIn(std::string_view(id).substr(slash + 1));
  if (kernel && index && *kernel < report.kernels.size() && *index < report.kernels[*kernel]->cases.size())
    return CaseKey{*kernel, *index};
  return noSuchCase(fmt::format("the run has no case '{}'", id.substr(0, 40)),
                    "a case is named by its kernel's number and its own, both from 0: 0/3");
}

std::string madeFrom(const Case& definition) {
  const std::string& values = definition.values;
  if (values.empty()) return "Its tensors are drawn from the case's seed.";
  if (values == "own") return "Its tensors come from the problem's get_inputs().";
  if (values.starts_with("stored:")) return "Its tensors are PyTorch's own samples for the operator.";
  return fmt::format("Its tensors are drawn from the case's seed, and then '{}' values are put in.", values);
}

std::vector<std::string> whatToTry(const CaseRow& row) {
  std::vector<std::string> advice;
  switch (row.check.verdict) {
    case Verdict::mismatch:
      addMismatchAdvice(advice, row);
      break;
    case Verdict::wrongShape:
    case Verdict::wrongDtype:
    case Verdict::wrongCount:
    case Verdict::wrongDevice:
      advice.emplace_back(
          "Make the output from the input's own sizes, dtype and device, and follow the "
          "operator's rules of promotion and of empty and zero-dimensional tensors.");
      break;
    case Verdict::threw:
      advice.emplace_back(
          "The kernel raised an error; its last lines are above. Cases that it does not mean "
          "to support fail too.");
      break;
    case Verdict::crashed:
      advice.emplace_back(
          "The process ended: look for an access out of bounds, a tensor that is not on the "
          "device that the code thinks, or a tensor that is gone when it is read.");
      break;
    case Verdict::hung:
      advice.emplace_back(
          "It did not come back: look for a loop whose end depends on a size of 0 or 1, or for "
          "a barrier that not all threads reach.");
      break;
    case Verdict::changedInput:
      advice.emplace_back("It writes into an input; write the answer into a tensor of its own.");
      break;
    case Verdict::quarantined:
      advice.emplace_back(
          "It was not run, since the kernel ended its worker too often before; mend the cases "
          "that crashed.");
      break;
    case Verdict::notRun:
    case Verdict::pass:
    case Verdict::refused:
    case Verdict::invalid:
    case Verdict::missing:
    case Verdict::tampered:
      break;
  }
  advice.emplace_back("Run it alone with the argument 'cases' until it passes, then the whole suite again.");
  return advice;
}

std::string explainCase(const Report& report, CaseKey key) {
  const CaseRow& row = report.kernels[key.kernel]->cases[key.index];
  const auto details = detailsOf(report, fmt::format("{}/{}", key.kernel, key.index));
  std::string text = fmt::format("# {}: {}\n\n", details->title, details->verdict);
  if (!details->message.empty()) text += fenced(cutText(details->message, longestMessageHere)) + "\n";
  text += fmt::format("Case {}/{}. {}", key.kernel, key.index, madeFrom(row.definition));
  if (const std::string_view layout = layoutOf(row.definition.args); !layout.empty())
    text += fmt::format(" A tensor of it is {}.", layout);
  if (row.check.rtol > 0 || row.check.atol > 0)
    text += fmt::format(" Tolerance: {}.", toleranceText(row.check.rtol, row.check.atol));
  text += "\n\nIts operator and arguments, as 'op' and 'cases' of run_kernel take them:\n\n" +
          fenced(row.definition.op + "\n" + cutText(row.definition.args, longestArguments));
  if (const Table elements = elementsTable(report, key); !elements.rows.empty()) {
    const FigurePart part = markdownPart(elements, 0, mostElements, 1);
    text += "\n" + part.markdown;
    if (part.shown < part.rows)
      text += fmt::format("\nOf the elements that are kept {} are shown here.\n", part.shown);
  }
  if (const CellMaps maps = errorMaps(report, key); !maps.maps.empty()) {
    const std::string drawn = toText(maps, {.width = 100});
    std::vector<std::string> lines;
    for (const std::string_view line : splitLines(drawn)) lines.emplace_back(line);
    text += "\n" + fenced(linesPart(lines, 0, mostMapLines, mostMapBytes).text);
  }
  if (!details->trace.empty()) text += "\n" + fenced(cutText(details->trace, longestTraceHere));
  text += "\n## What to try\n\n";
  for (const std::string& advice : whatToTry(row)) text += "- " + advice + "\n";
  return cutText(std::move(text), longestAnswer);
}

}  // namespace wb
