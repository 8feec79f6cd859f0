// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>

#include "core/engine/check/further/further_questions.h"
#include "core/engine/compile/compiler.h"
#include "core/engine/device/device_turn.h"
#include "core/engine/guest/guest_session.h"
#include "core/engine/guest/waiting/kept_guests.h"
#include "core/engine/profile/kept_profiles.h"
#include "core/engine/time/clocks/apart/outside_clock.h"
#include "core/engine/time/measured_device.h"
#include "core/model/job.h"
#include "core/model/measurement.h"

namespace wb {

/// The guests of a worker that judges strictly.
struct StrictGuests {
  /// The command line of the process that they are forked from, but for where its torch is.
  std::vector<std::string> command;
  /// It runs already, where it was started ahead.
  ParentOfGuests started{};
  /// That process; null before it is needed.
  std::shared_ptr<GuestParent> parent;
  /// What builds extensions for guests, from their text.
  std::shared_ptr<TextBuilds> builds;
  /// The walls around a guest; others for kernels that a compiler has to be started for.
  std::string walls, wallsWithProcesses;
  /// The GPU on which they make contexts; "" for none.
  std::string uuid;
  /// The guest in which the reference runs while it is timed, on the same way as the candidate; it never
  /// loads user code. It serves all kernels.
  std::shared_ptr<GuestSession> reference;
  /// GuestSession::orderSeconds() of it; 0 before it was measured.
  double orderSeconds = 0;
  /// For the kernels to come, and for those that come again.
  SpareGuests spares;
  KeptGuests kept;
  /// What references counted, by what they were.
  KeptProfiles profiles;
  /// What the last kernel's guests were, and how many; the next one's are likely the same.
  Guest::Start likely;
  std::size_t likelyCount = 0;
  /// A Triton kernel has run on a GPU, and others are likely to come.
  bool likelyTriton = false;
  /// There was no idle time since the last job.
  bool areBusy = false;

  /// Has the guests of the last kernel rest, as far as there is room for them on `device`.
  void keepLast(const std::string& device);
  /// Starts those that another kernel is likely to need, for which it does not wait.
  void startSpares();
  /// What a kernel has left on a GPU goes on while its process stands still, and disturbs what comes. Who
  /// works there at the same time looks alike, so that others are asked to wait, which is for a moment in
  /// which nobody waits for this worker. Where the GPU is not seen at rest even then, the guests that may
  /// have left something are ended.
  void lookForWorkLeft();
};

/// Why a kernel cannot be judged strictly; nothing when it can.
[[nodiscard]] std::optional<Error> whyNotStrict(const Job& job);

/// Whether nothing of a language's source runs on the host, so that a strict judge launches it itself.
[[nodiscard]] bool needsNoGuest(const std::string& language);

/// Whether a kernel starts compilers when it is loaded or first called: Triton for a GPU, and modules that
/// name what does (torch.utils.cpp_extension, torch.compile).
[[nodiscard]] bool startsCompilers(const KernelSource& source, const std::string& language,
                                   const std::string& device);

/// Chooses the walls around guests and starts the process that they are forked from, once. Error: this
/// machine cannot raise the walls that matter.
Result<void> openGuests(StrictGuests& guests, const Target& target);

/// A kernel of a strict job, whose code runs in a guest.
class StrictKernel {
 public:
  /// `kernel` is its number in the job. `problem`: it brings its own reference, which gets a guest of its
  /// own. `device`: "cpu", "cuda:0". `more`: other kernels come after it, for which a guest is started
  /// meanwhile.
  StrictKernel(StrictGuests& guests, Compiler& real, bool problem, const Job& job, std::uint32_t kernel,
               std::string device, bool more, std::stop_token stop);
  StrictKernel(const StrictKernel&) = delete;
  StrictKernel& operator=(const StrictKernel&) = delete;
  /// Its guests are kept where it may come again.
  ~StrictKernel();

  /// The compiler whose kernels run in the guest.
  [[nodiscard]] Compiler& compiler() { return *compiler_; }
  /// The reference in its own guest, as it is timed. Error: that does not start.
  Result<Candidate*> reference(const std::string& op);
  /// What either side's call pays for being made in another process, in seconds; it is shown, and never
  /// subtracted. Known from reference() on.
  [[nodiscard]] double floor() const { return guests_.orderSeconds; }
  /// Loads the kernel into a new guest where the last one was lost. An error is said when it is needed.
  void revive();
  /// Whether the run was stopped, and a guest with it, so that what it came to says nothing.
  [[nodiscard]] bool interrupted() const;
  /// A stage of a case begins: the guest's time for it begins.
  void beginCase(Stage stage);
  /// What guests are timed with: the judge's clock, from outside.
  [[nodiscard]] MeasuredDevice& measured() { return measured_; }
  /// Takes over what is known of the device.
  void measureLike(const MeasuredDevice& own);
  /// A case is timed next, and its GPU is this worker's alone: unless the GPU is at rest, ends the kept
  /// guests that may have left work there. False: it is not at rest then either, so that the kernel's own
  /// guests may have left some.
  [[nodiscard]] bool beginTiming();
  /// Ends the kernel's guests that may have left work on the GPU, and loads the kernel into new ones.
  void startAnew();
  /// Why the time that was taken says nothing: the kernel works where no clock counts it (OutsideClock), or
  /// goes on when the clock has stopped and keeps others from its memory; "" where it does not.
  [[nodiscard]] std::string workedOutside(const CaseTiming& timing);
  /// How much of a sample the kernel may have worked for before its clock began, beyond what to be let go on
  /// takes: the ratio is known no better. 0 for what is usual.
  [[nodiscard]] double shareBefore(const CaseTiming& timing) const { return outside_.share(timing); }
  /// For Sides::counted: what a kernel does in other samples says nothing of those that count.
  void forgetSamples();
  /// For Sides::enter: the candidate's guest runs while it is its turn, and at no other time.
  [[nodiscard]] std::function<void(bool candidate)> entering();
  /// The verdict on the case under way in which the guest was lost, as the stage puts it; nothing when it
  /// lives.
  std::optional<CaseCheck> lost(Stage stage);
  using Ask = std::function<Remark(const AskedApart& apart)>;
  /// The kernel is asked for more than its job says (check/further) in its guest, by `ask`, which says what
  /// it is wrong about. It has a few seconds, and losing it counts for nothing. What was asked
  /// of the same kernel before, in a guest that was kept, is mostly not asked again. `letOthers` as in
  /// AskedApart; what it takes is no part of the kernel's seconds.
  [[nodiscard]] Remark askApart(std::uint32_t index, const std::function<void()>& letOthers, const Ask& ask);
  /// The same for a kernel that comes with a reference of its own. Nothing is compiled anew for what it is
  /// asked.
  [[nodiscard]] Remark askProblemApart(std::uint32_t index, const std::function<void()>& letOthers,
                                       const Ask& ask);
  /// What was found out when the same kernel was timed before, in a guest that was kept. What was seen of it
  /// in its calls is left out now and then, so that it is looked for again.
  [[nodiscard]] KnownOfCase knownOf(std::uint32_t index) const;
  void remember(std::uint32_t index, const SeenInCalls& seen, int callsPerSample);
  /// Its guest was lost so often that the rest is not run.
  [[nodiscard]] bool quarantined() const { return losses_ >= mostLosses; }
  [[nodiscard]] CaseCheck leftOut() const;

 private:
  static constexpr int mostLosses = 3;
  [[nodiscard]] bool onDevice() const { return device_ != "cpu"; }
  [[nodiscard]] std::string workedAfter() const;
  [[nodiscard]] Guest::Start start(bool trusted, bool startsProcesses) const;
  /// The session of the kernel's or its problem's side: one that was kept, or a new one.
  [[nodiscard]] std::shared_ptr<GuestSession> session(ProblemPart part) const;
  /// What was said when it was asked before; nothing where it is to be asked.
  [[nodiscard]] std::optional<Remark> knownRemark(std::uint32_t index) const;
  [[nodiscard]] Remark askInGuest(std::uint32_t index, const std::function<void()>& letOthers,
                                  const Ask& ask);
  /// Waits until what was run of the side whose turn it is is done.
  Result<void> finishCalls();
  /// Has the GPU turn back to the judge, and learns what that takes.
  void turnBack();
  StrictGuests& guests_;
  const Job& job_;
  std::stop_token stop_;
  /// The kernel's number in the job.
  std::uint32_t kernel_;
  /// The guest of the kernel, and that of its problem's reference.
  std::shared_ptr<GuestSession> session_, problem_;
  /// The one whose turn it is.
  std::shared_ptr<GuestSession> active_;
  std::string device_;
  /// Its guest may start compilers.
  bool startsCompilers_ = false;
  MeasuredDevice measured_;
  std::unique_ptr<Compiler> compiler_;
  std::unique_ptr<Candidate> reference_;
  bool tunes_ = false, hung_ = false;
  OutsideClock outside_;
  DeviceTurn turn_;
  /// The candidate has had a sample since the last of these.
  bool hasSample_ = false;
  int losses_ = 0;
};

}  // namespace wb
