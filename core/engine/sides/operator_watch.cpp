// SPDX-License-Identifier: Apache-2.0
#include "core/engine/sides/operator_watch.h"

#include <ATen/record_function.h>

#include <memory>
#include <string_view>

namespace wb {
namespace {

thread_local OperatorWatch* current = nullptr;

std::string_view withoutUnderscore(std::string_view name) {
  if (name.ends_with('_') && !name.ends_with("__")) name.remove_suffix(1);
  return name;
}

std::unique_ptr<at::ObserverContext> started(const at::RecordFunction& function) {
  if (current != nullptr) current->see(function.name());
  return nullptr;
}

}  // namespace

OperatorWatch::OperatorWatch(const std::string& op) : base_(withoutUnderscore(op)) {
  current = this;
  handle_ =
      at::addThreadLocalCallback(at::RecordFunctionCallback(started).scopes({at::RecordScope::FUNCTION}));
}

OperatorWatch::~OperatorWatch() {
  at::removeCallback(handle_);
  current = nullptr;
}

void OperatorWatch::see(const char* name) {
  if (called_.empty() && withoutUnderscore(name) == base_) called_ = name;
}

}  // namespace wb
