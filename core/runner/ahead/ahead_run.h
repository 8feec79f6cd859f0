// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/protocol/message.h"
#include "core/run/ahead/compile_farm.h"
#include "core/run/job_parts.h"

namespace wb {

/// The part of a run that is compiled ahead: what the places that run no cases are given, what comes from
/// them, and what is said of it. Places are known by the numbers of their stations. What goes wrong here is
/// no kernel's fault and ends nothing: whoever runs a kernel compiles it then.
class AheadRun {
 public:
  using Clock = std::chrono::steady_clock;
  using Say = std::function<void(std::string_view source, const std::string& text)>;
  struct Place {
    /// "cpu of box", and what people call the target; "" is this machine.
    std::string name, title;
    bool compiles = false;
  };

  /// Job, report and parts outlive this.
  AheadRun(const Job& job, const Report& report, JobParts& parts, std::vector<Place> places, Say say);

  [[nodiscard]] const CompileFarm& farm() const { return farm_; }
  /// Says which places run no cases, and what they do.
  void sayWhoCompiles() const;

  /// Whether it has to be asked what a place builds with.
  [[nodiscard]] bool asksFacts(std::size_t place) const { return farm_.hasWork() && !farm_.isKnown(place); }
  void know(std::size_t place, const BuildFacts& facts);

  /// What a place compiles next, of the kernels that wait; nothing where there is nothing.
  std::optional<CompileAhead> handOver(std::size_t place, const std::vector<std::uint32_t>& waiting);
  [[nodiscard]] Clock::time_point deadline(std::size_t place) const { return tasks_[place].before; }
  [[nodiscard]] std::string overdue() const;
  void forgive(Clock::duration gap);
  void forgive(std::size_t place, Clock::duration gap) { tasks_[place].before += gap; }

  /// A file that its worker has built.
  void take(std::size_t place, BuiltFile file);
  /// Its worker has done what it could.
  void end(std::size_t place);
  void giveBack(std::size_t place) {
    if (farm_.isAtWork(place)) farm_.giveBack(place);
  }
  /// Its worker was lost.
  void lose(std::size_t place, const std::string& reason);
  /// No worker can be started there.
  void leave(std::size_t place) { farm_.leave(place); }

  /// What was built for a place of the kernels of its next piece.
  [[nodiscard]] std::vector<Built> builtFor(std::size_t place, const JobWork& work) const;

 private:
  struct Task {
    Clock::time_point began, before;
  };
  [[nodiscard]] std::string builderName(std::size_t place) const;
  void say(const CompileFarm::Decision& decision) const;

  const Job& job_;
  JobParts& parts_;
  const std::vector<Place> places_;
  const Say say_;
  CompileFarm farm_;
  std::vector<Task> tasks_;
};

}  // namespace wb
