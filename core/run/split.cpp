// SPDX-License-Identifier: Apache-2.0
#include "core/run/split.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>

#include "core/run/portions.h"
#include "core/run/remaining.h"

namespace wb {

namespace {

using Numbers = std::vector<std::uint32_t>;

constexpr std::size_t piecesPerWorker = 4;  // so that the last one to finish does not work alone for long
constexpr std::size_t fewestCases = 4;      // in a piece, since a worker has to load the kernel for it
// Of many kernels with few cases each, several make a piece, since handing one out takes milliseconds, too.
constexpr std::size_t mostPiecesPerWorker = 32;

bool isSpread(const Job& job, const Crowd& crowd) {
  return crowd.workers > 1 && job.kernels.size() < 2 * crowd.workers;
}

bool has(const Round& round, Stage stage) {
  return std::find(round.stages.begin(), round.stages.end(), stage) != round.stages.end();
}

/// One kernel's work, cut into about `parts` parts of its cases.
std::vector<KernelWork> cut(const KernelWork& whole, std::size_t cases, std::size_t parts) {
  std::vector<KernelWork> pieces;
  const std::size_t count = std::min(parts, cases / fewestCases);
  if (count < 2) return {whole};
  for (std::size_t piece = 0; piece < count; ++piece) {
    const auto first = static_cast<std::uint32_t>(cases * piece / count);
    const auto last = static_cast<std::uint32_t>(cases * (piece + 1) / count);
    KernelWork part = whole;
    part.stages.clear();
    for (const StageWork& stage : whole.stages) {
      if (stageRow(stage.stage).scope == Scope::perKernel) {
        if (piece == 0) part.stages.push_back(stage);
        continue;
      }
      StageWork some{stage.stage, Numbers{}, stage.most};
      for (std::uint32_t i = first; i < last; ++i)
        if (!stage.cases || std::binary_search(stage.cases->begin(), stage.cases->end(), i))
          some.cases->push_back(i);
      part.stages.push_back(std::move(some));
    }
    pieces.push_back(std::move(part));
  }
  return pieces;
}

struct Piece {
  /// Of its kernel, whose time nobody knows yet; at least one.
  std::size_t cases = 1;
  JobWork work;
};

/// The pieces in their order, of which neighbours are put together so that there are about `most`.
std::vector<JobWork> heaped(std::vector<Piece> pieces, std::size_t most) {
  std::size_t all = 0;
  for (const Piece& piece : pieces) all += piece.cases;
  const std::size_t enough = all / most;
  std::vector<JobWork> heaps;
  std::size_t room = 0;
  for (Piece& piece : pieces) {
    if (piece.cases <= room) {
      heaps.back().kernels.push_back(std::move(piece.work.kernels.front()));
      room -= piece.cases;
    } else {
      room = enough - std::min(enough, piece.cases);
      heaps.push_back(std::move(piece.work));
    }
  }
  return heaps;
}

/// The work that a round asks for.
JobWork wantedOf(const Job& job, const Round& round) {
  JobWork all = workIn(job);
  for (KernelWork& kernel : all.kernels) {
    if (job.work) {
      std::erase_if(kernel.stages, [&](const StageWork& each) { return !has(round, each.stage); });
      continue;
    }
    kernel.stages.clear();
    for (const Stage stage : round.stages) kernel.stages.push_back({stage});
  }
  return all;
}

}  // namespace

std::vector<Round> roundsOf(const Job& job, const Crowd& crowd) {
  std::vector<Stage> all;
  for (const StageWork& stage : wholeOf(job, 0).stages) all.push_back(stage.stage);
  if (crowd.workers < 2 || all.empty()) return {{all, false}};
  if (crowd.devices < crowd.workers) {
    const auto first =
        std::stable_partition(all.begin(), all.end(), [](Stage stage) { return !stageRow(stage).measures; });
    std::vector<Round> rounds;
    if (first != all.begin()) rounds.push_back({{all.begin(), first}, false});
    if (first != all.end()) rounds.push_back({{first, all.end()}, true});
    return rounds;
  }
  if (!job.stages.has(Stage::profile) || !isSpread(job, crowd)) return {{all, false}};
  std::erase(all, Stage::profile);
  return {{all, false}, {{Stage::profile}, false}};
}

std::vector<JobWork> piecesOf(const Job& job, const Report& report, const Round& round, const Crowd& crowd) {
  const JobWork all = wantedOf(job, round);
  JobWork rest = remaining(job, report, all);
  // A kernel that was not compiled in an earlier round will not be in a later one.
  const auto stages = wholeOf(job, 0).stages;
  if (!stages.empty() && !has(round, stages.front().stage))
    std::erase_if(rest.kernels, [](const KernelWork& each) { return !each.compiled; });
  if (rest.kernels.empty()) return {};
  if (crowd.workers < 2) return {std::move(rest)};

  const bool spread = isSpread(job, crowd) && !round.alone && !has(round, Stage::profile);
  const std::size_t parts = (piecesPerWorker * crowd.workers + job.kernels.size() - 1) / job.kernels.size();
  const CaseCounts counts = caseCounts(job, report);
  std::vector<Piece> pieces;
  for (const KernelWork& kernel : rest.kernels) {
    const std::optional<std::size_t> count = counts[kernel.kernel];
    const std::size_t cases = count.value_or(job.cases.size());
    for (KernelWork& part : cut(kernel, count.value_or(0), spread ? parts : 1))
      pieces.push_back({std::max<std::size_t>(1, cases), JobWork{rest.begun, {std::move(part)}}});
  }
  std::stable_sort(pieces.begin(), pieces.end(),
                   [](const Piece& a, const Piece& b) { return a.cases > b.cases; });
  return heaped(std::move(pieces), mostPiecesPerWorker * crowd.workers);
}

}  // namespace wb
