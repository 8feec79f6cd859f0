// SPDX-License-Identifier: Apache-2.0
#include "core/engine/check/compare/outputs.h"

#include <ATen/ops/resolve_conj.h>
#include <ATen/ops/resolve_neg.h>
#include <ATen/ops/scalar_tensor.h>
#include <dlfcn.h>
#include <fmt/format.h>

#include <string_view>

namespace wb {
namespace {

/// Whether the code that answers for a tensor is of a library of torch's. Who derives from torch's class may
/// do the work when somebody asks for the sizes.
bool isOfTorchsClass(const at::Tensor& tensor) {
  const auto tableOf = [](const at::Tensor& of) {
    return *reinterpret_cast<const void* const*>(of.unsafeGetTensorImpl());
  };
  static const void* const usual = tableOf(at::scalar_tensor(0));
  const void* const table = tableOf(tensor);
  if (table == usual) return true;
  Dl_info info{};
  if (::dladdr(table, &info) == 0 || info.dli_fname == nullptr) return false;
  const std::string_view path(info.dli_fname), file = path.substr(path.rfind('/') + 1);
  return file.starts_with("libtorch") || file.starts_with("libc10");
}

/// Why a tensor cannot be looked into: that would run user code, or fail.
std::string strangeness(const at::Tensor& tensor) {
  if (!isOfTorchsClass(tensor)) return "a tensor of a class of its own, which runs code when it is asked";
  const c10::DispatchKeySet keys = tensor.key_set();
  if (keys.has(c10::DispatchKey::Functionalize)) return "a tensor that puts its work off";
  if (keys.has(c10::DispatchKey::Python)) return "a tensor subclass that runs code of its own";
  if (keys.has(c10::DispatchKey::FuncTorchBatched) || keys.has(c10::DispatchKey::FuncTorchGradWrapper))
    return "a tensor inside a function transform";
  if (tensor.unsafeGetTensorImpl()->is_python_dispatch())
    return "a tensor subclass that runs code of its own";
  if (tensor.layout() == at::kStrided && !tensor.is_meta() && !tensor.is_nested() &&
      !tensor._is_zerotensor() && !tensor.has_storage())
    return "a tensor without memory";
  return {};
}

at::Tensor plain(const at::Tensor& tensor) {
  if (tensor.is_meta()) return tensor;
  at::Tensor dense = tensor.detach();
  if (dense._is_zerotensor()) dense = dense.clone();
  if (dense.layout() != at::kStrided) dense = dense.to_dense();
  if (dense.is_quantized()) dense = dense.dequantize();
  return dense.resolve_conj().resolve_neg();  // otherwise their memory would be read as other numbers
}

Output outputOf(const at::Tensor& tensor) {
  Output output;
  if (!tensor.defined()) {
    output.kind = "None";
    return output;
  }
  output.kind = "a tensor";
  output.strange = strangeness(tensor);
  if (!output.strange.empty()) return output;
  output.layout = tensor.layout();
  output.dtype = tensor.scalar_type();
  const bool asItIs = tensor.layout() == at::kStrided && !tensor.is_conj() && !tensor.is_neg() &&
                      !tensor.is_quantized() && !tensor._is_zerotensor();
  output.tensor = asItIs ? tensor : plain(tensor);
  return output;
}

Output numberOf(const at::Tensor& value) {
  Output output;
  output.tensor = value;
  output.dtype = value.scalar_type();
  output.kind = "a number";
  return output;
}

void flatten(const c10::IValue& value, std::vector<Output>& into) {
  if (value.isTensor()) {
    into.push_back(outputOf(value.toTensor()));
  } else if (value.isDouble()) {
    into.push_back(numberOf(at::scalar_tensor(value.toDouble(), at::kDouble)));
  } else if (value.isBool()) {
    into.push_back(numberOf(at::scalar_tensor(value.toBool(), at::kBool)));
  } else if (value.isInt()) {
    into.push_back(numberOf(at::scalar_tensor(value.toInt(), at::kLong)));
  } else if (value.isComplexDouble()) {
    into.push_back(numberOf(at::scalar_tensor(value.toComplexDouble(), at::kComplexDouble)));
  } else if (isSequence(value)) {
    for (const c10::IValue& item : itemsOf(value)) flatten(item, into);
  } else {
    Output none;
    none.kind = kindText(value);
    into.push_back(std::move(none));
  }
}

}  // namespace

std::vector<Output> flatOutputs(const Stack& results) {
  std::vector<Output> flat;
  flat.reserve(results.size());
  for (const c10::IValue& value : results) flatten(value, flat);
  return flat;
}

std::string strangeResult(const Stack& results) {
  for (const c10::IValue& value : results) {
    std::string strange;
    if (value.isTensor() && value.toTensor().defined()) strange = strangeness(value.toTensor());
    if (isSequence(value)) strange = strangeResult(itemsOf(value));
    if (!strange.empty()) return strange;
  }
  return {};
}

std::string kindText(const c10::IValue& value) {
  if (value.isTensor()) return value.toTensor().defined() ? "a tensor" : "None";
  if (value.isNone()) return "None";
  if (value.isList()) return fmt::format("a list of {}", value.toListRef().size());
  if (value.isTuple()) return fmt::format("a tuple of {}", value.toTupleRef().size());
  if (value.isBool()) return "a truth value";
  if (value.isScalar()) return "a number";
  if (value.isString()) return "a string";
  return "a " + value.tagKind();
}

c10::IValue pythonValue(const Stack& results) {
  if (results.empty()) return {};
  return results.size() == 1 ? results[0] : c10::IValue(c10::ivalue::Tuple::create(results));
}

bool isSequence(const c10::IValue& value) {
  return value.isList() || value.isTuple();
}

std::vector<c10::IValue> itemsOf(const c10::IValue& sequence) {
  if (sequence.isTuple()) {
    const auto& elements = sequence.toTupleRef().elements();
    return std::vector<c10::IValue>(elements.begin(), elements.end());
  }
  const auto elements = sequence.toListRef();
  return std::vector<c10::IValue>(
      elements.begin(), elements.end());  // parentheses, since braces would take a pointer for a bool
}

std::int64_t elementsOf(const Stack& values) {
  std::int64_t count = 0;
  for (const c10::IValue& value : values) {
    if (value.isTensor() && value.toTensor().defined()) count += value.toTensor().numel();
    if (value.isTensorList()) count += elementsOf(itemsOf(value));
  }
  return count;
}

std::string outputPrefix(std::size_t output, std::size_t count) {
  return count == 1 ? std::string() : fmt::format("output {}: ", output);
}

}  // namespace wb
