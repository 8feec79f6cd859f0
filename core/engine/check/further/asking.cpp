// SPDX-License-Identifier: Apache-2.0
#include "core/engine/check/further/asking.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <utility>
#include <vector>

#include "core/base/quantity.h"
#include "core/base/text.h"
#include "core/engine/check/case_run.h"
#include "core/engine/check/check_stage.h"

namespace wb {
namespace {

constexpr std::string_view asBefore = "as before\n", wrongHere = "wrong ", wrongStrides = "strides ",
                           refusesHere = "refuses ", takesLong = "takes ", again = "again ", noted = "noted ",
                           askedNow = "asked ";

constexpr std::string_view noRoom =
    "The kernel found no memory on the GPU when it was asked for more, so nobody knows more of it.";

/// Others may use a GPU. Whoever says so on the host, where there was room before, need not be believed.
bool isNoRoom(const KernelContext& kernel, const Error& error) {
  return kernel.device != "cpu" && error.text.find("out of memory") != std::string::npos;
}

/// What fits into a sentence of an error's text.
std::string firstOf(std::string_view text) {
  constexpr std::size_t most = 120;
  return std::string(text.substr(0, std::min(text.find('\n'), most)));
}

/// The results followed by the arguments that the operator may change: both are the answer.
Stack withMutable(const KernelContext& kernel, Stack results, const Stack& given) {
  for (const std::size_t position : kernel.mutableArguments) results.push_back(given[position]);
  return results;
}

}  // namespace

void Asking::canAnswer() {
  say_(std::string(asBefore));
}

void Asking::asked(std::string_view words) {
  say_(fmt::format("{}{}\n", askedNow, words));
}

void Asking::isWrong(std::string_view words) {
  say_(fmt::format("{}{}\n", wrongHere, words));
}

void Asking::isRefused(std::string_view words, std::string_view why) {
  say_(fmt::format("{}to answer {} ({})\n", refusesHere, words, firstOf(why)));
}

void Asking::isSlow(std::string_view words, double seconds, double own) {
  say_(fmt::format("{}{} {}, and {} for its own\n", takesLong, formatSeconds(seconds), words,
                   formatSeconds(own)));
}

void Asking::cannotAnswerAgain(std::string_view how) {
  say_(fmt::format("{}{}\n", again, firstOf(how)));
}

void Asking::isNoted(std::string_view sentence) {
  say_(fmt::format("{}{}\n", noted, sentence));
}

void Asking::isWrongWithStrides(std::string_view words) {
  say_(fmt::format("{}{}\n", wrongStrides, words));
}

Remark remarkOn(const std::string& said, const std::string& ending) {
  const bool isAsBefore = said.starts_with(asBefore);
  std::vector<std::string> wrong, notes;
  std::size_t onStrides = 0;
  std::string_view last;
  for (const std::string_view line : splitLines(said)) {
    if (line.starts_with(noted)) notes.emplace_back(line.substr(noted.size()));
    if (line.starts_with(again))
      wrong.push_back(fmt::format("{} when it is asked once more, where it was right when it was checked",
                                  line.substr(again.size())));
    if (!isAsBefore) continue;
    if (line.starts_with(wrongHere) || line.starts_with(refusesHere) || line.starts_with(takesLong))
      wrong.emplace_back(line);
    if (line.starts_with(wrongStrides)) {
      wrong.push_back(fmt::format("{}{}", wrongHere, line.substr(wrongStrides.size())));
      ++onStrides;
    }
    if (line.starts_with(askedNow)) last = line.substr(askedNow.size());
  }
  if (!ending.empty() && !last.empty()) wrong.push_back(fmt::format("{} {}", ending, last));
  return {joined(wrong, "; "), onStrides > 0 && onStrides == wrong.size(), joined(notes, " ")};
}

bool isWrongWithStrides(const std::string& said) {
  const std::vector<std::string_view> lines = splitLines(said);
  return std::any_of(lines.begin(), lines.end(),
                     [](std::string_view line) { return line.starts_with(wrongStrides); });
}

std::vector<std::string> questionsIn(const std::string& said) {
  std::vector<std::string> asked;
  for (const std::string_view line : splitLines(said))
    if (line.starts_with(askedNow)) asked.emplace_back(line.substr(askedNow.size()));
  return asked;
}

KernelContext apartFrom(KernelContext kernel) {
  kernel.states = nullptr;
  kernel.turns = nullptr;
  kernel.further = nullptr;
  kernel.tellingCases = nullptr;
  return kernel;
}

Result<Stack> referenceAnswer(const KernelContext& kernel, const Stack& arguments) {
  const Stack own = cloneArguments(arguments);
  const auto reference = prepareReference(kernel.op, own);
  WB_TRY(Stack results, runAndWait(kernel, *reference));
  return withMutable(kernel, std::move(results), own);
}

Result<BothAnswers> answersTo(const KernelContext& kernel, const Literal& call, Stack arguments,
                              const OutputPlan& plan, const WaitForCall& wait) {
  BothAnswers both;
  both.pristine = std::move(arguments);
  const Stack forCandidate = cloneArguments(both.pristine);
  WB_TRY(const auto candidate, kernel.candidate.prepare({call, forCandidate}, plan));
  candidate->poisonOutputs();
  const auto start = std::chrono::steady_clock::now();
  WB_DO(candidate->run());
  WB_DO(wait ? wait() : waitFor(kernel));
  both.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  WB_TRY(Stack actual, candidate->outputs());
  both.actual = withMutable(kernel, cloneArguments(actual), forCandidate);
  WB_TRY(both.expected, referenceAnswer(kernel, both.pristine));
  return both;
}

void sayFailsAgain(Asking& asking, const KernelContext& kernel, const Error& error) {
  if (isNoRoom(kernel, error)) return asking.isNoted(std::string(noRoom));
  asking.cannotAnswerAgain(fmt::format("fails ({})", error.text));
}

bool sayUnanswered(Asking& asking, const KernelContext& kernel, const AskedApart& apart,
                   const std::string& words, const Error& error, const Stack& arguments) {
  if ((apart.isAlive && !apart.isAlive()) || !referenceAnswer(kernel, arguments)) return false;
  if (isNoRoom(kernel, error))
    asking.isNoted(std::string(noRoom));
  else
    asking.isRefused(words, error.text);
  return true;
}

bool isRight(const KernelContext& kernel, const BothAnswers& both) {
  return judge(kernel, both.pristine, both.actual, both.expected).verdict == Verdict::pass;
}

}  // namespace wb
