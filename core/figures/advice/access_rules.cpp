// SPDX-License-Identifier: Apache-2.0
#include "core/figures/advice/access_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "core/base/quantity.h"
#include "core/figures/advice/evidence.h"
#include "core/figures/cells.h"
#include "core/figures/profile/launch_facts.h"

namespace wb {

namespace {

/// How much of each 32-byte sector that loads (or stores) fetch is used, 0 to 1; nothing when unknown.
struct Access {
  /// The sectors of one request, and the fewest that would do.
  double sectors = 0, ideal = 0;
  /// `ideal` was counted; else it is the most that any access can need.
  bool certain = false;
};
std::optional<Access> accessOf(const Launch& launch, std::string_view kind) {
  const auto sectors = metricOf(launch, fmt::format("l1tex__t_sectors_pipe_lsu_mem_global_op_{}.sum", kind));
  const auto requests =
      metricOf(launch, fmt::format("l1tex__t_requests_pipe_lsu_mem_global_op_{}.sum", kind));
  if (!sectors || !requests || *requests <= 0 || *sectors <= 0) return std::nullopt;
  Access access{*sectors / *requests, 16, false};
  const auto used =
      metricOf(launch, fmt::format("smsp__sass_average_data_bytes_per_sector_mem_global_op_{}.pct", kind));
  if (used && *used > 0) {
    access.ideal = access.sectors * std::min(*used / 100, 1.0);
    access.certain = true;
  }
  return access;
}

}  // namespace

std::optional<Advice> uncoalesced(const Report&, const ProfiledCase& one) {
  const Launch* launch = mainLaunch(one);
  if (launch == nullptr) return std::nullopt;
  std::optional<Advice> worst;
  for (const auto& [kind, words, opcode] :
       {std::tuple{"ld", "loads", "LDG"}, std::tuple{"st", "stores", "STG"}}) {
    const auto access = accessOf(*launch, kind);
    // Without a count of used bytes, only more than 16 sectors, those of a full warp's 16-byte accesses, are
    // certain. What lies across one more sector than it has to, as rows of odd lengths do, is not worth a
    // word.
    if (!access || access->sectors < (access->certain ? 2.04 : 1.25) * access->ideal) continue;
    Advice advice;
    advice.tone = Tone::warning;
    advice.weight = std::min(1.0, 1 - access->ideal / access->sectors);
    advice.text = fmt::format(
        "Uncoalesced: global {}{} touch {} sectors of 32 bytes a request where {}{} would do; "
        "neighbouring threads should use neighbouring addresses",
        words, ofKernel(one, *launch), formatNumber(access->sectors), access->certain ? "" : "at most ",
        formatNumber(access->ideal));
    advice.place = hottestLine(one, {opcode});
    if (advice.place.line == 0) advice.place = firstLine(one, *launch, opcode);
    if (const auto waiting = waitingForMemory(one)) advice.saves = *waiting * advice.weight;
    if (!worst || worst->weight < advice.weight) worst = std::move(advice);
  }
  return worst;
}

std::optional<Advice> bankConflicts(const Report&, const ProfiledCase& one) {
  const Launch* launch = mainLaunch(one);
  if (launch == nullptr) return std::nullopt;
  const auto loads = metricOf(*launch, "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum");
  const auto stores = metricOf(*launch, "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum");
  if (!loads && !stores) return std::nullopt;
  const double conflicts = loads.value_or(0) + stores.value_or(0);
  // The passes through shared memory: counted, or one per instruction and one per conflict.
  auto passes = metricOf(*launch, "l1tex__data_pipe_lsu_wavefronts_mem_shared.sum");
  const auto sharedLoads = metricOf(*launch, "smsp__sass_inst_executed_op_shared_ld.sum");
  const auto sharedStores = metricOf(*launch, "smsp__sass_inst_executed_op_shared_st.sum");
  if (!passes && sharedLoads && sharedStores) passes = *sharedLoads + *sharedStores + conflicts;
  if (!passes || *passes <= 0 || conflicts > *passes || conflicts < 0.2 * *passes) return std::nullopt;
  if (computeIsNearItsCeiling(one)) return std::nullopt;
  Advice advice;
  advice.tone = Tone::warning;
  advice.weight = conflicts / *passes;
  if (const auto waiting = waitingForShared(one)) advice.saves = *waiting * advice.weight;
  advice.text = fmt::format(
      "Bank conflicts: {} of the {} passes{} through shared memory are repeats, {}; pad the rows or permute "
      "the indices",
      formatScaled(conflicts, ""), formatScaled(*passes, ""), ofKernel(one, *launch),
      formatPercent(conflicts / *passes));
  advice.place = hottestLine(one, {"LDS", "STS"});
  if (advice.place.line == 0) advice.place = firstLine(one, *launch, "LDS");
  return advice;
}

std::optional<Advice> spills(const Report&, const ProfiledCase& one) {
  const Launch* launch = mainLaunch(one);
  if (launch == nullptr || launch->localBytes <= 0) return std::nullopt;
  int stores = 0, loads = 0;
  if (one.kernel->compiled)
    for (const Artifact& artifact : one.kernel->compiled->artifacts) {
      if (!artifact.dtype.empty() && artifact.dtype != one.row->definition.dtype) continue;
      stores = std::max(stores, artifact.spillStores);
      loads = std::max(loads, artifact.spillLoads);
    }
  Advice advice;
  advice.tone = Tone::warning;
  advice.weight = 0.3;
  advice.saves = waitingForMemory(one);
  if (stores + loads > 0)
    advice.text = fmt::format(
        "Spills: {} registers a thread{} were not enough, {} are stored to and {} loaded from local memory; "
        "use smaller blocks, __launch_bounds__ or fewer live values",
        launch->registers, ofKernel(one, *launch), formatBytes(stores), formatBytes(loads));
  else
    advice.text = fmt::format(
        "Local memory: {} a thread{} live outside the registers, spilled or in arrays with computed indices",
        formatBytes(static_cast<double>(launch->localBytes)), ofKernel(one, *launch));
  advice.place = hottestLine(one, {"LDL", "STL"});
  if (advice.place.line == 0) advice.place = firstLine(one, *launch, "STL");
  return advice;
}

}  // namespace wb
