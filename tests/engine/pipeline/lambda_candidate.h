// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

#include "core/engine/call.h"
#include "core/engine/cases/kernel_context.h"
#include "core/engine/check/check_stage.h"
#include "core/engine/reference/exception_text.h"
#include "core/engine/reference/operator.h"

namespace wb {

/// A candidate made of a function, as a compiled kernel would be.
class LambdaCandidate : public Candidate {
 public:
  using Kernel = std::function<Stack(const Stack&)>;
  explicit LambdaCandidate(Kernel kernel) : kernel_(std::move(kernel)) {}

  Result<std::unique_ptr<PreparedCall>> prepare(const BoundCall& call, const OutputPlan& plan) override {
    lastPlan = plan;
    if (refuses) return Error{Stage::check, "i64 was not compiled"};
    return std::unique_ptr<PreparedCall>(std::make_unique<Call>(*this, call.arguments));
  }

  std::string notComparable;
  bool refuses = false;
  int runs = 0;
  OutputPlan lastPlan;

 private:
  struct Call : PreparedCall {
    Call(LambdaCandidate& owner, Stack arguments) : owner_(owner), arguments_(std::move(arguments)) {}
    Result<void> run() override {
      ++owner_.runs;
      try {
        results_ = owner_.kernel_(arguments_);
        return {};
      } catch (...) {
        return Error{Stage::check, exceptionText()};
      }
    }
    Result<Stack> outputs() override { return results_; }
    [[nodiscard]] std::string notComparable() const override { return owner_.notComparable; }
    LambdaCandidate& owner_;
    Stack arguments_, results_;
  };

  Kernel kernel_;
};

/// A kernel context over a function.
struct Bench {
  Bench(const std::string& name, LambdaCandidate::Kernel kernel) : op(name), candidate(std::move(kernel)) {
    handle = *findOperator(op);
  }
  [[nodiscard]] KernelContext context() {
    return {job, *handle, candidate, "cpu", 99, stop.get_token(), mutableArguments(handle->schema()), {}};
  }
  [[nodiscard]] Case definition(const std::string& args) const {
    Case made;
    made.op = op;
    made.args = args;
    made.seed = 5;
    return made;
  }
  CaseCheck check(const std::string& args) { return checkCase(context(), definition(args)); }

  Job job;
  std::string op;
  std::optional<c10::OperatorHandle> handle;
  LambdaCandidate candidate;
  std::stop_source stop;
};

}  // namespace wb
