// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <limits>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "core/run/ahead/compile_farm.h"
#include "core/run/at_work.h"
#include "core/run/faults.h"
#include "core/run/paces.h"
#include "core/run/portions.h"
#include "core/run/split.h"

namespace wb {

/// Shares a job among places for workers: who gets what, and when somebody waits for what another one has.
/// It knows no process and no clock; seconds come from its caller. Pieces become smaller towards the end, and
/// a place gets of them by its speed. What a slow place has left is taken back for those that are free, and
/// the case that it is at is given to another one as well when nothing else is left: the first answer counts.
class Dealer {
 public:
  /// The device of a place that runs no cases, and only compiles for the others.
  static constexpr std::size_t noDevice = std::numeric_limits<std::size_t>::max();

  /// `devices` has for each place the number of its device. Job and report outlive this, and so does what is
  /// known of kernels that others compile ahead: of those that are built, which are handed out first, and of
  /// those that are not, each by itself.
  Dealer(const Job& job, const Report& report, const std::vector<std::size_t>& devices,
         const CompileFarm* farm = nullptr);

  // What is handed out.
  /// The next piece for a place; nothing where there is none for it now.
  std::optional<JobWork> next(std::size_t place);
  /// The place that has to leave its work but for the case that it is at, since `free` waits for it; nothing
  /// where nobody has. What it leaves can be handed out.
  std::optional<std::size_t> recall(std::size_t free, double now);
  /// Whether the place may be used: one that measures alone must not be disturbed, and one that fails gets
  /// nothing more.
  [[nodiscard]] bool mayUse(std::size_t place) const;
  [[nodiscard]] bool isOut(std::size_t place) const { return faults_.isOut(place); }

  /// The kernels that nobody has been given and nobody has compiled, in the order in which they wait.
  [[nodiscard]] std::vector<std::uint32_t> uncompiled() const;

  // What a place has.
  [[nodiscard]] bool isAtWork(std::size_t place) const { return places_[place].work.has_value(); }
  [[nodiscard]] bool isAnyAtWork() const;
  [[nodiscard]] const JobWork& work(std::size_t place) const { return *places_[place].work; }
  [[nodiscard]] const AtWork& at(std::size_t place) const { return places_[place].at; }
  /// Whether what a place says is of no use: it is about what was taken back from it, or another one has
  /// answered that before.
  [[nodiscard]] bool isForOthers(std::size_t place, const Event& event) const;
  /// Whether the step that a place is at is not its own any more, or is answered.
  [[nodiscard]] bool isAtOthers(std::size_t place) const;
  /// Whether its work need not be done any more: its kernels were given up, or others have answered.
  [[nodiscard]] bool isSuperfluous(std::size_t place) const;
  /// Follows what a place says. True when that starts or ends something.
  bool follow(std::size_t place, const Event& event, double now);

  // How work ends.
  /// The place has done its work.
  void end(std::size_t place);
  /// The place leaves what is left of its work to others.
  void giveBack(std::size_t place);
  /// The same, and its kernels before the one that it is at are done; that one too where it `isDone`.
  void leaveKernel(std::size_t place, bool isDone);
  Faults& faults() { return faults_; }

  /// Nobody is at work, and nothing is left to hand out. Begins the next round where one is over.
  bool isOver();
  /// Nothing more is handed out. True when something is left out by that.
  bool stop();

 private:
  struct Place {
    std::optional<JobWork> work;
    AtWork at;
    /// When its step began.
    double began = 0;
    /// How many steps of cases it has left, and how many each case has.
    std::size_t stepsLeft = 0, stepsOfCase = 1;
    /// It loads a kernel that was compiled elsewhere.
    bool isLoading = false;
    /// A part of its work was taken back.
    bool isRecalled = false;
    /// Another place has a case of its work as well.
    bool isDoubled = false;
  };
  struct Piece {
    std::size_t cases = 0;
    JobWork work;
  };
  using Pieces = std::deque<Piece>;

  std::optional<JobWork> deal(std::size_t place, Pieces::iterator piece, Portions portions);
  std::optional<JobWork> nextBuilt(std::size_t place);
  void add(JobWork work, bool first);
  void beginRound();
  [[nodiscard]] JobWork rest(const JobWork& work) const;
  [[nodiscard]] bool isAvailable(const JobWork& piece) const;
  [[nodiscard]] bool isAlone() const { return round_ < rounds_.size() && rounds_[round_].alone; }
  [[nodiscard]] bool isSlow(std::size_t place) const;
  [[nodiscard]] std::size_t shareOf(std::size_t place, const JobWork& piece) const;
  [[nodiscard]] double casesPerLoad(std::size_t place, const JobWork& piece) const;
  [[nodiscard]] std::size_t sharers() const;
  [[nodiscard]] bool isKnown(std::uint32_t kernel, std::uint32_t index, Stage stage) const;
  [[nodiscard]] double stepSeconds(std::size_t place, double now) const;
  void give(Place& taker, JobWork work) const;
  bool takeBack(std::size_t place);
  [[nodiscard]] bool isStuck(std::size_t place, std::size_t other, double otherSeconds, double now) const;
  std::optional<std::size_t> doubled(std::size_t free, double now);

  const Job& job_;
  const Report& report_;
  const std::vector<std::size_t> devices_;
  const Crowd crowd_;
  const CompileFarm* farm_;
  std::vector<Round> rounds_;
  std::size_t round_ = 0;
  /// The pieces of this round that nobody has, and how many cases they have.
  Pieces waiting_;
  std::size_t waitingCases_ = 0;
  CaseCounts counts_;
  std::vector<Place> places_;
  Paces paces_;
  Faults faults_;
  /// Cases, as kernel and index, that were given to a second place.
  std::set<std::pair<std::uint32_t, std::uint32_t>> doubled_;
  double nextLook_ = 0;
};

}  // namespace wb
