// SPDX-License-Identifier: Apache-2.0
#include "core/engine/guest/loading/asked_judge.h"

#include <chrono>

#include "core/engine/guest/channel/guest_parent.h"
#include "core/engine/guest/channel/messages.h"
#include "core/engine/guest/loading/questions.h"

namespace wb {
namespace {

constexpr std::chrono::hours longestMessage{24};  // the judge has the deadlines
constexpr std::size_t mostAnswer = std::size_t{1} << 30;

/// The judge's answer. Errors: the question is too long, or the judge is gone.
template <class Question>
Result<Bytes> answerTo(std::uint8_t kind, const Question& asked) {
  Bytes question;
  ByteWriter writer(question);
  writer.put(kind);
  write(writer, asked);
  if (question.size() > mostQuestion)
    return Error{Stage::compile, "the kernel asks for more than --strict takes"};
  const auto until = std::chrono::steady_clock::now() + longestMessage;
  WB_DO(sendMessage(guestSocket, question, {}, until));
  WB_TRY(auto answer, receiveMessage(guestSocket, mostAnswer, until));
  return std::move(answer.bytes);
}

}  // namespace

std::optional<BuiltText> builtByJudge(const TextToBuild& text) {
  const Result<Bytes> answer = answerTo(asksForBuild, text);
  if (!answer) return std::nullopt;
  ByteReader reader(*answer);
  return readBuiltText(reader);
}

Result<NamedKernels> kernelsByJudge(const std::vector<std::string>& names) {
  WB_TRY(const Bytes answer, answerTo(asksForKernels, names));
  ByteReader reader(answer);
  return readNamedKernels(reader);
}

}  // namespace wb
