// SPDX-License-Identifier: Apache-2.0
#include "core/run/portions.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <numeric>
#include <string>
#include <string_view>
#include <utility>

#include "core/model/operators/operator_name.h"

namespace wb {

namespace {

using Numbers = std::vector<std::uint32_t>;

bool isPerCase(const StageWork& work) {
  return stageRow(work.stage).scope == Scope::perCase;
}

/// The cases that a kernel's stages name, in their order; nothing where a stage names none.
std::optional<Numbers> named(const KernelWork& work) {
  Numbers all;
  for (const StageWork& stage : work.stages) {
    if (!isPerCase(stage)) continue;
    if (!stage.cases) return std::nullopt;
    Numbers both;
    std::set_union(all.begin(), all.end(), stage.cases->begin(), stage.cases->end(),
                   std::back_inserter(both));
    all = std::move(both);
  }
  return all;
}

std::size_t casesOf(const KernelWork& work, const CaseCounts& counts) {
  if (const auto cases = named(work)) return std::max<std::size_t>(cases->size(), 1);
  return std::max<std::size_t>(counts[work.kernel].value_or(1), 1);
}

/// Moves the cases for which `isTaken` holds out of a kernel's work.
template <class IsTaken>
KernelWork taken(KernelWork& rest, const IsTaken& isTaken) {
  KernelWork now = rest;
  now.stages.clear();
  for (StageWork& stage : rest.stages) {
    if (!isPerCase(stage) || !stage.cases) continue;
    const auto first = std::stable_partition(stage.cases->begin(), stage.cases->end(),
                                             [&](std::uint32_t i) { return !isTaken(i); });
    if (first == stage.cases->end()) continue;
    now.stages.push_back({stage.stage, Numbers(first, stage.cases->end()), stage.most});
    stage.cases->erase(first, stage.cases->end());
  }
  std::erase_if(rest.stages, [](const StageWork& stage) {
    return isPerCase(stage) && stage.cases && stage.cases->empty();
  });
  for (const auto list : {&KernelWork::passed, &KernelWork::hot}) {
    std::erase_if(now.*list, [&](std::uint32_t i) { return !isTaken(i); });
    std::erase_if(rest.*list, isTaken);
  }
  const auto isElsewhere = [](const KernelWork& work) {
    return work.referenceAlone &&
           std::none_of(work.stages.begin(), work.stages.end(), [&](const auto& stage) {
             return stage.cases &&
                    std::binary_search(stage.cases->begin(), stage.cases->end(), *work.referenceAlone);
           });
  };
  if (isElsewhere(now)) now.referenceAlone.reset();
  if (isElsewhere(rest)) rest.referenceAlone.reset();
  return now;
}

bool mayBeCut(const KernelWork& work, const CaseCounts& counts) {
  return !work.stages.empty() && (counts[work.kernel] || named(work)) &&
         std::all_of(work.stages.begin(), work.stages.end(), [](const StageWork& stage) {
           return isPerCase(stage) && stage.stage != Stage::profile;
         });
}

/// Names all of a kernel's cases where its stages name none.
void nameAll(KernelWork& work, std::size_t count) {
  Numbers all(count);
  std::iota(all.begin(), all.end(), 0U);
  for (StageWork& stage : work.stages)
    if (!stage.cases) stage.cases = all;
}

}  // namespace

CaseCounts caseCounts(const Job& job, const Report& report) {
  std::map<std::string_view, std::size_t> byOperator;
  for (const Case& each : job.cases) ++byOperator[each.op];
  CaseCounts counts;
  for (std::size_t kernel = 0; kernel < job.kernels.size(); ++kernel) {
    const KernelReport& known = *report.kernels[kernel];
    const std::string& op = job.kernels[kernel].op;
    const auto found = op.empty() ? byOperator.end() : byOperator.find(schemaName(op));
    if (known.compiled)
      counts.emplace_back(known.cases.size());
    else
      counts.push_back(found == byOperator.end() ? std::nullopt : std::optional(found->second));
  }
  return counts;
}

std::size_t casesIn(const JobWork& piece, const CaseCounts& counts) {
  std::size_t sum = 0;
  for (const KernelWork& work : piece.kernels) sum += casesOf(work, counts);
  return sum;
}

Portions cutOff(JobWork piece, std::size_t most, const CaseCounts& counts) {
  Portions portions{{piece.begun, {}}, {piece.begun, {}}};
  std::size_t room = std::max<std::size_t>(most, 1);
  for (KernelWork& work : piece.kernels) {
    const std::size_t cases = casesOf(work, counts);
    const bool isFirst = portions.now.kernels.empty();
    if (room > 0 && cases <= room) {
      room -= cases;
      portions.now.kernels.push_back(std::move(work));
    } else if (isFirst && mayBeCut(work, counts)) {
      if (counts[work.kernel]) nameAll(work, *counts[work.kernel]);
      const std::uint32_t end = (*named(work))[room];
      portions.now.kernels.push_back(taken(work, [end](std::uint32_t i) { return i < end; }));
      portions.later.kernels.push_back(std::move(work));
      room = 0;
    } else {
      (isFirst ? portions.now : portions.later).kernels.push_back(std::move(work));
      room = 0;
    }
  }
  return portions;
}

Portions takeOut(JobWork piece, std::uint32_t kernel, std::uint32_t index) {
  Portions portions{{piece.begun, {}}, std::move(piece)};
  for (KernelWork& work : portions.later.kernels)
    if (work.kernel == kernel)
      portions.now.kernels.push_back(taken(work, [index](std::uint32_t i) { return i == index; }));
  std::erase_if(portions.later.kernels, [](const KernelWork& work) { return work.stages.empty(); });
  std::erase_if(portions.now.kernels, [](const KernelWork& work) { return work.stages.empty(); });
  return portions;
}

}  // namespace wb
