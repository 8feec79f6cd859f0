// SPDX-License-Identifier: Apache-2.0
#include "core/engine/python/python_modules.h"

#include <filesystem>

#include "core/engine/compile/launched_kernel.h"

namespace wb {

ModuleBuilder& PythonModules::builder() {
  if (!builder_) builder_ = moduleBuilder();
  return *builder_;
}

void PythonModules::prepare(const std::function<void(const Log&)>& onLog) {
  const std::lock_guard lock(mutex_);
  builder().prepare(onLog);
}

void PythonModules::begin(const CompileRequest& request) {
  const std::lock_guard lock(mutex_);
  source_ = {};
  source_.path = std::filesystem::path(request.source.path).filename().string();
  request_.emplace(CompileRequest{source_, request.op, request.schema, request.dtypes, request.device,
                                  request.architecture, request.canRun, request.deadlineSeconds, request.stop,
                                  request.onDiagnostic, request.onLog, request.inputBytes,
                                  request.rawArguments, request.walls});
  request_->buildElsewhere = request.buildElsewhere;
  built_ = {};
  count_ = compiled_ = 0;
}

BuiltModules PythonModules::end() {
  const std::lock_guard lock(mutex_);
  request_->onDiagnostic = nullptr;
  request_->onLog = nullptr;
  request_->buildElsewhere = nullptr;
  request_->stop = {};
  built_.cached = count_ > 0 && compiled_ == 0;
  return std::move(built_);
}

Result<ModuleOutcome> PythonModules::build(const ModuleSources& sources) {
  const std::lock_guard lock(mutex_);
  if (!request_) return Error{Stage::compile, "no kernel is being loaded"};
  Result<ModuleOutcome> outcome = sources.launched ? buildLaunchedKernel(*sources.launched, *request_)
                                                   : builder().build(sources, *request_);
  note(outcome);
  return outcome;
}

void PythonModules::note(const Result<ModuleOutcome>& outcome) {
  ++count_;
  if (!outcome || !outcome->unfit.empty() || !outcome->cached) ++compiled_;
  if (!outcome) {
    built_.error = outcome.error();
    return;
  }
  add(built_, *outcome);
  if (!outcome->notRun.empty()) built_.notRun = outcome->notRun;
}

}  // namespace wb
