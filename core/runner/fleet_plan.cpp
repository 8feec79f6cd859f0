// SPDX-License-Identifier: Apache-2.0
#include "core/runner/fleet_plan.h"

#include <algorithm>
#include <iterator>
#include <numeric>

#include "core/model/operators/operator_name.h"

namespace wb {
namespace {

constexpr std::size_t tasksPerWorker = 4;  // so that the last to finish is not long alone
constexpr std::size_t fewestCases = 4;     // of a task: a worker has to load the kernel for it

}  // namespace

std::optional<std::vector<Case>> knownCases(const Job& job, const KernelSource& source) {
  if (source.op.empty()) return std::nullopt;
  const std::string op = schemaName(source.op);
  std::vector<Case> cases;
  std::copy_if(job.cases.begin(), job.cases.end(), std::back_inserter(cases),
               [&](const Case& each) { return each.op == op; });
  if (cases.empty()) return std::nullopt;  // a bare name may mean an overload: the worker knows
  return cases;
}

std::vector<FleetTask> planTasks(const Job& job, Stages stages, std::size_t workers) {
  std::vector<FleetTask> tasks;
  if (job.kernels.empty()) return tasks;
  const bool cut = job.kernels.size() < 2 * workers && workers > 1;
  const std::size_t parts =
      cut ? (tasksPerWorker * workers + job.kernels.size() - 1) / job.kernels.size() : 1;
  for (std::uint32_t kernel = 0; kernel < job.kernels.size(); ++kernel) {
    const auto cases = parts > 1 ? knownCases(job, job.kernels[kernel]) : std::nullopt;
    const std::size_t count = cases ? cases->size() : 0;
    const std::size_t pieces = std::min(parts, count / fewestCases);
    if (pieces < 2) {
      tasks.push_back({kernel, stages, std::nullopt, true});
      continue;
    }
    for (std::size_t piece = 0; piece < pieces; ++piece) {
      const std::size_t first = count * piece / pieces, last = count * (piece + 1) / pieces;
      std::vector<std::uint32_t> numbers(last - first);
      std::iota(numbers.begin(), numbers.end(), static_cast<std::uint32_t>(first));
      tasks.push_back({kernel, stages, std::move(numbers), piece == 0});
    }
  }
  if (workers < 2) return tasks;
  // The longest first, as far as that is known, so that no long one is left alone at the end. Parts of a
  // kernel keep their order: the first of them leads.
  std::vector<std::size_t> cost;
  for (const KernelSource& kernel : job.kernels) {
    const auto cases = knownCases(job, kernel);
    cost.push_back(cases ? cases->size() : job.cases.size());
  }
  std::stable_sort(tasks.begin(), tasks.end(),
                   [&](const FleetTask& a, const FleetTask& b) { return cost[a.kernel] > cost[b.kernel]; });
  return tasks;
}

Job frameOf(const Job& job) {
  Job frame = job;
  frame.kernels.clear();
  frame.cases.clear();
  frame.resume.reset();
  return frame;
}

Job jobOf(const Job& frame, const Job& job, const FleetTask& task,
          const std::optional<std::vector<Case>>& planned) {
  Job part = frame;
  part.kernels = {job.kernels[task.kernel]};
  part.stages = task.stages;
  if (!planned) {
    part.cases = job.cases;
  } else if (!task.cases) {
    part.cases = *planned;
  } else {
    for (const std::uint32_t number : *task.cases) part.cases.push_back(planned->at(number));
  }
  return part;
}

}  // namespace wb
