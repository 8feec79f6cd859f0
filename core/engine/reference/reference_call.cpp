// SPDX-License-Identifier: Apache-2.0
#include "core/engine/reference/operator.h"
#include "core/engine/reference/stack_call.h"

namespace wb {
namespace {

class ReferenceCall final : public StackCall {
 public:
  ReferenceCall(const c10::OperatorHandle& op, const Stack& arguments) : StackCall(arguments), op_(op) {}

 private:
  void call() override {
    // callBoxed takes the arguments from the stack and leaves the results. The results of the last run are
    // dropped after this one, so that each run's results lie elsewhere, where those of another call lay.
    // The place in memory makes a difference of about a percent, which no call should keep for itself.
    Stack stack = arguments_;
    op_.callBoxed(stack);
    results_ = std::move(stack);
  }

  c10::OperatorHandle op_;
};

}  // namespace

std::unique_ptr<PreparedCall> prepareReference(const c10::OperatorHandle& op, const Stack& arguments) {
  return std::make_unique<ReferenceCall>(op, arguments);
}

OutputPlan planFrom(const Stack& outputs) {
  OutputPlan plan;
  for (const c10::IValue& value : outputs) {
    if (value.isTensor()) {
      plan.examples.push_back(value.toTensor());
    } else if (value.isTensorList()) {
      for (const at::Tensor& tensor : value.toTensorVector()) plan.examples.push_back(tensor);
    } else {
      plan.examples.emplace_back();
    }
  }
  return plan;
}

Result<OutputPlan> planOutputs(const c10::OperatorHandle& op, const Stack& otherArguments) {
  const auto call = prepareReference(op, otherArguments);
  WB_DO(call->run());
  WB_TRY(const Stack outputs, call->outputs());
  return planFrom(outputs);
}

}  // namespace wb
