// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "core/base/quantity.h"
#include "core/figures/cells.h"
#include "core/figures/columns.h"
#include "core/figures/figures.h"
#include "core/figures/ran.h"
#include "core/figures/ratio_columns.h"
#include "core/figures/verdict/run_speedup.h"
#include "core/model/languages.h"

namespace wb {

namespace {

Cell languageCell(const KernelReport& kernel) {
  const std::string& id = kernel.language.empty() ? kernel.source.language : kernel.language;
  const Language* language = findLanguage(id);
  if (id == "aten") return textCell("ATen", Tone::muted);
  return textCell(language == nullptr ? id : std::string(language->title));
}

/// Where the kernel is, or its result.
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
  const TimedCases timed = timedCases(kernel);
  if (timed.speedups.empty()) return {};
  if (!scored(report, kernel))
    return textCell("not scored", Tone::bad,
                    "it crashed or hung in a case; its times are in the cases table");
  if (timed.areTooFew()) return textCell("too few", Tone::muted, timed.tooFewText());
  const SpeedupSummary summary = summarize(timed.speedups);
  return ratioCell(summary.geomean, toneOf(summary),
                   fmt::format("{} · faster on {} of {}", intervalText(summary.low, summary.high),
                               formatCount(summary.faster), formatCount(summary.cases)));
}

/// Why it failed, in the compiler's own words where there are some; else what the compiler said.
std::string noteOf(const KernelReport& kernel) {
  if (!kernel.failure) {
    std::string note = kernel.compiled ? kernel.compiled->note : std::string();
    for (const NotDone& none : kernel.notDone)
      note += fmt::format("{}not {}: {}", note.empty() ? "" : " · ", stageRow(none.stage).done,
                          firstLine(none.reason));
    return note;
  }
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

Cell buildCell(const KernelReport& kernel) {
  if (!kernel.compiled) return {};
  Cell build = secondsCell(kernel.compiled->seconds);
  if (kernel.compiled->cached) {
    build.tone = Tone::muted;
    build.detail = "taken from the build cache";
  }
  return build;
}

/// The largest of what the compiled forms take; nothing for host code, which has none of these.
template <class Of>
std::optional<std::int64_t> mostOf(const KernelReport& kernel, Of&& of) {
  if (!kernel.compiled) return std::nullopt;
  std::int64_t most = 0;
  bool device = false;
  for (const Artifact& artifact : kernel.compiled->artifacts) {
    device = device || artifact.registers > 0;
    most = std::max<std::int64_t>(most, of(artifact));
  }
  return device ? std::optional(most) : std::nullopt;
}

Cell registersCell(const KernelReport& kernel) {
  const auto most = mostOf(kernel, [](const Artifact& artifact) { return artifact.registers; });
  if (!most) return {};
  Cell cell = countCell(*most);
  // Of several forms it says which one it is of.
  const auto& forms = kernel.compiled->artifacts;
  const auto largest = std::ranges::max_element(forms, {}, &Artifact::registers);
  if (forms.size() > 1) cell.text += " · " + (largest->dtype.empty() ? largest->name : largest->dtype);
  cell.detail = artifactsDetail(kernel.compiled->artifacts);
  return cell;
}

Cell bytesCell(std::optional<std::int64_t> bytes, Tone tone) {
  if (!bytes) return {};
  Cell cell = textCell(formatBytes(static_cast<double>(*bytes)), *bytes > 0 ? tone : Tone::muted);
  cell.sort = static_cast<double>(*bytes);
  return cell;
}

Cell spillsCell(const KernelReport& kernel) {
  const auto spilled = [](const Artifact& artifact) { return artifact.spillLoads + artifact.spillStores; };
  return bytesCell(mostOf(kernel, spilled), Tone::warning);
}

Cell sharedCell(const KernelReport& kernel) {
  return bytesCell(mostOf(kernel, [](const Artifact& artifact) { return artifact.sharedBytes; }),
                   Tone::muted);
}

Cell ranCell(const Report& report, const KernelReport& kernel) {
  const WhatRan ran = whatRan(report, kernel);
  std::string detail = calledText(ran);
  if (const std::string delegated = delegatedText(ran); !delegated.empty())
    detail += (detail.empty() ? "" : "; ") + delegated;
  return textCell(ranText(ran), ran.isMostlyOthers() ? Tone::warning : Tone::neutral, std::move(detail));
}

struct KernelLine {
  const Report& report;
  std::size_t index = 0;
  [[nodiscard]] const KernelReport& kernel() const { return *report.kernels[index]; }
};

const std::vector<ColumnOf<KernelLine>>& kernelColumns() {
  using Kind = ColumnKind;
  using Line = const KernelLine&;
  static const std::vector<ColumnOf<KernelLine>> columns = {
      {{.key = "kernel", .title = "Kernel", .meaning = "File", .kind = Kind::name},
       [](Line line) {
         return textCell(kernelLabel(line.report, line.index), Tone::neutral, line.kernel().source.path);
       }},
      {{.key = "language", .title = "Language", .meaning = "What it is written in", .rank = 3},
       [](Line line) { return languageCell(line.kernel()); }},
      {{.key = "operator", .title = "Operator", .meaning = "ATen operator that it implements", .rank = 2},
       [](Line line) {
         const auto& compiled = line.kernel().compiled;
         return textCell(operatorLabel(kernelOperator(line.kernel())), Tone::neutral,
                         compiled ? compiled->schema : std::string());
       }},
      {{.key = "state", .title = "State", .meaning = "Where it is, or what it came to"},
       [](Line line) { return stateCell(line.report, line.kernel()); }},
      {{.key = "passed",
        .title = "Passed",
        .meaning = "Cases that pass, of those that count",
        .kind = Kind::number,
        .better = Better::higher},
       [](Line line) { return passedCell(line.kernel().counts); }},
      {ratioColumn("speedup", "Speedup", "Geometric mean over the timed cases"),
       [](Line line) { return speedupCell(line.report, line.kernel()); }},
      {{.key = "ran",
        .title = "Ran",
        .meaning = "What its calls ran: its own code, operators of ATen's, libraries",
        .rank = 2},
       [](Line line) { return ranCell(line.report, line.kernel()); }},
      {{.key = "build",
        .title = "Build",
        .meaning = "Time the compiler took",
        .kind = Kind::number,
        .unit = "s",
        .better = Better::lower,
        .rank = 3},
       [](Line line) { return buildCell(line.kernel()); }},
      {{.key = "toolchain", .title = "Toolchain", .meaning = "Compiler and its version", .rank = 6},
       [](Line line) {
         const auto& compiled = line.kernel().compiled;
         return compiled ? textCell(compiled->toolchain, Tone::muted) : Cell{};
       }},
      {{.key = "registers",
        .title = "Registers",
        .meaning = "Per thread, of the compiled form with most",
        .kind = Kind::number,
        .rank = 4},
       [](Line line) { return registersCell(line.kernel()); }},
      {{.key = "spills",
        .title = "Spills",
        .meaning = "Bytes per thread that did not fit the registers",
        .kind = Kind::number,
        .unit = "B",
        .better = Better::lower,
        .rank = 4},
       [](Line line) { return spillsCell(line.kernel()); }},
      {{.key = "shared",
        .title = "Shared",
        .meaning = "Static shared memory of a block",
        .kind = Kind::number,
        .unit = "B",
        .rank = 5},
       [](Line line) { return sharedCell(line.kernel()); }},
      {{.key = "note", .title = "Note", .meaning = "What to know about it", .kind = Kind::note, .rank = 1},
       [](Line line) {
         const auto& failure = line.kernel().failure;
         return textCell(noteOf(line.kernel()), Tone::muted, failure ? failure->hint : std::string());
       }},
  };
  return columns;
}

}  // namespace

Table kernelsTable(const Report& report) {
  TableOf<KernelLine> table("kernels", "Kernels", kernelColumns());
  for (std::size_t k = 0; k < report.kernels.size(); ++k) table.add(std::to_string(k), {report, k});
  return std::move(table).take("No kernels");
}

}  // namespace wb
