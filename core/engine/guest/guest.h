// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "core/base/process/mapped_parts.h"
#include "core/engine/call_elsewhere.h"
#include "core/engine/compile/host/text_builds.h"
#include "core/engine/guest/channel/bytes.h"
#include "core/engine/guest/channel/guest_process.h"
#include "core/engine/guest/channel/shared_memory.h"
#include "core/engine/guest/channel/turnstile.h"
#include "core/engine/guest/device_memory.h"
#include "core/engine/guest/loading/kernel_answers.h"
#include "core/engine/sides/process/code_traps.h"
#include "core/model/ran.h"
#include "core/model/verdict.h"

namespace wb {

/// How a guest came to its end, as a verdict on the case under way.
struct GuestLoss {
  Verdict verdict = Verdict::crashed;
  std::string how;
};

/// How a guest carries out a call: `kind` is one of the runs. It is seen from outside whether it comes to one
/// of `traps`, places in the guest's code.
struct RunOrder {
  OrderKind kind = OrderKind::run;
  std::vector<std::uint64_t> traps{};
};

/// The judge's end of a guest: gives orders, waits for them to be carried out, and holds the guest still
/// between them. A guest that ends, or does not answer in time, is lost for good: every later order is an
/// error.
class Guest {
 public:
  struct Start {
    /// The process that it is forked from.
    std::shared_ptr<GuestParent> parent;
    /// The walls around it (sandboxText()); "" for none.
    std::string walls{};
    /// It never loads user code, so that it need not be held still.
    bool trusted = false;
    /// Its calls run on a GPU, and are done some time after they were run.
    bool onDevice = false;
    /// What builds texts for it while it loads a kernel; null for nobody.
    std::shared_ptr<TextBuilds> builds{};
    /// It may start processes, such as a compiler; what is left of them is ended when it is held still.
    bool startsProcesses = false;
    /// The GPU on which it makes a context, which disturbs whoever measures there; "" for none.
    std::string uuid{};
    bool operator==(const Start&) const = default;
  };
  /// Forks the process, and waits for a parent that has not found its torch yet. `greet` waits for the guest.
  static Result<std::unique_ptr<Guest>> start(const Start& start);
  Result<void> greet();

  /// How long the orders from now on may take, all together. `limit` is what is said when they take longer.
  void allow(double seconds, std::string limit, std::stop_token stop = {});

  /// From now on, what answers the kernels that it names while it loads one; null for nobody. It may ask
  /// anew.
  void answerKernels(std::shared_ptr<KernelAnswers> kernels) {
    kernels_ = std::move(kernels);
    questionsLeft_ = mostQuestions;
  }

  /// Sends a message and gives the answer. The guest stands still afterwards if it did before.
  Result<Bytes> ask(std::span<const std::byte> message, std::span<const int> descriptors = {});
  /// Runs a prepared call. `generator` is the state with which a random operator begins.
  Result<void> run(std::uint32_t number, std::span<const std::byte> generator = {},
                   const RunOrder& order = {});
  /// What it says of the last watched run.
  Result<RanThere> ranThere();
  /// The functions of torch's in which it spent its time in the last sampled run, as it says, at its own
  /// addresses.
  Result<std::vector<HotCode>> hotCode();
  /// The places of traps to which the last run came; nothing where none could be set.
  [[nodiscard]] const std::optional<std::set<std::uint64_t>>& reached() const { return reached_; }
  /// Waits until its GPU has done all that was run. A fault of the GPU costs the guest. Nothing to wait for
  /// on the CPU.
  Result<void> finish();
  /// Nothing of its GPU's memory is read until there are other results.
  void forgetResults() { segments_.close(); }
  /// Lets it go on, and waits until it looks for orders. A guest that has worked while it was held still is
  /// lost as one that tampers.
  Result<void> wake();
  /// Has this thread go to another processor where the guest is on its own. It is for work on processors.
  void stepAside() const;
  /// How long it worked before it looked for orders, in seconds, when it was let go on for the last time.
  [[nodiscard]] double workedBeforeOrders() const { return workedBeforeOrders_; }
  /// Of that, what it has used of a processor, which nobody else makes longer; 0 where it may start
  /// processes.
  [[nodiscard]] double usedBeforeOrders() const { return usedBeforeOrders_; }
  /// Wakes it and has its GPU turn to it. Gives how long both took, in seconds.
  Result<double> wakeAndTurn();
  /// How many threads it has, each of which takes its time to go on.
  [[nodiscard]] std::size_t threads() const { return process_.threads(); }
  /// Holds it still.
  void holdStill();
  [[nodiscard]] bool awake() const { return awake_; }

  /// What the call has answered, as far as it can be taken for that. One that is closed says it over its
  /// socket: others may find the memory that both share.
  [[nodiscard]] Result<Bytes> answerOf(std::uint32_t number);
  /// It was looked into right after a call, which took so long, in seconds.
  void noteLook(double seconds) { looks_.push_back(seconds); }
  /// All that were noted since forgetLooks().
  [[nodiscard]] const std::vector<double>& looks() const { return looks_; }
  /// Whether the pages of a result that was looked at were its own and there.
  void noteResult(bool hasPages) { results_ += 1, resultsWithoutPages_ += hasPages ? 0 : 1; }
  [[nodiscard]] bool givesPagesLater() const { return resultsWithoutPages_ * 4 > results_; }
  void forgetLooks() { looks_.clear(), results_ = resultsWithoutPages_ = 0; }
  /// Nobody looks into it, so that it copies itself what is read of its memory; it is believed.
  [[nodiscard]] bool isClosed() const { return isClosed_; }
  /// Copies bytes of its memory while it stands still.
  Result<void> read(std::uint64_t address, std::span<std::byte> to);
  using Place = GuestProcess::Place;
  /// Copies what lies at several places, all at once. Gives how many could be read, the first ones.
  [[nodiscard]] std::size_t readEach(std::span<const Place> places) const;
  /// Writes to its memory; false where that cannot be written to.
  [[nodiscard]] bool write(const Place& place) const;
  /// The same in its GPU's memory.
  [[nodiscard]] bool write(const DeviceSegment& segment, const Place& place);
  /// Copies bytes of its GPU's memory to `to` in the memory of this process's GPU.
  Result<void> read(const DeviceSegment& segment, std::uint64_t address, void* to, std::size_t size);

  [[nodiscard]] bool lost() const { return loss_.has_value(); }
  /// Its process has ended, be it that nobody has noticed.
  [[nodiscard]] bool ended() const { return process_.ended(); }
  [[nodiscard]] const std::optional<GuestLoss>& loss() const { return loss_; }
  [[nodiscard]] pid_t pid() const { return process_.pid(); }

 private:
  using Steady = std::chrono::steady_clock;
  static constexpr int mostQuestions = 16;
  Guest(GuestProcess process, std::shared_ptr<SharedMemory> shared, const Start& start);
  Turnstile& turnstile() { return *reinterpret_cast<Turnstile*>(shared_->data()); }
  void give(OrderKind kind, std::uint32_t number = 0, std::span<const std::byte> generator = {});
  Result<void> carriedOut(Steady::time_point since);
  Result<Bytes> exchange(std::span<const std::byte> message, std::span<const int> descriptors);
  Result<void> answerQuestion(std::span<const std::byte> question, Steady::time_point since);
  Result<void> askForBytes(std::uint64_t address, std::span<std::byte> to);
  [[nodiscard]] Bytes slot(std::uint32_t number) const;
  [[nodiscard]] bool hasItsSocket() const;
  [[nodiscard]] bool isSaidByIt(Bytes& answer, std::span<const std::byte> message) const;
  Error loseToOthers(Steady::time_point since);
  Error lose(Steady::time_point since);
  std::set<std::uint64_t> whileTrapped(CodeTraps& traps, Steady::time_point since);
  /// Whether it has stood still since it was held so.
  [[nodiscard]] bool stoodStill();
  void spent(Steady::time_point since) { left_ -= Steady::now() - since; }

  GuestProcess process_;
  std::shared_ptr<SharedMemory> shared_;
  std::shared_ptr<TextBuilds> builds_;
  std::shared_ptr<KernelAnswers> kernels_;
  int questionsLeft_ = mostQuestions;
  bool trusted_ = false, onDevice_ = false, startsProcesses_ = false, isClosed_ = false;
  /// The socket of one that is closed, as the system knows it.
  std::optional<MappedFile> socketFile_;
  /// Memory to which one that is closed copies its own.
  std::shared_ptr<SharedMemory> copies_;
  bool awake_ = true, greeted_ = false;
  /// Calls were run that may not be done.
  bool behind_ = false;
  std::optional<std::set<std::uint64_t>> reached_;
  OthersSegments segments_;
  std::uint32_t orders_ = 0;
  /// Its time on processors when it was held still, how often that was, and how often it had more of it
  /// afterwards.
  double workedAtStop_ = 0;
  int stops_ = 0, timesAtWork_ = 0;
  /// Something was seen that can let it go on while it is held still.
  bool canGoOnByItself_ = false;
  double workedBeforeOrders_ = 0, usedBeforeOrders_ = 0;
  std::vector<double> looks_;
  int results_ = 0, resultsWithoutPages_ = 0;
  Steady::duration left_ = std::chrono::seconds{60};
  std::string limit_ = "60 s";
  std::stop_token stop_;
  std::optional<GuestLoss> loss_;
};

}  // namespace wb
