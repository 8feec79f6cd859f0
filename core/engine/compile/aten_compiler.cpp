// SPDX-License-Identifier: Apache-2.0
#include "core/engine/compile/aten_compiler.h"

#include <utility>

#include "core/engine/reference/operator.h"

namespace wb {
namespace {

class AtenCandidate : public Candidate {
 public:
  explicit AtenCandidate(c10::OperatorHandle op) : op_(std::move(op)) {}
  Result<std::unique_ptr<PreparedCall>> prepare(const BoundCall& call, const OutputPlan&) override {
    return prepareReference(op_, call.arguments);
  }

 private:
  c10::OperatorHandle op_;
};

class AtenCompiler : public Compiler {
 public:
  [[nodiscard]] std::string_view language() const override { return "aten"; }

  Result<Claim> claim(const KernelSource&) override { return Claim{}; }  // there is no source that could tell

  Result<CompileOutcome> compile(const CompileRequest& request) override {
    WB_TRY(c10::OperatorHandle op, findOperator(request.op));
    CompileOutcome outcome;
    outcome.candidate = std::make_unique<AtenCandidate>(op);
    outcome.toolchain = "ATen";
    outcome.cached = true;  // nothing was built
    return outcome;
  }
};

}  // namespace

std::unique_ptr<Compiler> atenCompiler() {
  return std::make_unique<AtenCompiler>();
}

}  // namespace wb
