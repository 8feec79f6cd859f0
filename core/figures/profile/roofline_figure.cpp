// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/quantity.h"
#include "core/figures/cells.h"
#include "core/figures/columns.h"
#include "core/figures/profile/profile_facts.h"

namespace wb {

namespace {

struct Roof {
  std::string title;
  /// Bytes or operations.
  double perSecond = 0;
  bool bytes = false;
  bool dashed = false;
};

std::vector<Roof> roofsOf(const Report& report) {
  if (!report.ceilings) return {};
  const Ceilings& c = *report.ceilings;
  std::vector<Roof> roofs;
  for (Roof& roof : std::vector<Roof>{{"DRAM", c.dramBytesPerSecond, true, false},
                                      {"L2", c.l2BytesPerSecond, true, true},
                                      {"L1", c.l1BytesPerSecond, true, true},
                                      {"shared memory", c.sharedBytesPerSecond, true, true},
                                      {"FP64", c.fp64, false, true},
                                      {"FP32", c.fp32, false, false},
                                      {"TF32 tensor", c.tf32Tensor, false, true},
                                      {"FP16 tensor", c.fp16Tensor, false, true},
                                      {"BF16 tensor", c.bf16Tensor, false, true}})
    if (roof.perSecond > 0) roofs.push_back(std::move(roof));
  return roofs;
}

std::string roofLabel(const Roof& roof) {
  return fmt::format("{} {}", roof.title, formatScaled(roof.perSecond, roof.bytes ? "B/s" : "FLOP/s"));
}

/// One side of one case below the roof.
struct Standing {
  CaseKey at;
  std::string label;
  Side side = Side::candidate;
  std::string rowId;
  Work work;
  /// In FLOP/B and FLOP/s; 0 without operations.
  double intensity = 0, speed = 0;
  /// The bytes of DRAM per second.
  double bandwidth = 0;
  /// The name of the roof above it.
  std::string bound;
  /// What the roof allows there, and how much of it was reached; 0 when unknown.
  double roof = 0, share = 0;
};

/// The arithmetic peak for the kind of operations that a kernel has.
const Roof* peakFor(const std::vector<Roof>& roofs, const Work& work) {
  const auto find = [&](std::string_view title) -> const Roof* {
    for (const Roof& roof : roofs)
      if (roof.title == title) return &roof;
    return nullptr;
  };
  const double flops = work.flops.value_or(0);
  if (work.tensorFlops.value_or(0) > flops / 2) return find(work.tensorType + " tensor");
  if (work.fp64Flops.value_or(0) > flops / 2) return find("FP64");
  return find("FP32");
}

void judge(Standing& one, const std::vector<Roof>& roofs) {
  const Roof* dram = nullptr;
  for (const Roof& roof : roofs)
    if (roof.title == "DRAM") dram = &roof;
  if (one.speed <= 0) {
    if (dram == nullptr || one.bandwidth <= 0) return;
    one.bound = dram->title;
    one.roof = dram->perSecond;
    one.share = one.bandwidth / dram->perSecond;
    return;
  }
  const Roof* peak = peakFor(roofs, one.work);
  double allowed = std::numeric_limits<double>::infinity();
  for (const Roof* roof : {dram, peak}) {
    if (roof == nullptr) continue;
    const double height = roof->bytes ? roof->perSecond * one.intensity : roof->perSecond;
    if (height >= allowed) continue;
    allowed = height;
    one.bound = roof->title;
  }
  if (!std::isfinite(allowed)) return;
  one.roof = allowed;
  one.share = one.speed / allowed;
}

std::vector<Standing> standings(const Report& report, OneCase only) {
  const std::vector<Roof> roofs = roofsOf(report);
  const std::vector<ProfiledCase> cases = casesWithData(report, only);
  std::vector<Standing> all;
  for (const ProfiledCase& one : cases)
    for (const Side side : {Side::candidate, Side::reference}) {
      Standing standing;
      standing.work = workOf(one.side(side));
      const Work& work = standing.work;
      if (work.seconds <= 0 || !work.dramBytes || *work.dramBytes <= 0) continue;
      standing.at = one.at;
      standing.side = side;
      standing.label = std::string(name(side));
      if (cases.size() > 1) standing.label += " · " + countedCaseTitle(report, one, cases);
      standing.rowId = fmt::format("{}/{}", one.rowId(), name(side));
      standing.bandwidth = *work.dramBytes / work.seconds;
      if (work.flops.value_or(0) > 0) {
        standing.intensity = *work.flops / *work.dramBytes;
        standing.speed = *work.flops / work.seconds;
      }
      judge(standing, roofs);
      all.push_back(std::move(standing));
    }
  return all;
}

std::string detailOf(const Standing& one) {
  std::string text = one.label + "\n";
  if (one.speed > 0)
    text += fmt::format("{} at {} FLOP/B\n", formatScaled(one.speed, "FLOP/s"), formatNumber(one.intensity));
  else
    text += one.work.flops             ? "no floating-point operations: placed by its bytes alone\n"
            : one.work.tensorUncounted ? "tensor cores worked, uncounted (add the section tensor): placed by "
                                         "its bytes alone\n"
                                       : "operations not counted: placed by its bytes alone\n";
  text += fmt::format("{} of DRAM traffic in {}, {}", formatBytes(*one.work.dramBytes),
                      formatSeconds(one.work.seconds), formatScaled(one.bandwidth, "B/s"));
  if (one.share > 0) text += fmt::format("\n{} of what {} allows there", formatPercent(one.share), one.bound);
  return text;
}

/// The ends of the axis of intensities: whole decades around points and ridges.
std::pair<double, double> intensities(const std::vector<Standing>& points, const std::vector<Roof>& roofs) {
  double low = 0.1, high = 100;
  for (const Standing& one : points)
    if (one.intensity > 0) {
      low = std::min(low, one.intensity / 2);
      high = std::max(high, one.intensity * 2);
    }
  double dram = 0, top = 0;
  for (const Roof& roof : roofs) {
    if (roof.title == "DRAM") dram = roof.perSecond;
    if (!roof.bytes) top = std::max(top, roof.perSecond);
  }
  if (dram > 0 && top > 0) high = std::max(high, top / dram * 2);
  return {std::pow(10, std::floor(std::log10(low))), std::pow(10, std::ceil(std::log10(high)))};
}

std::vector<ChartLine> linesOf(const std::vector<Roof>& roofs, double low, double high) {
  double fastest = 0, top = 0;
  for (const Roof& roof : roofs) {
    double& best = roof.bytes ? fastest : top;
    best = std::max(best, roof.perSecond);
  }
  std::vector<ChartLine> lines;
  for (const Roof& roof : roofs) {
    ChartLine line{roofLabel(roof), {}, roof.dashed};
    if (roof.bytes) {
      const double end = top > 0 ? std::min(high, top / roof.perSecond) : high;
      line.points = {{low, low * roof.perSecond}, {end, end * roof.perSecond}};
    } else {
      const double start = fastest > 0 ? std::max(low, roof.perSecond / fastest) : low;
      line.points = {{start, roof.perSecond}, {high, roof.perSecond}};
    }
    if (line.points[0].first < line.points[1].first) lines.push_back(std::move(line));
  }
  return lines;
}

/// Where a candidate stood in an earlier run, and which of the present standings it became.
struct Former {
  Standing standing;
  std::size_t now = 0;
  /// What the run is called.
  std::string run = {};
};

/// A candidate is the same in both runs where its case is: the same operator with the same arguments.
std::vector<Former> formerOf(const Report& report, const Report& before, const std::vector<Standing>& all) {
  std::vector<Former> former;
  const std::vector<Standing> stood = standings(before, {});
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i].side != Side::candidate) continue;
    const Case& now = report.kernels[all[i].at.kernel]->cases[all[i].at.index].definition;
    for (const Standing& one : stood) {
      if (one.side != Side::candidate) continue;
      const Case& then = before.kernels[one.at.kernel]->cases[one.at.index].definition;
      if (then.op != now.op || then.args != now.args) continue;
      former.push_back({one, i});
      break;
    }
  }
  return former;
}

std::string emptyText(const Report& report, OneCase only) {
  if (!casesWithData(report, only).empty() && report.target.counters.empty() &&
      !report.profile.sections.empty() && report.target.device != "cpu")
    for (const ProfiledCase& one : casesWithData(report, only)) {
      const SideProfile& side = one.profile->candidate;
      if (side.launches.empty() || side.passes == 0) continue;
      if (workOf(side).dramBytes)
        return "What was counted moved no bytes of DRAM: with hot caches all of it stayed in the L2";
      return "The sections that were counted have no bytes or no time; add the section roofline";
    }
  return whyEmpty(report, Need::counters, only);
}

/// A side of a case, or a roof.
struct RooflineLine {
  const Standing* standing = nullptr;
  const Roof* roof = nullptr;
};

/// A number where there is one.
Cell numberCell(double value, const std::string& text) {
  Cell cell = value > 0 ? textCell(text) : Cell{};
  if (value > 0) cell.sort = value;
  return cell;
}

Cell whatCell(const RooflineLine& line) {
  if (line.roof != nullptr)
    return textCell(line.roof->title + (line.roof->bytes ? " bandwidth" : " peak"), Tone::muted);
  return textCell(line.standing->label, Tone::neutral, detailOf(*line.standing));
}

Cell speedCell(const RooflineLine& line) {
  if (line.roof != nullptr && line.roof->bytes) return {};
  const double speed = line.roof != nullptr ? line.roof->perSecond : line.standing->speed;
  return numberCell(speed, formatScaled(speed, "FLOP/s"));
}

Cell bandwidthCell(const RooflineLine& line) {
  if (line.roof != nullptr && !line.roof->bytes) return {};
  const double bandwidth = line.roof != nullptr ? line.roof->perSecond : line.standing->bandwidth;
  return numberCell(bandwidth, formatScaled(bandwidth, "B/s"));
}

/// A cell of a side; empty for a roof.
template <Cell (*cell)(const Standing&)>
Cell ofSide(const RooflineLine& line) {
  return line.standing != nullptr ? cell(*line.standing) : Cell{};
}

Cell intensityCell(const Standing& one) {
  return numberCell(one.intensity, formatNumber(one.intensity));
}

Cell bytesCell(const Standing& one) {
  return numberCell(*one.work.dramBytes, formatBytes(*one.work.dramBytes));
}

Cell boundCell(const Standing& one) {
  return textCell(one.bound, Tone::muted);
}

Cell shareCell(const Standing& one) {
  return numberCell(one.share, formatPercent(one.share));
}

const std::vector<ColumnOf<RooflineLine>>& rooflineColumns() {
  using Kind = ColumnKind;
  static const std::vector<ColumnOf<RooflineLine>> columns = {
      {{.key = "what",
        .title = "What",
        .meaning = "A roof that was measured on this card, or a side of a case",
        .kind = Kind::name},
       whatCell},
      {{.key = "speed",
        .title = "FLOP/s",
        .meaning = "Operations a second",
        .kind = Kind::number,
        .unit = "FLOP/s",
        .better = Better::higher},
       speedCell},
      {{.key = "intensity",
        .title = "FLOP/B",
        .meaning = "Operations for each byte of DRAM traffic",
        .kind = Kind::number,
        .unit = "FLOP/B"},
       ofSide<intensityCell>},
      {{.key = "bandwidth",
        .title = "Bandwidth",
        .meaning = "Bytes a second; of DRAM for a side",
        .kind = Kind::number,
        .unit = "B/s",
        .better = Better::higher,
        .rank = 1},
       bandwidthCell},
      {{.key = "bytes",
        .title = "Bytes",
        .meaning = "DRAM traffic of one call",
        .kind = Kind::number,
        .unit = "B",
        .better = Better::lower,
        .rank = 3},
       ofSide<bytesCell>},
      {{.key = "bound", .title = "Roof", .meaning = "The lower of memory and arithmetic there", .rank = 2},
       ofSide<boundCell>},
      {{.key = "share",
        .title = "Reached",
        .meaning = "Share of that roof",
        .kind = Kind::share,
        .better = Better::higher,
        .hasEarlier = true,
        .lead = 1},
       ofSide<shareCell>},
  };
  return columns;
}

}  // namespace

PlaneChart rooflineChart(const Report& report, OneCase only) {
  return rooflineAgainst(report, only, {});
}

PlaneChart rooflineAgainst(const Report& report, OneCase only, std::span<const Earlier> earlier) {
  PlaneChart chart;
  chart.id = "roofline";
  chart.title = countedTitle("Roofline", casesWithData(report, only));
  chart.x = {"Arithmetic intensity, FLOP per byte of DRAM traffic", ""};
  chart.y = {"FLOP/s", "FLOP/s"};
  const std::vector<Standing> all = standings(report, only);
  if (all.empty()) {
    chart.empty = emptyText(report, only);
    return chart;
  }
  std::vector<Standing> everyone = all;
  std::vector<Former> former;
  for (const Earlier& run : earlier)
    for (Former& one : formerOf(report, *run.report, all)) {
      one.run = earlier.size() == 1 ? "before" : run.name;
      former.push_back(std::move(one));
    }
  for (const Former& one : former) everyone.push_back(one.standing);
  const std::vector<Roof> roofs = roofsOf(report);
  const auto ends = intensities(everyone, roofs);
  const double low = ends.first;
  chart.lines = linesOf(roofs, low, ends.second);
  const auto add = [&](const Standing& one, std::string label, Tone tone) {
    // A kernel without operations stands at the left edge, as high as its share of the memory's roof.
    const bool counted = one.speed > 0;
    if (!counted) label += " (bytes alone)";
    chart.points.push_back({counted ? one.intensity : low, counted ? one.speed : low * one.bandwidth,
                            std::move(label), detailOf(one), tone});
  };
  for (const Standing& one : all) add(one, one.label, one.side == Side::candidate ? Tone::good : Tone::muted);
  for (const Former& one : former) {
    add(one.standing, one.run, Tone::neutral);
    chart.points.back().detail = one.run + ": " + chart.points.back().detail;
    chart.arrows.push_back({chart.points.size() - 1, one.now});
  }
  return chart;
}

Table rooflineTable(const Report& report, OneCase only) {
  TableOf<RooflineLine> table(
      "roofline-table", countedTitle("Roofline in numbers", casesWithData(report, only)), rooflineColumns());
  const std::vector<Standing> all = standings(report, only);
  // The sides come first, which one looks for; roofs without them say nothing of the kernel.
  for (const Standing& one : all) table.add(one.rowId, {.standing = &one});
  if (!all.empty())
    for (const Roof& roof : roofsOf(report)) table.add("roof/" + roof.title, {.roof = &roof});
  return std::move(table).take(emptyText(report, only));
}

}  // namespace wb
