// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/base/quantity.h"
#include "core/figures/cells.h"
#include "core/figures/profile/launch_facts.h"
#include "core/figures/profile/profile_facts.h"

namespace wb {

namespace {

constexpr std::array blockSizes = {32, 64, 128, 192, 256, 384, 512, 768, 1024};

/// What a compiled form takes; forms that take the same are one.
struct Form {
  std::string label, architecture;
  int registers = 0;
  std::int64_t shared = 0;
  int launchedWith = 0;  ///< threads of a block, where it was launched; 0 unknown
};

/// The block size that the main launch of a kernel's profile had, and its dynamic shared memory.
const Launch* launchOf(const std::vector<ProfiledCase>& cases, std::size_t kernel, const std::string& name) {
  for (const ProfiledCase& one : cases) {
    if (one.key.kernel != kernel) continue;
    for (const Launch& launch : one.profile->candidate.launches)
      if (launch.function == name || shortName(launch) == name) return &launch;
  }
  return nullptr;
}

std::vector<Form> formsOf(const KernelReport& kernel, std::size_t index,
                          const std::vector<ProfiledCase>& cases) {
  std::vector<Form> forms;
  if (!kernel.compiled) return forms;
  for (const Artifact& artifact : kernel.compiled->artifacts) {
    if (artifact.registers <= 0 || !limitsOf(artifact.architecture)) continue;
    const Launch* launch = launchOf(cases, index, artifact.name);
    const std::int64_t dynamic = launch == nullptr ? 0 : launch->dynamicShared;
    const std::int64_t shared = artifact.sharedBytes + dynamic;
    const auto same = std::find_if(forms.begin(), forms.end(), [&](const Form& form) {
      return form.registers == artifact.registers && form.shared == shared &&
             form.architecture == artifact.architecture && form.label.starts_with(artifact.name);
    });
    if (same != forms.end()) {
      if (!artifact.dtype.empty()) same->label += ", " + artifact.dtype;
      continue;
    }
    std::string label = artifact.name;
    if (!artifact.dtype.empty()) label += " " + artifact.dtype;
    forms.push_back({std::move(label), artifact.architecture, artifact.registers, shared,
                     launch == nullptr ? 0 : threadsOf(*launch)});
  }
  return forms;
}

/// The change that would let one more block in: fewer registers, or less shared memory.
std::string oneMore(const MultiprocessorLimits& limits, const Form& form, int threads, const Occupancy& now) {
  for (int registers = form.registers - 1; registers >= 16; --registers)
    if (occupancy(limits, threads, registers, form.shared).blocks > now.blocks)
      return fmt::format("{} registers a thread", registers);
  for (std::int64_t shared = form.shared - limits.sharedUnit; shared >= 0; shared -= limits.sharedUnit)
    if (occupancy(limits, threads, form.registers, shared).blocks > now.blocks)
      return formatBytes(static_cast<double>(shared)) + " of shared memory";
  return {};
}

void addForm(Table& table, const Form& form, std::size_t kernel, std::size_t number) {
  const MultiprocessorLimits limits = *limitsOf(form.architecture);
  std::vector<int> sizes(blockSizes.begin(), blockSizes.end());
  if (form.launchedWith > 0 && std::find(sizes.begin(), sizes.end(), form.launchedWith) == sizes.end())
    sizes.push_back(form.launchedWith);
  std::sort(sizes.begin(), sizes.end());
  for (const int threads : sizes) {
    const Occupancy o = occupancy(limits, threads, form.registers, form.shared);
    const bool here = threads == form.launchedWith;
    std::vector<Cell> cells;
    cells.push_back(
        textCell(form.label, Tone::neutral,
                 fmt::format("{} registers a thread, {} of shared memory a block, {}", form.registers,
                             formatBytes(static_cast<double>(form.shared)), form.architecture)));
    cells.push_back(countCell(threads));
    cells.back().detail = here ? "as it was launched" : "";
    cells.push_back(countCell(o.blocks, o.blocks == 0 ? Tone::bad : Tone::neutral));
    cells.push_back(countCell(o.warps));
    Cell share = textCell(formatPercent(o.fraction));
    share.sort = share.bar = o.fraction;
    cells.push_back(std::move(share));
    cells.push_back(textCell(o.limiter, Tone::muted));
    cells.push_back(textCell(oneMore(limits, form, threads, o), Tone::muted));
    cells.push_back(textCell(here ? "launched so" : std::string(), Tone::good));
    table.rows.push_back(std::move(cells));
    table.rowIds.push_back(fmt::format("{}/{}/{}", kernel, number, threads));
  }
}

}  // namespace

Table occupancyTable(const Report& report, OneCase only) {
  Table table;
  table.id = "occupancy";
  table.title = "Occupancy by block size";
  table.columns = {
      {"function", "Kernel", false, "Compiled form"},
      {"threads", "Block", true, "Threads of a block"},
      {"blocks", "Blocks", true, "That a multiprocessor holds at once; 0: it cannot be launched"},
      {"warps", "Warps", true, "That a multiprocessor holds at once", 3},
      {"share", "Occupancy", true, "Of the warps that fit"},
      {"limiter", "Limited by", false, "What keeps more blocks out", 1},
      {"more", "One block more with", false, "The smallest change that lets one more in", 2},
      {"note", "Note", false, "", 2}};
  const std::vector<ProfiledCase> cases = casesWithData(report, only);
  if (report.stages.has(Stage::profile))
    for (std::size_t k = 0; k < report.kernels.size(); ++k) {
      if (only && only->kernel != k) continue;
      std::size_t number = 0;
      for (const Form& form : formsOf(*report.kernels[k], k, cases)) addForm(table, form, k, number++);
    }
  if (table.rows.empty())
    table.empty = report.stages.has(Stage::profile) ? "No compiled form says how many registers it takes"
                                                    : whyEmpty(report, Need::launches, only);
  return table;
}

}  // namespace wb
