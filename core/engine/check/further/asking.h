// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "core/engine/cases/kernel_context.h"
#include "core/engine/remark.h"
#include "core/engine/sides/process/forked.h"

namespace wb {

/// Says, in words that outlive a crash, what a kernel is being asked and what it got wrong.
class Asking {
 public:
  explicit Asking(const SayInFork& say) : say_(say) {}
  /// It answers here as it did before; without this nothing that is said counts.
  void canAnswer();
  /// "at other shapes: 65×1021"
  void asked(std::string_view words);
  void isWrong(std::string_view words);
  /// It gives no answer where the reference does.
  void isRefused(std::string_view words, std::string_view why);
  /// It takes so many seconds to answer, and for what it was checked with `own`.
  void isSlow(std::string_view words, double seconds, double own);
  /// It fails at contents drawn anew, or is wrong about them each time, where it was right when it was
  /// checked: "fails (ValueError)".
  void cannotAnswerAgain(std::string_view how);
  /// What else there is to know, in a sentence: no word against the kernel.
  void isNoted(std::string_view sentence);
  /// The same of other strides, with which many an honest kernel is.
  void isWrongWithStrides(std::string_view words);

 private:
  const SayInFork& say_;
};

/// What the words come to: "wrong at other shapes: 65×1021". `ending` is how the last question ended,
/// "crashes", where it was not answered.
[[nodiscard]] Remark remarkOn(const std::string& said, const std::string& ending);

/// Whether it was said to be wrong with other strides.
[[nodiscard]] bool isWrongWithStrides(const std::string& said);

/// What was asked, in the words of each question.
[[nodiscard]] std::vector<std::string> questionsIn(const std::string& said);

/// The kernel as it is asked apart: no runner is to hear of this, and in a fork the candidate's state is in
/// force already.
[[nodiscard]] KernelContext apartFrom(KernelContext kernel);

/// What both sides make of the same arguments.
struct BothAnswers {
  Stack pristine, actual, expected;
  /// What the kernel's call took.
  double seconds = 0;
};

/// Waits until a kernel's call is done; the device's own wait where there is none.
using WaitForCall = std::function<Result<void>()>;

/// How a kernel is asked where it can be asked as it is, without a fork.
struct AskedApart {
  /// Whether it can be asked still.
  std::function<bool()> isAlive;
  /// Whether there is time for more questions, but for those which alone ask something; may be empty.
  std::function<bool()> hasTime{};
  /// There is so much more time, in seconds, since one call took so long alone; may be empty.
  std::function<void(double seconds)> forgive{};
  /// What it does where it cannot be asked any more: "crashes"; "" where that says nothing of it.
  std::function<std::string()> ending{};
  WaitForCall wait{};
  /// Called before each question, so that those who wait for the GPU need not wait for all of them; may be
  /// empty.
  std::function<void()> letOthers{};
  /// By a strict judge: in a process of its own, whose work is not this process's.
  bool isStrict = false;
  /// Of a problem's kernel, which may know where it is asked at length: one question of each kind.
  bool isBrief = false;

  /// No copy of a process is asked, in which a kernel's threads may be missing.
  [[nodiscard]] bool isNoCopy() const { return static_cast<bool>(ending); }
  [[nodiscard]] bool mayAsk() const { return (!isAlive || isAlive()) && (!hasTime || hasTime()); }
};

/// The reference's answer; Errors: it refuses.
Result<Stack> referenceAnswer(const KernelContext& kernel, const Stack& arguments);
/// The kernel answers first: while it works the right answer is nowhere in memory, where it could look for
/// it. `plan` comes of other values. Errors: one of them refuses. Throws what torch throws.
Result<BothAnswers> answersTo(const KernelContext& kernel, const Literal& call, Stack arguments,
                              const OutputPlan& plan, const WaitForCall& wait = {});
[[nodiscard]] bool isRight(const KernelContext& kernel, const BothAnswers& both);
/// Says that the kernel fails where it was right when it was checked, or a note where it found no room on a
/// GPU.
void sayFailsAgain(Asking& asking, const KernelContext& kernel, const Error& error);
/// Says that the kernel gives no answer to these arguments, where it can be asked still and the reference
/// answers them: that it refuses, or a note where it found no room on a GPU. Gives whether it was said.
bool sayUnanswered(Asking& asking, const KernelContext& kernel, const AskedApart& apart,
                   const std::string& words, const Error& error, const Stack& arguments);

}  // namespace wb
