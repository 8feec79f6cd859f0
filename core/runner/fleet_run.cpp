// SPDX-License-Identifier: Apache-2.0
#include "core/runner/fleet_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace wb {
namespace {

bool anyShared(const std::vector<std::string>& devices) {
  return std::set<std::string>(devices.begin(), devices.end()).size() < devices.size();
}

std::string quarantineText(int losses) {
  return fmt::format("not run: this kernel has ended its worker {} times", losses);
}

}  // namespace

FleetRun::FleetRun(Runner::RunId id, Job job, Runner::Listener listener, Rules rules)
    : id_(id),
      job_(std::move(job)),
      frame_(frameOf(job_)),
      listener_(std::move(listener)),
      rules_(std::move(rules)),
      alone_(anyShared(rules_.devices)),
      lost_(rules_.devices.size(), false),
      kernels_(job_.kernels.size()) {
  for (std::size_t k = 0; k < kernels_.size(); ++k) kernels_[k].planned = knownCases(job_, job_.kernels[k]);
  timingPhase_ = alone_ && !job_.stages.has(Stage::check);
  Stages first = job_.stages;
  if (alone_ && !timingPhase_) first.remove(Stage::time);
  first.remove(Stage::profile);
  for (FleetTask& task : planTasks(job_, first, timingPhase_ ? 1 : rules_.devices.size()))
    tasks_.push_back({std::move(task), State::waiting, 0, false, {}});
}

void FleetRun::begin() {
  if (!tasks_.empty()) return;
  emit(StageFailed{std::nullopt, Error{Stage::job, "there is no kernel to run", {}, {}}});
  finish();
}

bool FleetRun::available(const Task& task) const {
  return task.state == State::waiting && (task.what.leads || kernels_[task.what.kernel].compiled);
}

std::size_t FleetRun::running(std::size_t member) const {
  return static_cast<std::size_t>(std::count_if(tasks_.begin(), tasks_.end(), [&](const Task& task) {
    return task.state == State::running && task.member == member;
  }));
}

std::size_t FleetRun::waiting() const {
  return static_cast<std::size_t>(std::count_if(
      tasks_.begin(), tasks_.end(), [](const Task& task) { return task.state == State::waiting; }));
}

std::vector<FleetRun::Order> FleetRun::orders() {
  std::vector<Order> orders;
  if (cancelled_ || finished_) return orders;
  // A second task waits at each member while there are many, so that none is idle between two.
  const std::size_t room = waiting() > 2 * rules_.devices.size() ? 2 : 1;
  for (std::size_t pass = 0; pass < room; ++pass) {
    for (std::size_t member = 0; member < rules_.devices.size(); ++member) {
      if (lost_[member] || running(member) > pass) continue;
      const auto task =
          std::find_if(tasks_.begin(), tasks_.end(), [&](const Task& t) { return available(t); });
      if (task == tasks_.end()) return orders;
      if (timingPhase_ &&
          std::any_of(tasks_.begin(), tasks_.end(), [](const Task& t) { return t.state == State::running; }))
        return orders;
      task->state = State::running;
      task->member = member;
      const auto& planned = kernels_[task->what.kernel].planned;
      orders.push_back({member, static_cast<std::size_t>(task - tasks_.begin()),
                        jobOf(frame_, job_, task->what, planned)});
    }
  }
  return orders;
}

FleetRun::Row* FleetRun::rowOf(std::uint32_t kernel, std::uint32_t index) {
  auto& rows = kernels_[kernel].rows;
  return index < rows.size() ? &rows[index] : nullptr;
}

void FleetRun::take(std::size_t number, const Event& event) {
  if (finished_ || number >= tasks_.size()) return;
  const FleetTask what = tasks_[number].what;
  const std::uint32_t kernel = what.kernel;
  if (const auto* started = std::get_if<JobStarted>(&event)) {
    if (!std::exchange(started_, true)) emit(*started);
  } else if (const auto* begun = std::get_if<StepStarted>(&event)) {
    if (begun->index)
      emit(StepStarted{begun->stage, kernel, what.caseNumber(*begun->index)});
    else if (!std::exchange(kernels_[kernel].announced, true))
      emit(StepStarted{begun->stage, kernel, std::nullopt});
  } else if (const auto* diagnosed = std::get_if<Diagnosed>(&event)) {
    if (what.leads) emit(Diagnosed{kernel, diagnosed->diagnostic});
  } else if (const auto* compiled = resultIn<Compiled>(event)) {
    takeCompiled(what, *compiled);
  } else if (const auto* side = std::get_if<SideStarted>(&event)) {
    emit(SideStarted{kernel, what.caseNumber(side->index), side->side, side->first, side->seconds});
  } else if (const auto* done = std::get_if<StepDone>(&event)) {
    StepDone told = *done;
    told.kernel = kernel;
    if (told.index) told.index = what.caseNumber(*told.index);
    takeDone(number, told);
  } else if (const auto* failed = std::get_if<StageFailed>(&event)) {
    takeFailure(tasks_[number], *failed);
  } else if (const auto* lost = std::get_if<WorkerLost>(&event)) {
    WorkerLost told = *lost;
    if (told.kernel) told.kernel = kernel;
    emit(told);
  } else if (const auto* finished = std::get_if<Finished>(&event)) {
    takeEnd(number, *finished);
  } else {
    emit(event);
  }
}

void FleetRun::takeCompiled(const FleetTask& task, Compiled compiled) {
  Kernel& kernel = kernels_[task.kernel];
  if (std::exchange(kernel.compiled, true)) return;
  if (task.cases && kernel.planned) compiled.cases = *kernel.planned;
  kernel.planned = compiled.cases;
  kernel.rows.resize(compiled.cases.size());
  // What was found out need not be found out again: a later task of the kernel names its operator.
  job_.kernels[task.kernel].op = compiled.op;
  emit(StepDone{Stage::compile, task.kernel, std::nullopt, std::move(compiled)});
}

void FleetRun::takeDone(std::size_t number, const StepDone& done) {
  const std::uint32_t kernel = done.kernel;
  const auto* check = std::get_if<CaseCheck>(&done.result);
  Row* row = done.index ? rowOf(kernel, *done.index) : nullptr;
  if (row && check) {
    row->checked = true;
    row->verdict = check->verdict;
  } else if (row && done.stage == Stage::time) {
    row->timed = true;
  }
  emit(done);
  if (!check) return;
  const Verdict verdict = check->verdict;
  if (verdict != Verdict::crashed && verdict != Verdict::hung) return;
  ++kernels_[kernel].losses;
  const bool others = std::any_of(tasks_.begin(), tasks_.end(), [&](const Task& task) {
    return &task != &tasks_[number] && task.what.kernel == kernel && task.state != State::ended;
  });
  if (others && kernels_[kernel].losses >= rules_.lossesToQuarantine) quarantine(kernel);
}

void FleetRun::takeFailure(Task& task, StageFailed failed) {
  if (!failed.kernel) {
    task.failure = failed.error;
    return;
  }
  Kernel& kernel = kernels_[task.what.kernel];
  if (timingPhase_ && kernel.compiled) return leaveUntimed(task.what, failed.error.text);
  dropWaiting(task.what.kernel);
  if (!std::exchange(kernel.failed, true)) emit(StageFailed{task.what.kernel, failed.error});
}

void FleetRun::leaveUntimed(const FleetTask& task, const std::string& reason) {
  for (std::uint32_t i = 0; task.cases && i < task.cases->size(); ++i) {
    Row* row = rowOf(task.kernel, (*task.cases)[i]);
    if (row && !std::exchange(row->timed, true))
      emit(StepDone{Stage::time, task.kernel, (*task.cases)[i], NoResult{reason}});
  }
}

void FleetRun::dropWaiting(std::uint32_t kernel) {
  for (Task& task : tasks_)
    if (task.what.kernel == kernel && task.state == State::waiting) task.state = State::ended;
}

/// The rest of the kernel's cases is not run, wherever it waits or runs.
void FleetRun::quarantine(std::uint32_t kernel) {
  kernels_[kernel].quarantined = true;
  dropWaiting(kernel);
}

std::vector<std::size_t> FleetRun::takeSuperfluous() {
  std::vector<std::size_t> numbers;
  for (std::size_t i = 0; i < tasks_.size(); ++i) {
    Task& task = tasks_[i];
    const bool unwanted = cancelled_ || kernels_[task.what.kernel].quarantined;
    if (task.state == State::running && unwanted && !std::exchange(task.superfluous, true))
      numbers.push_back(i);
  }
  return numbers;
}

void FleetRun::settleQuarantined(std::uint32_t kernel) {
  Kernel& which = kernels_[kernel];
  const std::string why = quarantineText(which.losses);
  for (std::uint32_t i = 0; i < which.rows.size(); ++i) {
    Row& row = which.rows[i];
    if (!row.checked && job_.stages.has(Stage::check)) {
      CaseCheck check;
      check.verdict = row.verdict = Verdict::quarantined;
      check.message = why;
      row.checked = true;
      emit(StepDone{Stage::check, kernel, i, std::move(check)});
    } else if (row.verdict == Verdict::pass && job_.stages.has(Stage::time) && !row.timed) {
      row.timed = true;
      emit(StepDone{Stage::time, kernel, i, NoResult{why}});
    }
  }
}

void FleetRun::takeEnd(std::size_t number, const Finished& finished) {
  Task& task = tasks_[number];
  if (task.state != State::running) return;
  task.state = State::ended;
  if (finished.outcome == Outcome::workerLost) {
    loseMember(number);
  } else if (tasks_[number].failure && !std::exchange(failed_, true)) {
    emit(StageFailed{std::nullopt, *tasks_[number].failure});
  }
  goOn();
}

/// A runner gives up when it cannot start workers any more. Its task goes to another member.
void FleetRun::loseMember(std::size_t number) {
  const Task task = tasks_[number];
  const Error error = task.failure.value_or(Error{Stage::setup, "a worker was lost", {}, {}});
  const bool known = lost_[task.member];
  lost_[task.member] = true;
  // The same member's other task comes back with the same news.
  if (std::all_of(lost_.begin(), lost_.end(), [](bool lost) { return lost; })) {
    worst_ = Outcome::workerLost;
    for (Task& each : tasks_)
      if (each.state == State::waiting) each.state = State::ended;
    if (!std::exchange(failed_, true)) emit(StageFailed{std::nullopt, error});
    return;
  }
  if (!known)
    emit(Log{"runner", fmt::format("worker {} on {} is out, the others go on: {}", task.member + 1,
                                   rules_.devices[task.member], error.text)});
  if (cancelled_) return;
  FleetTask rest = task.what;
  const Kernel& kernel = kernels_[rest.kernel];
  if (kernel.compiled) {
    std::vector<std::uint32_t> left;
    for (std::uint32_t i = 0; i < kernel.rows.size(); ++i) {
      const bool mine =
          !rest.cases || std::find(rest.cases->begin(), rest.cases->end(), i) != rest.cases->end();
      const Row& row = kernel.rows[i];
      if (mine && (rest.stages.has(Stage::check) ? !row.checked : !row.timed)) left.push_back(i);
    }
    if (left.empty()) return;
    rest.cases = std::move(left);
  }
  tasks_.push_back({std::move(rest), State::waiting, 0, false, {}});
}

void FleetRun::cancel() {
  cancelled_ = true;
  for (Task& task : tasks_)
    if (task.state == State::waiting) task.state = State::ended;
  goOn();
}

/// After a task has ended: is the phase over, or the run?
void FleetRun::goOn() {
  if (finished_) return;
  for (Task& task : tasks_)
    if (task.state == State::waiting && !task.what.leads && !kernels_[task.what.kernel].compiled &&
        std::none_of(tasks_.begin(), tasks_.end(), [&](const Task& lead) {
          return lead.what.kernel == task.what.kernel && lead.what.leads && lead.state != State::ended;
        }))
      task.state = State::ended;  // its kernel's first task came to nothing
  const bool over =
      std::all_of(tasks_.begin(), tasks_.end(), [](const Task& task) { return task.state == State::ended; });
  if (!over) return;
  for (std::uint32_t k = 0; k < kernels_.size(); ++k)
    if (kernels_[k].quarantined && !cancelled_) settleQuarantined(k);
  const bool timingLeft = alone_ && !timingPhase_ && job_.stages.has(Stage::time) && !cancelled_;
  if (timingLeft && worst_ == Outcome::finished) planTiming();
  if (std::all_of(tasks_.begin(), tasks_.end(), [](const Task& task) { return task.state == State::ended; }))
    finish();
}

void FleetRun::planTiming() {
  timingPhase_ = true;
  for (std::uint32_t k = 0; k < kernels_.size(); ++k) {
    Kernel& kernel = kernels_[k];
    if (!kernel.compiled || kernel.failed) continue;
    if (kernel.losses >= rules_.lossesToQuarantine) settleQuarantined(k);
    FleetTask task{k, Stages{Stage::time}, std::vector<std::uint32_t>(), true};
    for (std::uint32_t i = 0; i < kernel.rows.size(); ++i)
      if (kernel.rows[i].verdict == Verdict::pass && !kernel.rows[i].timed &&
          (*kernel.planned)[i].use != CaseUse::check)
        task.cases->push_back(i);
    if (!task.cases->empty()) tasks_.push_back({std::move(task), State::waiting, 0, false, {}});
  }
}

void FleetRun::finish() {
  finished_ = true;
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  emit(Finished{cancelled_ ? Outcome::cancelled : worst_, seconds});
}

}  // namespace wb
