// SPDX-License-Identifier: Apache-2.0
#include "core/engine/oracle.h"

#include <ATen/core/List.h>

namespace wb {
namespace {

at::ScalarType widerType(at::ScalarType type) {
  if (at::isComplexType(type)) return at::kComplexDouble;
  return at::isFloatingType(type) ? at::kDouble : type;
}

/// Counts what was widened, to know whether there is anything to gain.
class Widener {
 public:
  at::Tensor tensor(const at::Tensor& value) {
    if (!value.defined()) return value;
    const at::ScalarType wider = widerType(value.scalar_type());
    changed_ |= wider != value.scalar_type();
    return value.to(wider, /*non_blocking=*/false, /*copy=*/true);
  }

  c10::IValue value(const c10::IValue& from, const c10::Argument& argument) {
    if (from.isTensor()) return tensor(from.toTensor());
    if (from.isTensorList()) {
      c10::List<at::Tensor> wide;
      for (const at::Tensor& each : from.toTensorVector()) wide.push_back(tensor(each));
      return wide;
    }
    if (from.isOptionalTensorList()) {
      c10::List<std::optional<at::Tensor>> wide;
      for (const auto& each : from.toOptionalTensorVector())
        wide.push_back(each ? std::optional<at::Tensor>(tensor(*each)) : std::nullopt);
      return wide;
    }
    if (from.isInt() && isDType(*argument.real_type()))
      return static_cast<std::int64_t>(widerType(static_cast<at::ScalarType>(from.toInt())));
    return from;
  }

  [[nodiscard]] bool changed() const { return changed_; }

 private:
  static bool isDType(const c10::Type& type) {
    if (const auto* optional = type.castRaw<c10::OptionalType>()) return isDType(*optional->getElementType());
    return type.kind() == c10::TypeKind::ScalarTypeType;
  }

  bool changed_ = false;
};

}  // namespace

Stack oracleOutputs(const KernelContext& kernel, const Stack& arguments) {
  Widener widener;
  Stack wide;
  const auto& declared = kernel.op.schema().arguments();
  for (std::size_t i = 0; i < arguments.size(); ++i) wide.push_back(widener.value(arguments[i], declared[i]));
  if (!widener.changed()) return {};
  const std::unique_ptr<PreparedCall> call = prepareReference(kernel.op, wide);
  if (!call->run()) return {};
  Result<Stack> outputs = call->outputs();
  if (!outputs) return {};
  for (const std::size_t position : kernel.mutableArguments) outputs->push_back(wide[position]);
  return *std::move(outputs);
}

}  // namespace wb
