// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <sstream>

#include "core/engine/reference/operator.h"
#include "core/model/operators/catalogue.h"
#include "core/model/operators/operator_name.h"

namespace wb {
namespace {

bool tensorsBeforeFirstDefault(const c10::FunctionSchema& schema) {
  bool any = false;
  for (const c10::Argument& argument : schema.arguments()) {
    if (argument.default_value()) break;
    if (argument.type()->kind() != c10::TypeKind::TensorType) return false;
    any = true;
  }
  return any;
}

std::string textOf(const c10::FunctionSchema& schema) {
  std::ostringstream text;
  text << schema;
  return std::move(text).str();
}

}  // namespace

std::vector<OperatorEntry> operators() {
  auto& dispatcher = c10::Dispatcher::singleton();
  std::vector<OperatorEntry> entries;
  for (const c10::OperatorName& name : dispatcher.getAllOpNames()) {
    const auto handle = dispatcher.findSchema(name);
    if (!handle) continue;
    const c10::FunctionSchema& schema = handle->schema();
    entries.push_back({toString(name), textOf(schema), tensorsBeforeFirstDefault(schema)});
  }
  std::sort(entries.begin(), entries.end(),
            [](const OperatorEntry& a, const OperatorEntry& b) { return a.name < b.name; });
  return entries;
}

Result<c10::OperatorHandle> findOperator(const std::string& schemaName) {
  if (baseName(schemaName).empty()) return withoutName(schemaName);
  const std::size_t scope = schemaName.find("::");
  const std::size_t dot = schemaName.find('.', scope == std::string::npos ? 0 : scope);
  const c10::OperatorName name(schemaName.substr(0, dot),
                               dot == std::string::npos ? std::string() : schemaName.substr(dot + 1));
  if (auto handle = c10::Dispatcher::singleton().findSchema(name)) return *handle;
  return Error{Stage::job, "torch has no operator '" + schemaName + "'",
               "`warpbench list operators` shows all that it has"};
}

}  // namespace wb
