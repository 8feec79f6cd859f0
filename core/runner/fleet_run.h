// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/runner/fleet_plan.h"
#include "core/runner/runner.h"

namespace wb {

/// One job on its way through a fleet: which task each member gets next, and what their events mean to the
/// job as a whole. Knows no thread and no runner.
class FleetRun {
 public:
  struct Rules {
    std::vector<std::string> devices;  ///< of the members; one that repeats is shared, and timed on alone
    int lossesToQuarantine = 3;
  };
  /// A task to hand to a member's runner.
  struct Order {
    std::size_t member = 0, task = 0;
    Job job;
  };

  FleetRun(Runner::RunId id, Job job, Runner::Listener listener, Rules rules);

  [[nodiscard]] Runner::RunId id() const { return id_; }
  /// To be called once, before anything else: a job without kernels ends here.
  void begin();
  /// What may be handed out now, as far as members have room.
  std::vector<Order> orders();
  void take(std::size_t task, const Event& event);
  /// No more orders; what runs must be cancelled by the caller. `finish` comes with the last task's end.
  void cancel();
  /// Tasks that run although they need not any more: their runs are to be cancelled. Each is named once.
  std::vector<std::size_t> takeSuperfluous();
  [[nodiscard]] bool done() const { return finished_; }

 private:
  struct Row {
    bool checked = false, timed = false;
    Verdict verdict = Verdict::notRun;
  };
  struct Kernel {
    bool announced = false, failed = false, quarantined = false;
    std::optional<std::vector<Case>> planned;
    bool compiled = false;
    std::vector<Row> rows;
    int losses = 0;
  };
  enum class State { waiting, running, ended };
  struct Task {
    FleetTask what;
    State state = State::waiting;
    std::size_t member = 0;
    bool superfluous = false;      ///< to be cancelled, and said so
    std::optional<Error> failure;  ///< of its whole job
  };

  void emit(const Event& event) { listener_(id_, event); }
  [[nodiscard]] bool available(const Task& task) const;
  [[nodiscard]] std::size_t running(std::size_t member) const;
  [[nodiscard]] std::size_t waiting() const;
  void takeCompiled(const FleetTask& task, Compiled compiled);
  void takeDone(std::size_t task, const StepDone& done);
  void takeFailure(Task& task, StageFailed failed);
  void takeEnd(std::size_t task, const Finished& finished);
  void loseMember(std::size_t task);
  void dropWaiting(std::uint32_t kernel);
  void quarantine(std::uint32_t kernel);
  void settleQuarantined(std::uint32_t kernel);
  void leaveUntimed(const FleetTask& task, const std::string& reason);
  void goOn();
  void planTiming();
  void finish();
  Row* rowOf(std::uint32_t kernel, std::uint32_t index);

  Runner::RunId id_;
  Job job_, frame_;
  Runner::Listener listener_;
  Rules rules_;
  bool alone_;  ///< members share a device: timing comes last, on one of them
  bool timingPhase_ = false;
  std::vector<bool> lost_;  ///< members
  std::vector<Kernel> kernels_;
  std::vector<Task> tasks_;
  bool started_ = false, cancelled_ = false, failed_ = false, finished_ = false;
  Outcome worst_ = Outcome::finished;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace wb
