// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/model/builds/builds.h"
#include "core/model/job.h"
#include "core/model/report.h"

namespace wb {

/// Why one machine cannot compile a language ahead for another, in words; "" where it can. `measures` says
/// that something is timed there.
[[nodiscard]] std::string whyNotFor(const BuildFacts& builder, const BuildFacts& target,
                                    const std::string& language, bool measures);

/// Whether kernels of a language are built before they are loaded, so that another machine can do that.
[[nodiscard]] bool isBuiltAhead(const std::string& language);

/// The kernels of a run that places without a GPU compile ahead for those that have one: who compiles which,
/// what is built, and for whom. It knows no process and no clock. Nobody waits for it: a kernel that is not
/// built when its turn comes is compiled where it runs.
class CompileFarm {
 public:
  /// What is known of a kernel for one of the places that run cases: nobody builds it ahead, nobody has begun
  /// to, somebody is at it, it is built.
  enum class State { own, open, underWay, built };
  /// What a place compiles ahead.
  struct Task {
    std::uint32_t kernel = 0;
    std::string architecture;
  };
  /// What a place does for places of one kind, said once.
  struct Decision {
    std::size_t builder = 0, target = 0;
    /// The languages that it compiles ahead, and those that it does not, with why.
    std::vector<std::string> languages;
    std::vector<std::pair<std::string, std::string>> refused;
  };

  /// All that is kept of a run's built files.
  static constexpr std::size_t usualBytes = std::size_t{512} << 20;

  /// `compiles` says of each place whether it compiles for the others. Job and report outlive this.
  CompileFarm(const Job& job, const Report& report, std::vector<bool> compiles,
              std::size_t mostBytes = usualBytes);

  [[nodiscard]] bool compiles(std::size_t place) const { return compiles_[place]; }
  /// There are kernels that can be compiled ahead, and places for that.
  [[nodiscard]] bool hasWork() const { return hasWork_; }

  /// What a place builds with. Gives what follows from it, once.
  std::vector<Decision> know(std::size_t place, const BuildFacts& facts);
  [[nodiscard]] bool isKnown(std::size_t place) const { return facts_[place].has_value(); }
  [[nodiscard]] const BuildFacts& facts(std::size_t place) const { return *facts_[place]; }

  /// Whether a worker is of use there: something of what waits may be compiled by it.
  [[nodiscard]] bool mayUse(std::size_t place, const std::vector<std::uint32_t>& waiting) const;
  /// The next kernel for a place, by the order in which they wait to be run; nothing where there is none.
  std::optional<Task> next(std::size_t place, const std::vector<std::uint32_t>& waiting);
  [[nodiscard]] bool isAtWork(std::size_t place) const { return tasks_[place].has_value(); }
  [[nodiscard]] bool isAnyAtWork() const;
  [[nodiscard]] std::uint32_t kernelAt(std::size_t place) const { return tasks_[place]->first; }
  /// Whether nobody waits any more for what it compiles.
  [[nodiscard]] bool isSuperfluous(std::size_t place, const std::vector<std::uint32_t>& waiting) const;

  /// A place has built a part of its kernel. False: there is no room to keep it.
  bool take(std::size_t place, BuiltFile file);
  /// Something came of its task.
  [[nodiscard]] bool hasBuilt(std::size_t place) const {
    return !orders_.at(*tasks_[place]).built.files.empty();
  }
  /// It has done its task, so far as it could.
  void end(std::size_t place);
  /// It was told to stop, and what it has not done may be asked for again.
  void giveBack(std::size_t place);
  /// Its worker was lost. What it was at is left to those who run it. True when the place gets nothing more.
  bool lose(std::size_t place);
  /// No worker can be started there.
  void leave(std::size_t place);

  /// What is known of a kernel for a place that runs cases.
  [[nodiscard]] State state(std::size_t place, std::uint32_t kernel) const;

  struct Built {
    std::size_t builder = 0;
    std::vector<std::shared_ptr<const BuiltFile>> files;
  };
  /// What was built of a kernel for a place; nothing where nothing was.
  [[nodiscard]] const Built* built(std::size_t place, std::uint32_t kernel) const;

 private:
  /// A kernel for one kind of place.
  using Key = std::pair<std::uint32_t, std::size_t>;
  struct Order {
    State state = State::open;
    Built built;
  };

  [[nodiscard]] bool mayCompile(std::size_t place, std::uint32_t kernel, std::size_t kind) const;
  [[nodiscard]] bool mayBeCompiled(std::uint32_t kernel, std::size_t kind) const;
  [[nodiscard]] bool isOpen(std::uint32_t kernel, std::size_t kind) const;
  [[nodiscard]] Decision decide(std::size_t builder, std::size_t kind) const;
  [[nodiscard]] bool isBesideWhatIsTimed(std::size_t builder) const;

  const Report& report_;
  const std::vector<bool> compiles_;
  /// The language of each kernel; "" of those that are not compiled ahead.
  std::vector<std::string> languages_;
  bool measures_ = false, hasWork_ = false;
  std::vector<std::optional<BuildFacts>> facts_;
  /// The places that run cases are of as many kinds as they build for different machines; the first of each.
  std::vector<std::size_t> kinds_;
  std::vector<std::optional<std::size_t>> kindOf_;
  std::vector<std::optional<Key>> tasks_;
  std::vector<int> losses_;
  std::map<Key, Order> orders_;
  const std::size_t mostBytes_;
  std::size_t bytes_ = 0;
};

}  // namespace wb
