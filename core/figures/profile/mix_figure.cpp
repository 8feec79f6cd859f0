// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <numeric>

#include "core/base/quantity.h"
#include "core/figures/profile/profile_facts.h"
#include "core/model/metrics/metric_formulas.h"

namespace wb {

namespace {

enum Kind : std::size_t { fp32, fp16, fp64, tensor, integer, conversion, memory, control, other, kinds };

struct KindInfo {
  std::string_view label, meaning;
  /// The metric that counts what threads executed; "" where the catalogue has none.
  std::string_view metric;
};
constexpr std::array<KindInfo, kinds> kindInfos = {{
    {"FP32", "single-precision arithmetic", "smsp__sass_thread_inst_executed_op_fp32_pred_on.sum"},
    {"FP16", "half-precision arithmetic", "smsp__sass_thread_inst_executed_op_fp16_pred_on.sum"},
    {"FP64", "double-precision arithmetic", "smsp__sass_thread_inst_executed_op_fp64_pred_on.sum"},
    {"tensor cores", "matrix instructions; only told of the code, not of what was executed", ""},
    {"integer", "integer arithmetic, which is mostly addresses",
     "smsp__sass_thread_inst_executed_op_integer_pred_on.sum"},
    {"conversion", "between types", "smsp__sass_thread_inst_executed_op_conversion_pred_on.sum"},
    {"memory", "loads, stores and atomics", "smsp__sass_thread_inst_executed_op_memory_pred_on.sum"},
    {"control", "branches, calls, barriers", "smsp__sass_thread_inst_executed_op_control_pred_on.sum"},
    {"other", "moves, predicates, special registers; only told of the code, not of what was executed", ""},
}};

/// Opcodes by how they begin; the longer beginnings of a kind come before the shorter ones of another.
/// Source: the instruction set tables of NVIDIA's "CUDA Binary Utilities".
struct Opcode {
  std::string_view begin;
  Kind kind;
};
constexpr std::array opcodes = {
    Opcode{"HMMA", tensor},       Opcode{"IMMA", tensor},     Opcode{"DMMA", tensor},
    Opcode{"BMMA", tensor},       Opcode{"QMMA", tensor},     Opcode{"OMMA", tensor},
    Opcode{"HGMMA", tensor},      Opcode{"IGMMA", tensor},    Opcode{"QGMMA", tensor},
    Opcode{"BGMMA", tensor},      Opcode{"UTC", tensor},      Opcode{"WARPGROUP", control},
    Opcode{"F2F", conversion},    Opcode{"F2I", conversion},  Opcode{"I2F", conversion},
    Opcode{"I2I", conversion},    Opcode{"F2FP", conversion}, Opcode{"FRND", conversion},
    Opcode{"I2FP", conversion},   Opcode{"FADD", fp32},       Opcode{"FMUL", fp32},
    Opcode{"FFMA", fp32},         Opcode{"FMNMX", fp32},      Opcode{"FSETP", fp32},
    Opcode{"FSET", fp32},         Opcode{"FSEL", fp32},       Opcode{"FCHK", fp32},
    Opcode{"FSWZADD", fp32},      Opcode{"MUFU", fp32},       Opcode{"HADD2", fp16},
    Opcode{"HMUL2", fp16},        Opcode{"HFMA2", fp16},      Opcode{"HMNMX2", fp16},
    Opcode{"HSET", fp16},         Opcode{"DADD", fp64},       Opcode{"DMUL", fp64},
    Opcode{"DFMA", fp64},         Opcode{"DSETP", fp64},      Opcode{"LDGSTS", memory},
    Opcode{"LDGDEPBAR", memory},  Opcode{"LDSM", memory},     Opcode{"LD", memory},
    Opcode{"ULD", memory},        Opcode{"ST", memory},       Opcode{"ATOM", memory},
    Opcode{"RED.", memory},       Opcode{"REDG", memory},     Opcode{"SUATOM", memory},
    Opcode{"SULD", memory},       Opcode{"SUST", memory},     Opcode{"TEX", memory},
    Opcode{"TLD", memory},        Opcode{"UBLKCP", memory},   Opcode{"UTMA", memory},
    Opcode{"CCTL", memory},       Opcode{"IADD", integer},    Opcode{"IMAD", integer},
    Opcode{"IMUL", integer},      Opcode{"IABS", integer},    Opcode{"IMNMX", integer},
    Opcode{"VIMNMX", integer},    Opcode{"VIADD", integer},   Opcode{"ISETP", integer},
    Opcode{"IDP", integer},       Opcode{"LEA", integer},     Opcode{"LOP", integer},
    Opcode{"SHF", integer},       Opcode{"SHL", integer},     Opcode{"SHR", integer},
    Opcode{"POPC", integer},      Opcode{"FLO", integer},     Opcode{"BREV", integer},
    Opcode{"BMSK", integer},      Opcode{"SGXT", integer},    Opcode{"UIADD", integer},
    Opcode{"UIMAD", integer},     Opcode{"UISETP", integer},  Opcode{"ULEA", integer},
    Opcode{"ULOP", integer},      Opcode{"USHF", integer},    Opcode{"USHL", integer},
    Opcode{"USHR", integer},      Opcode{"UFLO", integer},    Opcode{"UPOPC", integer},
    Opcode{"BRA", control},       Opcode{"BRX", control},     Opcode{"JMP", control},
    Opcode{"CALL", control},      Opcode{"RET", control},     Opcode{"EXIT", control},
    Opcode{"BAR", control},       Opcode{"BSSY", control},    Opcode{"BSYNC", control},
    Opcode{"WARPSYNC", control},  Opcode{"SYNCS", control},   Opcode{"DEPBAR", control},
    Opcode{"NANOSLEEP", control}, Opcode{"YIELD", control},   Opcode{"BREAK", control},
    Opcode{"MEMBAR", control},
};

/// The kind of an instruction; nothing for one that only fills the room to the end.
std::optional<Kind> kindOf(std::string_view text) {
  // A predicate stands before the opcode: "@!P0 BRA …".
  if (text.starts_with('@')) text.remove_prefix(std::min(text.size(), text.find(' ') + 1));
  if (text.starts_with("NOP")) return std::nullopt;
  const auto at = std::find_if(opcodes.begin(), opcodes.end(),
                               [text](const Opcode& opcode) { return text.starts_with(opcode.begin); });
  return at == opcodes.end() ? other : at->kind;
}

using Counts = std::array<double, kinds>;

std::optional<StackRow> rowOf(std::string label, const Counts& counts, std::string_view of) {
  const double all = std::accumulate(counts.begin(), counts.end(), 0.0);
  if (all <= 0) return std::nullopt;
  StackRow row{
      .label = std::move(label), .detail = fmt::format("{} {}", formatScaled(all, ""), of), .shares = {}};
  for (const double count : counts) row.shares.push_back(count / all);
  return row;
}

std::optional<StackRow> executed(const SideProfile& side, Side which) {
  const std::vector<MetricValue> values = metricsOfCall(side.launches);
  Counts counts{};
  for (std::size_t k = 0; k < kinds; ++k)
    for (const MetricValue& metric : values)
      if (!kindInfos[k].metric.empty() && metric.name == kindInfos[k].metric) counts[k] = metric.value;
  return rowOf(fmt::format("{}, executed", name(which)), counts, "thread instructions executed");
}

/// The functions whose code is told apart; a kernel compiled for many types has one for each.
constexpr std::size_t mostListings = 6;

void addListings(StackChart& chart, const KernelReport& kernel) {
  std::size_t shown = 0;
  for (const Listing& listing : kernel.listings) {
    if (listing.kind != ListingKind::sass) continue;  // the table of opcodes is the device's
    Counts counts{};
    for (const Instruction& instruction : listing.instructions)
      if (const auto kind = kindOf(instruction.text)) counts[*kind] += 1;
    const std::string& title = listing.kernel.empty() ? listing.function : listing.kernel;
    std::string label = "code of " + title.substr(0, title.find('('));
    if (!listing.dtype.empty()) label += " " + listing.dtype;
    auto row = rowOf(std::move(label), counts, "instructions in the code");
    if (!row) continue;
    row->detail += "\n" + title;
    chart.rows.push_back(std::move(*row));
    if (++shown == mostListings) break;
  }
}

/// Keys that no row has are left out, together with their shares.
void dropUnused(StackChart& chart) {
  for (std::size_t k = chart.keys.size(); k-- > 0;) {
    const bool isUsed = std::any_of(chart.rows.begin(), chart.rows.end(),
                                    [k](const StackRow& row) { return row.shares[k] > 0; });
    if (isUsed) continue;
    const auto offset = static_cast<std::ptrdiff_t>(k);
    chart.keys.erase(chart.keys.begin() + offset);
    for (StackRow& row : chart.rows) row.shares.erase(row.shares.begin() + offset);
  }
}

}  // namespace

StackChart mixChart(const Report& report, OneCase only) {
  StackChart chart;
  chart.id = "mix";
  chart.title = "Instruction mix";
  chart.axis = "Share of the instructions";
  if (report.stages.has(Stage::profile)) {
    for (const ProfiledCase& one : casesWithData(report, only)) {
      for (const Side side : {Side::candidate, Side::reference})
        if (auto row = executed(one.side(side), side)) chart.rows.push_back(std::move(*row));
      if (chart.rows.empty()) continue;
      chart.title += " · " + caseTitle(report, one.at);
      break;
    }
    for (std::size_t k = 0; k < report.kernels.size(); ++k)
      if (!only || only->kernel == k) addListings(chart, *report.kernels[k]);
  }
  if (chart.rows.empty()) {
    chart.empty = report.stages.has(Stage::profile) && report.target.device == "cpu"
                      ? whyEmpty(report, Need::listing, only)
                      : whyEmpty(report, Need::counters, only);
    return chart;
  }
  for (const KindInfo& info : kindInfos)
    chart.keys.push_back({std::string(info.label), std::string(info.meaning),
                          info.label == "other" ? Tone::muted : Tone::neutral});
  dropUnused(chart);
  return chart;
}

}  // namespace wb
