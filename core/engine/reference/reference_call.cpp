// SPDX-License-Identifier: Apache-2.0
#include <ATen/record_function.h>

#include <memory>
#include <string_view>

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

thread_local bool isLooking = false, hasConvolved = false;

std::unique_ptr<at::ObserverContext> sees(const at::RecordFunction& function) {
  calledThere(function.name());
  return nullptr;
}

/// Sees which operators this thread calls while it lives.
class Observed {
 public:
  Observed()
      : handle_(at::addThreadLocalCallback(
            at::RecordFunctionCallback(sees).scopes({at::RecordScope::FUNCTION}))) {
    isLooking = true;
  }
  ~Observed() {
    isLooking = false;
    at::removeCallback(handle_);
  }
  Observed(const Observed&) = delete;
  Observed& operator=(const Observed&) = delete;

 private:
  at::CallbackHandle handle_;
};

}  // namespace

std::unique_ptr<PreparedCall> prepareReference(const c10::OperatorHandle& op, const Stack& arguments) {
  return std::make_unique<ReferenceCall>(op, arguments);
}

bool callsConvolution(const c10::OperatorHandle& op, const Stack& arguments) {
  const auto call = prepareReference(op, arguments);
  hasConvolved = false;
  const Observed observed;
  (void)call->run();
  return hasConvolved;
}

bool areConvolutionsLookedFor() {
  return isLooking;
}

void calledThere(std::string_view name) {
  hasConvolved |= name.starts_with("aten::") && name.find("conv") != std::string_view::npos;
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
