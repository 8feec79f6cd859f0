// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "core/base/quantity.h"
#include "core/figures/cells.h"
#include "core/figures/figures.h"
#include "core/model/languages.h"

namespace wb {

namespace {

Cell languageCell(const KernelReport& kernel) {
  const std::string& id = kernel.language.empty() ? kernel.source.language : kernel.language;
  const Language* language = findLanguage(id);
  if (id == "aten") return textCell("ATen", Tone::muted);
  return textCell(language == nullptr ? id : std::string(language->title));
}

/// Where the kernel is, or what it came to.
Cell stateCell(const Report& report, const KernelReport& kernel) {
  const Counts& counts = kernel.counts;
  if (kernel.failure) {
    const bool compile = kernel.failure->stage == Stage::compile;
    return textCell(compile ? "did not compile" : fmt::format("{} failed", name(kernel.failure->stage)),
                    Tone::bad, describe(*kernel.failure));
  }
  if (underWay(report, kernel)) return textCell(std::string(name(kernel.progress)), Tone::muted);
  if (kernel.compiled && !kernel.compiled->note.empty() && counts.checked == 0)
    return textCell("compiled", Tone::neutral, kernel.compiled->note);
  if (kernel.progress != Progress::done) return textCell(std::string(name(report.outcome)), Tone::warning);
  if (counts.failed > 0) return textCell("fails", Tone::bad);
  if (counts.passed > 0) return textCell("passes", Tone::good);
  return textCell(report.stages.has(Stage::check) ? "nothing counted" : "compiled", Tone::muted);
}

Cell passedCell(const Counts& counts) {
  const int scored = counts.passed + counts.failed;
  if (counts.total == 0) return {};
  Tone tone = counts.passed > 0 ? Tone::good : Tone::muted;
  if (counts.failed > 0) tone = Tone::bad;
  Cell cell = textCell(formatCount(counts.passed) + " of " + formatCount(scored), tone,
                       plural(counts.total, "case", "cases") + " in all");
  cell.sort = scored == 0 ? 0 : static_cast<double>(counts.passed) / scored;
  return cell;
}

Cell speedupCell(const Report& report, const KernelReport& kernel) {
  const std::vector<Speedup> timed = speedups(kernel);
  if (timed.empty()) return {};
  if (!scored(report, kernel))
    return textCell("not scored", Tone::bad,
                    "it crashed or hung in a case; its times are in the cases table");
  const SpeedupSummary summary = summarize(timed);
  return ratioCell(summary.geomean, toneOf(summary),
                   fmt::format("{} · faster on {} of {}", intervalText(summary.low, summary.high),
                               formatCount(summary.faster), formatCount(summary.cases)));
}

/// Why it failed in the compiler's own words where there are some; else what the compiler had to say.
std::string noteOf(const KernelReport& kernel) {
  if (!kernel.failure) return kernel.compiled ? kernel.compiled->note : std::string();
  if (kernel.failure->stage == Stage::compile)
    for (const Diagnostic& diagnostic : kernel.diagnostics)
      if (diagnostic.severity == Severity::error) return firstLine(diagnostic.message);
  return firstLine(kernel.failure->text);
}

std::string artifactsDetail(const std::vector<Artifact>& artifacts) {
  std::string detail;
  for (const Artifact& artifact : artifacts) {
    detail += detail.empty() ? "" : "\n";
    detail += artifact.name;
    if (!artifact.dtype.empty()) detail += " " + artifact.dtype;
    detail += fmt::format(": {} registers, {} spilled, {} shared, {} binary", artifact.registers,
                          formatBytes(artifact.spillLoads + artifact.spillStores),
                          formatBytes(static_cast<double>(artifact.sharedBytes)),
                          formatBytes(static_cast<double>(artifact.binaryBytes)));
  }
  return detail;
}

void addBuild(std::vector<Cell>& cells, const KernelReport& kernel) {
  if (!kernel.compiled) {
    cells.resize(cells.size() + 5);
    return;
  }
  const Compiled& compiled = *kernel.compiled;
  Cell build = secondsCell(compiled.seconds);
  if (compiled.cached) {
    build.tone = Tone::muted;
    build.detail = "taken from the build cache";
  }
  cells.push_back(std::move(build));
  cells.push_back(textCell(compiled.toolchain, Tone::muted));
  int registers = 0, spills = 0;
  std::int64_t shared = 0;
  for (const Artifact& artifact : compiled.artifacts) {
    registers = std::max(registers, artifact.registers);
    spills = std::max(spills, artifact.spillLoads + artifact.spillStores);
    shared = std::max(shared, artifact.sharedBytes);
  }
  if (registers == 0) {  // host code has none of these
    cells.resize(cells.size() + 3);
    return;
  }
  cells.push_back(countCell(registers));
  cells.back().detail = artifactsDetail(compiled.artifacts);
  Cell spilled = textCell(formatBytes(spills), spills > 0 ? Tone::warning : Tone::muted);
  spilled.sort = spills;
  cells.push_back(std::move(spilled));
  Cell sharedCell = textCell(formatBytes(static_cast<double>(shared)), Tone::muted);
  sharedCell.sort = static_cast<double>(shared);
  cells.push_back(std::move(sharedCell));
}

}  // namespace

Table kernelsTable(const Report& report) {
  Table table;
  table.id = "kernels";
  table.title = "Kernels";
  table.columns = {{"kernel", "Kernel", false, "File"},
                   {"language", "Language", false, "What it is written in", 3},
                   {"operator", "Operator", false, "ATen operator that it implements", 2},
                   {"state", "State", false, "Where it is, or what it came to"},
                   {"passed", "Passed", true, "Cases that pass, of those that count"},
                   {"speedup", "Speedup", true, "Geometric mean over the timed cases"},
                   {"build", "Build", true, "Time the compiler took", 3},
                   {"toolchain", "Toolchain", false, "Compiler and its version", 6},
                   {"registers", "Registers", true, "Per thread, of the compiled form with most", 4},
                   {"spills", "Spills", true, "Bytes per thread that did not fit the registers", 4},
                   {"shared", "Shared", true, "Static shared memory of a block", 5},
                   {"note", "Note", false, "What to know about it", 1}};
  for (std::size_t k = 0; k < report.kernels.size(); ++k) {
    const KernelReport& kernel = *report.kernels[k];
    std::vector<Cell> cells;
    cells.reserve(table.columns.size());
    cells.push_back(textCell(kernelLabel(report, k), Tone::neutral, kernel.source.path));
    cells.push_back(languageCell(kernel));
    cells.push_back(textCell(operatorLabel(kernelOperator(kernel)), Tone::neutral,
                             kernel.compiled ? kernel.compiled->schema : std::string()));
    cells.push_back(stateCell(report, kernel));
    cells.push_back(passedCell(kernel.counts));
    cells.push_back(speedupCell(report, kernel));
    addBuild(cells, kernel);
    cells.push_back(textCell(noteOf(kernel), Tone::muted, kernel.failure ? kernel.failure->hint : ""));
    table.rows.push_back(std::move(cells));
    table.rowIds.push_back(std::to_string(k));
  }
  if (table.rows.empty()) table.empty = "No kernels";
  return table;
}

}  // namespace wb
