// SPDX-License-Identifier: Apache-2.0
#include "core/engine/guest/loading/answers.h"

#include <optional>
#include <string>
#include <vector>

#include "core/engine/guest/loading/questions.h"

namespace wb {
namespace {

std::optional<BuiltText> built(ByteReader& from, TextBuilds* builds, double seconds,
                               const std::stop_token& stop) {
  const TextToBuild text = readTextToBuild(from);
  if (builds == nullptr || from.bad() || seconds <= 0) return std::nullopt;
  return builds->build(text, seconds, stop);
}

Result<NamedKernels> kernels(ByteReader& from, KernelAnswers* answers, double seconds) {
  const std::vector<std::string> names = readNames(from);
  if (answers == nullptr || from.bad()) return Error{Stage::compile, "nobody compiles these kernels"};
  return answers->of(names, seconds);
}

}  // namespace

bool isQuestion(std::span<const std::byte> message) {
  return !message.empty() &&
         (message.front() == std::byte{asksForBuild} || message.front() == std::byte{asksForKernels});
}

Bytes answerTo(std::span<const std::byte> question, const Answerers& answerers, double seconds,
               const std::stop_token& stop) {
  Bytes answer;
  ByteWriter writer(answer);
  ByteReader reader(question.subspan(1));
  if (question.front() == std::byte{asksForBuild})
    write(writer, built(reader, answerers.builds, seconds, stop));
  else
    write(writer, kernels(reader, answerers.kernels, seconds));
  return answer;
}

}  // namespace wb
