// SPDX-License-Identifier: Apache-2.0
#include "core/engine/guest/guest_problem.h"

#include <ATen/core/dispatch/Dispatcher.h>
#include <torch/csrc/jit/frontend/function_schema_parser.h>
#include <torch/library.h>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "core/engine/call_elsewhere.h"
#include "core/engine/guest/guest_candidate.h"
#include "core/engine/guest/guest_result.h"
#include "core/engine/guest/values.h"
#include "core/engine/reference/exception_text.h"
#include "core/engine/reference/operator.h"
#include "core/engine/reference/problem_cases.h"
#include "core/suites/literals/literal_parser.h"

namespace wb {
namespace {

constexpr const char* library = "problem";

/// What the dispatcher calls: it takes its arguments from the stack and leaves the results there.
class CallInGuest final : public c10::OperatorKernel {
 public:
  CallInGuest(std::shared_ptr<GuestSession> session, Literal spelling)
      : candidate_(guestCandidate(std::move(session), false)), spelling_(std::move(spelling)) {}

  void operator()(const c10::OperatorHandle& op, c10::DispatchKeySet, torch::jit::Stack* stack) {
    const auto first =
        stack->end() - static_cast<std::ptrdiff_t>(std::min(op.schema().arguments().size(), stack->size()));
    const Stack arguments(std::make_move_iterator(first), std::make_move_iterator(stack->end()));
    stack->erase(first, stack->end());
    Result<Stack> results = called(arguments);
    if (!results) throw std::runtime_error(results.error().text);
    const std::size_t promised = op.schema().returns().size();
    if (results->size() != promised)
      throw std::runtime_error("the reference's process gives another number of results than it said");
    for (std::size_t i = 0; i < promised; ++i) {
      c10::IValue& each = (*results)[i];
      const c10::Type& said = *op.schema().returns()[i].type();
      // As the dispatcher takes None where a tensor may be.
      if (each.isNone() && said.kind() == c10::TypeKind::TensorType) each = at::Tensor();
      const bool isAsSaid = each.isTensor() ? said.kind() == c10::TypeKind::TensorType
                                            : each.isTensorList() && said == *c10::ListType::ofTensors();
      if (!isAsSaid)
        throw std::runtime_error("the reference gives what is neither a tensor nor a list of some");
      stack->push_back(std::move(each));
    }
  }

 private:
  Result<Stack> called(const Stack& arguments) {
    WB_TRY(const auto call, candidate_->prepare({spelling_, arguments}, {}));
    CallElsewhere* const there = areConvolutionsLookedFor() ? elsewhere(*call) : nullptr;
    if (there != nullptr) there->watchNext();
    WB_DO(call->run());
    if (there != nullptr)
      for (const RanPart& each : there->ranThere().parts) calledThere(each.name);
    return call->outputs();
  }

  std::unique_ptr<Candidate> candidate_;
  Literal spelling_;
};

/// The operator, as long as it is needed.
class ProblemOperator {
 public:
  ProblemOperator(std::shared_ptr<GuestSession> session, std::int64_t inputBytes)
      : session_(std::move(session)), inputBytes_(inputBytes) {}

  /// Throws what torch throws at a schema that is none.
  void define(const LoadedInGuest& loaded, Literal spelling) {
    c10::FunctionSchema schema = torch::jit::parseSchema(loaded.schema);
    const std::string_view name = loaded.op;
    if (schema.name() != name || name.substr(0, name.find("::")) != library)
      throw std::runtime_error("the reference's process names an operator that is no problem's");
    for (const c10::Argument& each : schema.arguments())
      if (each.alias_info() != nullptr)
        throw std::runtime_error("a problem's reference may not change its arguments");
    library_.emplace(torch::Library::FRAGMENT, library, std::nullopt, __FILE__, __LINE__);
    library_->def(std::move(schema));
    auto kernel = std::make_unique<CallInGuest>(session_, std::move(spelling));
    library_->impl(name.substr(name.find("::") + 2).data(),
                   torch::dispatch(c10::DispatchKey::CompositeExplicitAutograd,
                                   torch::CppFunction::makeFromBoxedKernel(
                                       c10::BoxedKernel::makeFromFunctor(std::move(kernel)))));
  }

  Result<Stack> inputs(std::uint64_t seed) { return inputsInGuest(*session_, seed, inputBytes_); }

 private:
  std::shared_ptr<GuestSession> session_;
  std::int64_t inputBytes_;
  std::optional<torch::Library> library_;
};

class ModelInGuest final : public ProblemModel {
 public:
  explicit ModelInGuest(std::shared_ptr<GuestSession> session) : session_(std::move(session)) {}

  void rememberBuffers() override { (void)answerTo(Order::rememberBuffers); }

  std::vector<KeptBuffer> buffers() override {
    const Bytes answer = answerTo(Order::sayBuffers);
    ByteReader reader(answer);
    return reader.get<std::uint8_t>() == 1 ? readBuffers(reader) : std::vector<KeptBuffer>();
  }

  std::vector<DrawnParameter> drawParameters(std::uint64_t seed, ParameterValues values) override {
    const Bytes answer = answerTo(Order::drawParameters, seed, values);
    ByteReader reader(answer);
    return reader.get<std::uint8_t>() == 1 ? readDrawn(reader) : std::vector<DrawnParameter>();
  }

 private:
  /// Nothing from one that is gone or cannot be asked.
  Bytes answerTo(Order order, std::uint64_t number = 0, ParameterValues values = {}) {
    const std::shared_ptr<Guest> guest = session_->present();
    if (!guest || guest->lost()) return {};
    Bytes message;
    ByteWriter writer(message);
    writer.put(order);
    writer.put(number);
    writer.put(values);
    Result<Bytes> answer = guest->ask(message);
    return answer ? *std::move(answer) : Bytes();
  }

  std::shared_ptr<GuestSession> session_;
};

}  // namespace

Result<Stack> inputsInGuest(GuestSession& session, std::uint64_t seed, std::int64_t mostBytes) {
  WB_TRY(const std::shared_ptr<Guest> guest, session.guest());
  Bytes message;
  ByteWriter writer(message);
  writer.put(Order::makeInputs);
  writer.put(seed);
  WB_TRY(const Bytes answer, guest->ask(message));
  ByteReader reader(answer);
  if (reader.get<std::uint8_t>() != 1) return readError(reader);
  guest->holdStill();
  ResultPlaces places;
  places.mostBytes = mostBytes;
  places.device = session.device();
  return readResults(reader, places, *guest);
}

std::shared_ptr<ProblemModel> modelInGuest(std::shared_ptr<GuestSession> session) {
  return std::make_shared<ModelInGuest>(std::move(session));
}

Result<ProblemThere> problemInGuest(const std::shared_ptr<GuestSession>& session, const LoadOrder& order) {
  WB_TRY(LoadedInGuest loaded, session->load(order));
  if (loaded.isOnlyCompiled)
    return ProblemThere{std::nullopt, std::move(loaded.note), std::move(loaded.toolchain)};
  if (loaded.calls.empty()) return Error{Stage::compile, "the reference's process gives no case"};
  WB_TRY(Literal spelling, parseLiteral(loaded.calls.front()));
  auto made = std::make_shared<ProblemOperator>(session, order.inputBytes);
  try {
    made->define(loaded, std::move(spelling));
  } catch (...) {
    return Error{Stage::compile, exceptionText()};
  }
  return ProblemThere{
      OwnReference{loaded.op, loaded.schema, problemCases(loaded.op, loaded.calls),
                   [made](std::uint64_t seed) { return made->inputs(seed); }, true, loaded.changes},
      {},
      {}};
}

}  // namespace wb
