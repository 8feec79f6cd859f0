// SPDX-License-Identifier: Apache-2.0
#include "core/run/job_parts.h"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <set>
#include <utility>

#include "core/model/operators/operator_name.h"

namespace wb {

namespace {

using Numbers = std::vector<std::uint32_t>;

/// The numbers of the cases that a kernel's work is about: all, where a stage does not name its own.
Numbers numbersOf(const KernelWork& work, std::size_t count) {
  Numbers numbers;
  for (const StageWork& stage : work.stages) {
    if (stageRow(stage.stage).scope != Scope::perCase) continue;
    if (!stage.cases) {
      numbers.resize(count);
      std::iota(numbers.begin(), numbers.end(), 0U);
      return numbers;
    }
    std::copy_if(stage.cases->begin(), stage.cases->end(), std::back_inserter(numbers),
                 [&](std::uint32_t i) { return i < count; });
  }
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  return numbers;
}

}  // namespace

JobParts::JobParts(const Job& job, const Report& report)
    : job_(job), report_(report), dtypes_(job.kernels.size()) {
  for (std::uint32_t i = 0; i < job.cases.size(); ++i) byOperator_[job.cases[i].op].push_back(i);
}

Job JobParts::of(JobWork work) {
  Job part;
  static_cast<RunPlan&>(part) = job_;
  part.limits = job_.limits;
  part.kernels.resize(job_.kernels.size());
  for (KernelWork& each : work.kernels) {
    part.kernels[each.kernel] = job_.kernels[each.kernel];
    if (each.compiled) each.planned = plannedFor(each);
  }
  part.work = std::move(work);
  addCases(part);
  return part;
}

PlannedCases JobParts::plannedFor(const KernelWork& work) {
  const KernelReport& kernel = *report_.kernels[work.kernel];
  auto& dtypes = dtypes_[work.kernel];
  if (!dtypes) {
    dtypes.emplace();
    for (std::size_t i = 0; i < kernel.cases.size(); ++i) addDtype(*dtypes, kernel.cases[i].definition);
  }
  PlannedCases planned;
  planned.op = kernel.compiled->op;
  planned.count = static_cast<std::uint32_t>(kernel.cases.size());
  planned.dtypes = *dtypes;
  planned.numbers = numbersOf(work, kernel.cases.size());
  // What the job says of a case stands above what a worker said, in which user code was loaded.
  const auto own = byOperator_.find(planned.op);
  const std::size_t known = own == byOperator_.end() ? 0 : own->second.size();
  for (const std::uint32_t i : planned.numbers)
    planned.cases.push_back(i < known ? job_.cases[own->second[i]] : kernel.cases[i].definition);
  return planned;
}

/// Adds the cases of the kernels of which nobody has said yet which they run.
void JobParts::addCases(Job& part) const {
  std::set<std::string> operators;
  for (const KernelWork& each : part.work->kernels)
    if (!each.planned) operators.insert(schemaName(job_.kernels[each.kernel].op));
  Numbers wanted;
  for (const std::string& op : operators) {
    const auto found = byOperator_.find(op);
    if (found == byOperator_.end()) {
      // A bare name may mean an overload, which only the worker knows.
      part.cases = job_.cases;
      return;
    }
    wanted.insert(wanted.end(), found->second.begin(), found->second.end());
  }
  std::sort(wanted.begin(), wanted.end());
  for (const std::uint32_t i : wanted) part.cases.push_back(job_.cases[i]);
}

}  // namespace wb
