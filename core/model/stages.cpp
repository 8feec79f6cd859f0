// SPDX-License-Identifier: Apache-2.0
#include "core/model/stages.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>

#include "core/model/job.h"

namespace wb {
namespace {

constexpr std::array table{
    StageRow{.stage = Stage::compile,
             .doing = "compiling",
             .done = "compiled",
             .between = "compiling",
             .scope = Scope::perKernel,
             .needs = Needs::nothing,
             .seconds = &Limits::compileSeconds,
             .firstSeconds = &Limits::compileSeconds,
             .caps = 0,
             .weight = 2,
             .loss = LossMeans::failure,
             .measures = false,
             .slowdown = 1,
             .inWorker = true,
             .results = {"compiled", ""},
             .refusedUnchecked = ""},
    StageRow{.stage = Stage::check,
             .doing = "checking",
             .done = "checked",
             .between = "making inputs or comparing",
             .scope = Scope::perCase,
             .needs = Needs::compiled,
             .seconds = &Limits::caseSeconds,
             .firstSeconds = &Limits::firstCallSeconds,
             .caps = 0,
             .weight = 2,
             .loss = LossMeans::verdict,
             .measures = false,
             .slowdown = 1,
             .inWorker = true,
             .results = {"checked", ""},
             .refusedUnchecked = ""},
    // The check runs under the tool; this row is what the tool found meanwhile.
    StageRow{.stage = Stage::sanitize,
             .doing = "sanitizing",
             .done = "sanitized",
             .between = "running under compute-sanitizer",
             .scope = Scope::perKernel,
             .needs = Needs::compiled,
             .seconds = &Limits::caseSeconds,
             .firstSeconds = &Limits::firstCallSeconds,
             .caps = 0,
             .weight = 1,
             .loss = LossMeans::noResult,
             .measures = false,
             .slowdown = 20,
             .inWorker = false,
             .results = {"sanitized", ""},
             .refusedUnchecked = "the sanitizer watches the check"},
    StageRow{.stage = Stage::time,
             .doing = "timing",
             .done = "timed",
             .between = "timing both sides",
             .scope = Scope::perCase,
             .needs = Needs::passed,
             .seconds = &Limits::caseSeconds,
             .firstSeconds = &Limits::firstCallSeconds,
             .caps = 3,
             .weight = 4,
             .loss = LossMeans::verdict,
             .measures = true,
             .slowdown = 1,
             .inWorker = true,
             .results = {"timed", "checked"},
             .refusedUnchecked = "a wrong kernel's time means nothing"},
    StageRow{.stage = Stage::profile,
             .doing = "profiling",
             .done = "profiled",
             .between = "profiling",
             .scope = Scope::perCase,
             .needs = Needs::passed,
             .seconds = &Limits::profileSeconds,
             .firstSeconds = &Limits::profileSeconds,
             .caps = 0,
             .weight = 2,
             .loss = LossMeans::noResult,
             .measures = true,
             .slowdown = 1,
             .inWorker = true,
             .results = {"profiled", "listed"},
             .refusedUnchecked = ""},
};

std::string_view withoutSpaces(std::string_view word) {
  while (word.starts_with(' ')) word.remove_prefix(1);
  while (word.ends_with(' ')) word.remove_suffix(1);
  return word;
}

const StageRow* findRow(std::string_view id) {
  const auto found = std::ranges::find(table, id, [](const StageRow& row) { return name(row.stage); });
  return found == table.end() ? nullptr : &*found;
}

}  // namespace

std::span<const StageRow> stageRows() {
  return table;
}

const StageRow& stageRow(Stage stage) {
  const auto found = std::ranges::find(table, stage, &StageRow::stage);
  return found == table.end() ? table.front() : *found;
}

double stepSeconds(const Job& job, Stage stage, bool firstCall) {
  const StageRow& row = stageRow(stage);
  const double seconds = job.limits.*(firstCall ? row.firstSeconds : row.seconds);
  if (row.scope == Scope::perKernel) return seconds;
  double slowdown = 1;
  for (const StageRow& other : table)
    if (job.stages.has(other.stage)) slowdown *= other.slowdown;
  return seconds * slowdown;
}

double secondsOnTop(const Job& job, Stage stage) {
  return stageRow(stage).caps * job.timing.capSeconds;
}

Stages& Stages::set(Stage stage, bool wanted) {
  if (stage == Stage::compile) return *this;
  bits_ = wanted ? bits_ | bit(stage) : bits_ & ~bit(stage);
  const bool slowed =
      std::ranges::any_of(table, [&](const StageRow& row) { return row.slowdown > 1 && has(row.stage); });
  for (const StageRow& row : table)
    if (slowed && row.measures) bits_ &= ~bit(row.stage);
  return *this;
}

std::vector<Stage> Stages::inOrder() const {
  std::vector<Stage> stages;
  for (const StageRow& row : table)
    if (has(row.stage)) stages.push_back(row.stage);
  return stages;
}

std::string text(const Stages& stages) {
  std::string all;
  for (const Stage stage : stages.inOrder()) {
    if (!all.empty()) all += ", ";
    all += name(stage);
  }
  return all;
}

std::string allStages() {
  std::string all;
  for (const StageRow& row : table) {
    if (!all.empty()) all += ", ";
    all += name(row.stage);
  }
  return all;
}

Result<Stages> parseStages(std::string_view list) {
  Stages stages;
  while (!list.empty()) {
    const auto end = std::min(list.find(','), list.size());
    const std::string_view word = withoutSpaces(list.substr(0, end));
    list.remove_prefix(std::min(end + 1, list.size()));
    if (word.empty()) continue;
    const StageRow* row = findRow(word);
    if (row == nullptr)
      return Error{Stage::job, fmt::format("there is no stage '{}'", word), "stages are " + allStages()};
    stages.add(row->stage);
  }
  for (const StageRow& row : table)
    if (stages.has(row.stage) && !stages.has(Stage::check) && !row.refusedUnchecked.empty())
      return Error{Stage::job, fmt::format("{} needs check", name(row.stage)),
                   fmt::format("{}; say compile,check,{}", row.refusedUnchecked, name(row.stage))};
  return stages;
}

}  // namespace wb
