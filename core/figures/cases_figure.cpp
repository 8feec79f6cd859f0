// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "core/base/quantity.h"
#include "core/figures/cases_table_cache.h"
#include "core/figures/cells.h"
#include "core/figures/figures.h"

namespace wb {

namespace {

std::vector<Column> columnsOf(bool severalKernels) {
  std::vector<Column> columns;
  if (severalKernels) columns.push_back({"kernel", "Kernel", false, "File of the kernel that ran the case"});
  for (Column& column : std::vector<Column>{
           {"operator", "Operator", false, "ATen operator that the kernel is checked against", 1},
           {"shapes", "Shapes", false, "Shapes of the tensor arguments"},
           {"dtype", "Dtype", false, "Element type of the first tensor"},
           {"layout", "Layout", false, "Memory layout where a tensor is not contiguous", 2},
           {"verdict", "Verdict", false, "What checking the case came to"},
           {"maxAbs", "Max abs", true, "Largest absolute error |candidate − reference| over all elements", 3},
           {"maxRel", "Max rel", true, "Largest error relative to the reference's value", 6},
           {"maxUlp", "ULP", true, "Largest error in units in the last place of the output's type", 5},
           {"time", "Time", false,
            "Which time the speedup is of. Kernel: from the start of a call's first kernel to the end of its "
            "last. Step: what one more call costs in a busy stream. Call: from the host's call to its result",
            7},
           {"reference", "Reference", true, "Median of that time of the reference", 5},
           {"candidate", "Candidate", true, "Median of that time of the candidate", 4},
           {"speedup", "Speedup", true, "Reference time over candidate time, median over interleaved blocks"},
           {"interval", "95 % interval", true, "Where the true speedup lies with 95 % confidence", 3},
           {"kernelHot", "Kernel, hot", true, "Candidate's kernel time with what it reads in the cache", 9},
           {"step", "Step", true, "What one more call of the candidate costs in a busy stream", 8},
           {"call", "Call", true, "From the host's call of the candidate to its result", 8},
           {"floor", "Of floor", true,
            "Share of the candidate's time that no kernel can beat on this device: 100 % cannot be improved",
            7},
           {"note", "Note", false, "Why a case failed, or what to know about its numbers", 2}})
    columns.push_back(std::move(column));
  return columns;
}

std::string failureDetail(const CaseCheck& check) {
  std::string detail = check.message;
  const auto say = [&detail](const std::string& line) {
    detail.append(detail.empty() ? "" : "\n").append(line);
  };
  for (const std::string& fact : errorFacts(check)) say(fact);
  return detail;
}

Cell verdictCell(const CaseRow& row, bool live) {
  if (row.check.verdict == Verdict::notRun && live && !row.timing) return textCell("waiting", Tone::muted);
  return textCell(std::string(name(row.check.verdict)), toneOf(row.check.verdict), failureDetail(row.check));
}

Cell noteCell(const CaseRow& row) {
  std::string note = firstLine(row.check.message);
  if (note.empty() && row.check.errors && !row.check.errors->firstBadIndex.empty())
    note = fmt::format("{}: expected {}, got {}", row.check.errors->firstBadIndex, row.check.errors->expected,
                       row.check.errors->actual);
  const auto add = [&note](const std::string& more) {
    if (!more.empty()) note.append(note.empty() ? "" : " · ").append(more);
  };
  if (row.check.errors && !row.check.errors->cluster.empty()) add("wrong: " + row.check.errors->cluster);
  if (!row.check.delegates.empty())
    add(fmt::format("answered by ATen: calls {} itself", row.check.delegates));
  add(firstLine(row.timing ? row.timing->note : row.notTimed));
  std::string detail = row.check.message.find('\n') == std::string::npos ? std::string() : row.check.message;
  return textCell(std::move(note), Tone::muted, std::move(detail));
}

void addErrors(std::vector<Cell>& cells, const CaseCheck& check) {
  if (!check.errors) {
    cells.resize(cells.size() + 3);
    return;
  }
  const Tone tone = check.verdict == Verdict::mismatch ? Tone::bad : Tone::neutral;
  cells.push_back(errorCell(check.errors->maxAbs, tone));
  cells.push_back(errorCell(check.errors->maxRel, tone));
  const double ulp = check.errors->maxUlp;
  // Counts stay readable to a few digits; a far-off result has billions of ULP and says so as an error does.
  cells.push_back(ulp < 1e6 && ulp == static_cast<double>(static_cast<std::int64_t>(ulp))
                      ? countCell(static_cast<std::int64_t>(ulp), tone)
                      : errorCell(ulp, tone));
}

Cell sideCell(const BothSides& sides) {
  if (sides.candidate <= 0) return {};
  Cell cell = secondsCell(sides.candidate);
  if (sides.reference > 0) cell.detail = "reference " + formatSeconds(sides.reference);
  return cell;
}

Cell floorCell(const CaseTiming& timing) {
  if (timing.floor <= 0 || timing.candidate <= 0) return {};
  const double share = timing.floor / timing.candidate;
  Cell cell = textCell(formatPercent(share), share > 1 ? Tone::bad : Tone::neutral,
                       fmt::format("the floor is {}: {}", formatSeconds(timing.floor), timing.floorBy));
  cell.sort = share;
  cell.bar = std::clamp(share, 0.0, 1.0);
  return cell;
}

void addTiming(std::vector<Cell>& cells, const CaseRow& row) {
  if (!row.timing) {
    cells.resize(cells.size() + 9);
    return;
  }
  const CaseTiming& timing = *row.timing;
  cells.push_back(textCell(timeText(timing), Tone::muted));
  cells.push_back(secondsCell(timing.reference));
  cells.push_back(secondsCell(timing.candidate));
  std::string detail =
      fmt::format("{} · {} · {} blocks", name(timing.speedup.pace), timing.clock, timing.blocks.size());
  for (const std::string& fact : timingFacts(timing)) detail += "\n" + fact;
  cells.push_back(ratioCell(timing.speedup.ratio, toneOf(timing.speedup.pace), std::move(detail)));
  Cell interval = textCell(intervalText(timing.speedup.low, timing.speedup.high), Tone::muted);
  interval.sort = timing.speedup.low;
  cells.push_back(std::move(interval));
  cells.push_back(sideCell(timing.kernelHot));
  cells.push_back(sideCell(timing.step));
  cells.push_back(sideCell(timing.call));
  cells.push_back(floorCell(timing));
}

std::vector<Cell> cellsOf(const CaseRow& row, const std::string* kernel, bool live) {
  std::vector<Cell> cells;
  cells.reserve(19);
  if (kernel != nullptr) cells.push_back(textCell(*kernel));
  cells.push_back(textCell(operatorLabel(row.definition.op)));
  cells.push_back(textCell(row.definition.shapes, Tone::neutral, row.definition.args));
  cells.push_back(textCell(row.definition.dtype, Tone::muted));
  cells.push_back(textCell(std::string(layoutOf(row.definition.args)), Tone::muted));
  cells.push_back(verdictCell(row, live));
  addErrors(cells, row.check);
  addTiming(cells, row);
  cells.push_back(noteCell(row));
  return cells;
}

std::vector<std::string> labelsOf(const Report& report) {
  std::vector<std::string> labels;
  labels.reserve(report.kernels.size());
  for (std::size_t k = 0; k < report.kernels.size(); ++k) labels.push_back(kernelLabel(report, k));
  return labels;
}

std::string emptyText(const Report& report) {
  for (const auto& kernel : report.kernels)
    if (kernel->compiled) {
      if (!kernel->compiled->note.empty()) return kernel->compiled->note;
      return "The suite has no cases for " + operatorLabel(kernel->compiled->op);
    }
  if (report.outcome != Outcome::running) return "No kernel compiled, so no case ran";
  return "Cases appear once a kernel has compiled";
}

}  // namespace

bool CasesTableCache::fits(const Report& report, const std::vector<std::string>& labels) const {
  if (table_.columns.empty() || labels.size() != seen_.size()) return false;
  bool grows = false;
  for (std::size_t k = 0; k < labels.size(); ++k) {
    const std::size_t rows = report.kernels[k]->cases.size();
    if (seen_[k].label != labels[k] || rows < seen_[k].rows) return false;
    // Rows can be appended behind all others only.
    if (grows && seen_[k].rows > 0) return false;
    grows = grows || rows > seen_[k].rows;
  }
  return true;
}

void CasesTableCache::append(const KernelReport& kernel, std::size_t index, Seen& seen) {
  const std::string* label = seen_.size() > 1 ? &seen.label : nullptr;
  for (std::size_t i = seen.rows; i < kernel.cases.size(); ++i) {
    table_.rows.push_back(cellsOf(kernel.cases[i], label, seen.live));
    table_.rowIds.push_back(fmt::format("{}/{}", index, i));
  }
  seen.rows = kernel.cases.size();
}

void CasesTableCache::updateKernel(const Report& report, std::size_t index, TableChange& change) {
  const KernelReport& kernel = *report.kernels[index];
  Seen& seen = seen_[index];
  const bool live = underWay(report, kernel);
  const bool turned = live != seen.live;
  seen.live = live;
  if (seen.rows == 0) seen.first = table_.rows.size();
  const std::string* label = seen_.size() > 1 ? &seen.label : nullptr;
  const auto& chunks = kernel.cases.chunks();
  for (std::size_t c = 0; c < seen.chunks.size(); ++c) {
    const bool same = chunks[c].identity() == seen.chunks[c].identity();
    if (same && !turned) continue;
    const std::size_t start = c * Cases::chunkSize;
    const std::size_t count = std::min(chunks[c]->size(), seen.rows - start);
    const Cases::Chunk& before = *seen.chunks[c];
    for (std::size_t i = 0; i < count; ++i) {
      const CaseRow& row = (*chunks[c])[i];
      // Comparing a row is much cheaper than making its cells.
      const bool words = turned && row.check.verdict == Verdict::notRun;
      if (!words && (same || row == before[i])) continue;
      const std::size_t at = seen.first + start + i;
      table_.rows[at] = cellsOf(row, label, live);
      if (change.changed.empty() || change.changed.back().first + change.changed.back().count != at)
        change.changed.push_back({at, 0});
      ++change.changed.back().count;
    }
  }
  change.appended += kernel.cases.size() - seen.rows;
  append(kernel, index, seen);
  seen.chunks = chunks;
}

TableChange CasesTableCache::update(const Report& report) {
  TableChange change;
  std::vector<std::string> labels = labelsOf(report);
  change.reset = !fits(report, labels);
  if (change.reset) {
    table_ = Table{};
    table_.id = "cases";
    table_.title = "Cases";
    table_.columns = columnsOf(labels.size() > 1);
    seen_.assign(labels.size(), {});
    for (std::size_t k = 0; k < labels.size(); ++k) seen_[k].label = std::move(labels[k]);
    std::size_t rows = 0;
    for (const auto& kernel : report.kernels) rows += kernel->cases.size();
    table_.rows.reserve(rows);
    table_.rowIds.reserve(rows);
  }
  for (std::size_t k = 0; k < seen_.size(); ++k) updateKernel(report, k, change);
  table_.empty = table_.rows.empty() ? emptyText(report) : std::string();
  if (change.reset) {
    change.changed.clear();
    change.appended = 0;
  }
  return change;
}

Table casesTable(const Report& report) {
  CasesTableCache cache;
  cache.update(report);
  return std::move(cache).take();
}

}  // namespace wb
