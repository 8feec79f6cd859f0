// SPDX-License-Identifier: Apache-2.0
#include <ATen/core/List.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_strided.h>
#include <fmt/format.h>

#include <algorithm>

#include "core/engine/reference/argument_binder.h"
#include "core/engine/reference/exception_text.h"
#include "core/engine/reference/operator.h"
#include "core/engine/reference/tensor_factory.h"

namespace wb {
namespace {

Error badCall(const c10::FunctionSchema& schema, const std::string& what) {
  return Error{Stage::check, fmt::format("{}: {}", toString(schema.operator_name()), what)};
}

/// The parts of a call's literal, `((positional…), {keywords})`.
struct CallParts {
  std::vector<const Literal*> positional;
  std::vector<std::pair<std::string, const Literal*>> keywords;
};

Result<CallParts> takeApart(const c10::FunctionSchema& schema, const Literal& call) {
  const bool pair = call.kind == Literal::Kind::tuple && call.items.size() == 2 &&
                    call.items[1].kind == Literal::Kind::dict;
  if (!pair) return badCall(schema, "expected ((arguments…), {keywords})");
  CallParts parts;
  const Literal& first = call.items[0];
  if (first.kind == Literal::Kind::tuple) {
    for (const Literal& item : first.items) parts.positional.push_back(&item);
  } else {
    parts.positional.push_back(&first);  // in Python's ((x), {}) these are parentheses, not a tuple
  }
  const auto& entries = call.items[1].items;
  for (std::size_t i = 0; i + 1 < entries.size(); i += 2)
    parts.keywords.emplace_back(entries[i].text, &entries[i + 1]);
  return parts;
}

Result<const Literal*> valueOf(const c10::FunctionSchema& schema, const c10::Argument& argument,
                               CallParts& parts, std::size_t& nextPositional) {
  const Literal* value = nullptr;
  if (!argument.kwarg_only() && nextPositional < parts.positional.size())
    value = parts.positional[nextPositional++];
  for (auto it = parts.keywords.begin(); it != parts.keywords.end(); ++it) {
    if (it->first != argument.name()) continue;
    if (value) return badCall(schema, fmt::format("two values for argument '{}'", argument.name()));
    value = it->second;
    parts.keywords.erase(it);
    break;
  }
  return value;
}

/// How many elements the memory has that a tensor is a view of, where that is more than the view but not much
/// more; else 0.
std::int64_t elementsAround(const at::Tensor& tensor) {
  if (tensor.layout() != at::kStrided || !tensor.has_storage() || tensor.numel() == 0) return 0;
  const auto all = static_cast<std::int64_t>(tensor.storage().nbytes() / tensor.element_size());
  const std::int64_t own = extent(tensor.sizes(), tensor.strides());
  return all > own && all <= std::max<std::int64_t>(4 * own, 4096) ? all : 0;
}

at::Tensor cloneTensor(const at::Tensor& tensor) {
  if (!tensor.defined()) return tensor;
  // as_strided reads beyond the view that it is given.
  if (const std::int64_t all = elementsAround(tensor); all > 0)
    return tensor.as_strided({all}, {1}, 0)
        .clone()
        .as_strided(tensor.sizes(), tensor.strides(), tensor.storage_offset());
  if (tensor.layout() != at::kStrided || tensor.is_non_overlapping_and_dense()) {
    at::Tensor copy = tensor.clone();
    if (tensor.unsafeGetTensorImpl()->is_wrapped_number())
      copy.unsafeGetTensorImpl()->set_wrapped_number(true);
    return copy;
  }
  const std::int64_t elements = extent(tensor.sizes(), tensor.strides());
  if (elements == 0) return at::empty_strided(tensor.sizes(), tensor.strides(), tensor.options());
  return tensor.as_strided({elements}, {1}).clone().as_strided(tensor.sizes(), tensor.strides(), 0);
}

at::Tensor overSameMemory(const at::Tensor& tensor) {
  if (!tensor.defined() || tensor.layout() != at::kStrided || tensor.is_quantized() || tensor.is_meta())
    return cloneTensor(tensor);
  const c10::Storage& storage = tensor.storage();
  const auto letGo = [](void* owner) { delete static_cast<c10::Storage*>(owner); };
  c10::DataPtr data(storage.mutable_data(), new c10::Storage(storage), letGo, storage.device());
  at::Tensor made = at::empty({0}, tensor.options().requires_grad(false));
  made.set_(c10::Storage(c10::Storage::use_byte_size_t(), storage.nbytes(), std::move(data)),
            tensor.storage_offset(), tensor.sizes(), tensor.strides());
  if (tensor.is_conj()) made._set_conj(true);
  if (tensor.is_neg()) made._set_neg(true);
  if (tensor.unsafeGetTensorImpl()->is_wrapped_number()) made.unsafeGetTensorImpl()->set_wrapped_number(true);
  return made;
}

/// The value with what `made` makes of each tensor in it.
template <class Make>
c10::IValue withTensors(const c10::IValue& value, const Make& made) {
  if (value.isTensor()) return made(value.toTensor());
  if (value.isTensorList()) {
    c10::List<at::Tensor> copy;
    for (const at::Tensor& tensor : value.toTensorVector()) copy.push_back(made(tensor));
    return copy;
  }
  if (value.isOptionalTensorList()) {
    c10::List<std::optional<at::Tensor>> copy;
    for (const std::optional<at::Tensor>& tensor : value.toOptionalTensorVector())
      copy.push_back(tensor ? std::optional<at::Tensor>(made(*tensor)) : std::nullopt);
    return copy;
  }
  return value;
}

template <class Make>
Stack eachWithTensors(const Stack& arguments, const Make& made) {
  Stack copy;
  copy.reserve(arguments.size());
  for (const c10::IValue& value : arguments) copy.push_back(withTensors(value, made));
  return copy;
}

}  // namespace

Result<Stack> makeArguments(const c10::FunctionSchema& schema, const Literal& call, std::uint64_t seed,
                            const std::string& device) {
  return makeArguments(schema, call, seed, device, drawnTensor);
}

Result<Stack> makeArguments(const c10::FunctionSchema& schema, const Literal& call, std::uint64_t seed,
                            const std::string& device, const TensorSource& source) {
  WB_TRY(CallParts parts, takeApart(schema, call));

  Stack arguments;
  arguments.reserve(schema.arguments().size());
  std::size_t nextPositional = 0;
  const std::string* current = nullptr;
  try {
    ArgumentBinder binder(at::Device(device), seed, source);
    for (const c10::Argument& argument : schema.arguments()) {
      current = &argument.name();
      WB_TRY(const auto value, valueOf(schema, argument, parts, nextPositional));
      if (value)
        arguments.push_back(binder.bindArgument(*value, argument));
      else if (argument.default_value())
        arguments.push_back(*argument.default_value());
      else
        return badCall(schema, fmt::format("argument '{}' is missing", argument.name()));
    }
  } catch (...) {
    return badCall(schema, fmt::format("argument '{}': {}", current ? *current : device, exceptionText()));
  }
  if (nextPositional < parts.positional.size())
    return badCall(schema, fmt::format("takes {} positional arguments, got {}", nextPositional,
                                       parts.positional.size()));
  if (!parts.keywords.empty())
    return badCall(schema, fmt::format("has no argument '{}'", parts.keywords.front().first));
  return arguments;
}

std::size_t largestTensorBytes(const Stack& values) {
  std::size_t most = 0;
  for (const at::Tensor& each : planFrom(values).examples)
    if (each.defined()) most = std::max(most, each.nbytes());
  return most;
}

std::optional<c10::IValue> argumentNamed(const c10::OperatorHandle& op, const Stack& arguments,
                                         std::string_view name) {
  const auto& schema = op.schema().arguments();
  for (std::size_t i = 0; i < schema.size() && i < arguments.size(); ++i)
    if (schema[i].name() == name && !arguments[i].isNone()) return arguments[i];
  return std::nullopt;
}

Stack cloneArguments(const Stack& arguments) {
  return eachWithTensors(arguments, cloneTensor);
}

Stack argumentsOverSameMemory(const Stack& arguments) {
  return eachWithTensors(arguments, overSameMemory);
}

}  // namespace wb
