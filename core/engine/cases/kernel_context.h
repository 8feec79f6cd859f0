// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <vector>

#include "core/engine/call.h"
#include "core/engine/cases/sealed_job.h"
#include "core/engine/recorded_time.h"
#include "core/engine/reference/operator.h"
#include "core/engine/reference/problem_models.h"
#include "core/engine/remark.h"
#include "core/engine/sides/process_state.h"
#include "core/engine/sides/turns.h"
#include "core/model/job.h"
#include "core/model/operators/literal.h"

namespace wb {

/// What the reference was asked in a process in which a kernel has been, and what it said.
struct AnsweredHere {
  /// How it answered; void cases come of the other two.
  enum class How { steadily, variously, notAtAll };
  Literal call;
  /// The seed of which a problem's own get_inputs() made the inputs.
  std::optional<std::uint64_t> ownSeed{};
  /// The generator's, where it draws.
  std::optional<std::uint64_t> seed{};
  How how = How::steadily;
  /// The inputs, and the answer where there is one: the results, followed by the arguments that it may
  /// change.
  Stack pristine{}, expected{};
  /// The error, where there is no answer.
  std::string error{};
  /// It is asked about before others, and whatever that takes.
  bool isDrawn = false;
};

/// What is asked of a kernel beyond the cases of its job, and how much of that there may still be.
struct FurtherQuestions {
  /// Their contents come from this number, which nobody knows before the run.
  std::uint64_t seed = 0;
  /// The seconds that forks of this process may still take; 0 where there shall be none.
  double forkSeconds = 0;
  /// The seconds that the check of a case may take for more to be asked about it.
  double mostCheckSeconds = 1;
  /// What the check of the last case took, without what was asked beside it.
  double checkSeconds = 0;
  /// What the kernel's last call took that was checked.
  double callSeconds = 0;
  /// The last case was checked for so long that no more was asked about it.
  bool wasTooSlow = false;
  /// What was found beside the last case.
  Remark remark{};
  /// The kernel did not answer in a fork, be it because its threads are missing there, or because it knows a
  /// fork: it is asked in this process when all else is done.
  bool isUnanswered = false;
  /// The cases for which there are forks: a few, since each takes longer than the case itself, and nobody
  /// knows before which.
  std::set<const Case*> forked{};
  /// It is asked with other strides: no case of its job has any, which would tell already.
  bool asksStrides = true;
  /// What the reference is asked once more where no kernel has been, the bytes that this takes, and the
  /// seconds that there still are for it, beside the cases for which there are forks.
  std::vector<AnsweredHere> answered{};
  std::int64_t answeredBytes = 0;
  double thereSeconds = 0;
};

/// The reference in a process in which no kernel's code has ever run.
struct ReferenceApart {
  Candidate* reference = nullptr;
  /// The same, called with the state that torch's generator has here.
  Candidate* drawing = nullptr;
  /// What an order to that process takes at least, in seconds, which each of its calls pays as well.
  double orderSeconds = 0;
  /// It works with one thread, since who gives it orders needs a processor, too.
  bool hasOneThread = false;
  /// That process waits for orders, and sleeps when none comes for some time; this wakes it.
  std::function<void()> wake{};
  /// What a problem's own get_inputs() makes of a seed there; empty for an operator.
  std::function<Result<Stack>(std::uint64_t seed)> inputs{};
};

/// A compiled kernel and what it is measured against. Checking and timing share it.
struct KernelContext {
  const Job& job;
  c10::OperatorHandle op;
  Candidate& candidate;
  std::string device;
  /// A number drawn once per process that seeds the timed inputs.
  std::uint64_t secret = 0;
  std::stop_token stop;
  /// The positions of the arguments that the operator may change: those of in-place operators, and `out=`.
  std::vector<std::size_t> mutableArguments;
  /// Makes arguments by the problem's own get_inputs(), for cases whose values are "own"; may be empty.
  std::function<Result<Stack>(std::uint64_t seed)> ownInputs;
  /// Keeps what the candidate sets away from the reference; null where no user code runs on the host.
  SideStates* states = nullptr;
  /// Is told which side runs; null in some tests.
  Turns* turns = nullptr;
  /// The reference as it is timed, where the candidate runs in a process of its own: in another one, so that
  /// both go the same way. Null: ATen is called here.
  Candidate* timedReference = nullptr;
  /// A problem's reference as it is timed in this process: called as its kernel is. The dispatcher would take
  /// a third of a microsecond more. Null: the operator is called.
  Candidate* problemReference = nullptr;
  /// Sides::enter, where it is not that of `states`.
  std::function<void(bool candidate)> enter{};
  /// Is told how many seconds of a processor a fork of ours has worked while the kernel was timed, which the
  /// kernel's processes have not; may be empty.
  std::function<void(double seconds)> ownForkWorked{};
  /// Sides::counted, in the same place as `enter`.
  std::function<void()> counted{};
  /// Gives the reference in a process in which no kernel's code has ever run, for a second look at its times;
  /// empty where the kernel does not share this process with it, or nobody looks. Errors: the process does
  /// not start, or cannot load it.
  std::function<Result<ReferenceApart>()> referenceApart{};
  /// What the reference of a case took on a GPU before the kernel's code was there; empty where nobody has
  /// looked.
  std::function<std::optional<RecordedTime>(const Case& definition)> referenceBefore{};
  /// Whether another seed makes other inputs of the problem's own.
  bool ownInputsVary = true;
  /// Whether a problem's own reference was seen to draw random numbers; null in some tests.
  bool* referenceDraws = nullptr;
  /// A problem's two models.
  ProblemModels models{};
  /// How many more failing cases tell which elements are wrong; null: none.
  int* tellingCases = nullptr;
  /// Null: a kernel is asked what the job says and nothing else.
  FurtherQuestions* further = nullptr;
  /// The job as it was before the kernel's code ran, where that runs in this process.
  const SealedJob* sealed = nullptr;

  /// The tolerance that every comparison takes, since a kernel could have changed the job's.
  [[nodiscard]] Tolerance tolerance() const {
    return sealed == nullptr ? job.tolerance : sealed->tolerance().value_or(job.tolerance);
  }
};

/// Says which side is at work from here on.
inline void tellSide(const KernelContext& kernel, std::optional<Side> side) {
  if (kernel.turns) kernel.turns->now(side);
}

/// The positions of the arguments that a schema marks as written to: "Tensor(a!) self".
[[nodiscard]] std::vector<std::size_t> mutableArguments(const c10::FunctionSchema& schema);

}  // namespace wb
