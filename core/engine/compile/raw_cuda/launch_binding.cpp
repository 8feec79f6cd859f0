// SPDX-License-Identifier: Apache-2.0
#include "core/engine/compile/raw_cuda/launch_binding.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_strided.h>
#include <c10/core/ScalarType.h>
#include <fmt/format.h>

#include <cstring>
#include <limits>

#include "core/engine/compile/nvrtc/prelude.h"
#include "core/model/operators/dtype.h"

namespace wb {
namespace {

using Kind = ParameterSource::Kind;

Operand operandOf(const c10::IValue& value) {
  if (value.isNone()) return std::monostate{};
  if (value.isBool()) return value.toBool();
  if (value.isInt()) return value.toInt();
  if (value.isSymInt()) return value.toSymInt().guard_int(__FILE__, __LINE__);
  if (value.isDouble()) return value.toDouble();
  if (value.isIntList()) return value.toIntVector();
  if (value.isDoubleList()) return value.toDoubleVector();
  if (value.isString()) return TextOperand{value.toStringRef()};
  if (value.isBoolList()) {
    std::vector<std::int64_t> flags;
    for (bool flag : value.toBoolList()) flags.push_back(flag ? 1 : 0);
    return flags;
  }
  if (value.isScalar()) {
    const at::Scalar scalar = value.toScalar();
    if (scalar.isBoolean()) return scalar.toBool();
    if (scalar.isIntegral(false)) return scalar.toLong();
    if (scalar.isFloatingPoint()) return scalar.toDouble();
  }
  return UnusableOperand{"a " + value.tagKind()};
}

TensorFacts factsOf(const at::Tensor& tensor) {
  return {tensor.sizes().vec(), tensor.strides().vec(), static_cast<std::int64_t>(tensor.element_size())};
}

Error fail(std::string what, std::string hint = {}, const Place& place = {}) {
  return Error{Stage::check, std::move(what), std::move(hint), place};
}

class Binder {
 public:
  Binder(const LaunchPlan& plan, const Stack& arguments, const OutputPlan& expected, int device)
      : plan_(plan), expected_(expected), device_(at::kCUDA, static_cast<c10::DeviceIndex>(device)) {
    binding_.arguments = arguments;
  }

  Result<LaunchBinding> run() {
    for (auto step : {&Binder::tensors, &Binder::outputs, &Binder::scalarType, &Binder::geometry,
                      &Binder::workspaces, &Binder::values})
      WB_DO((this->*step)());
    return std::move(binding_);
  }

 private:
  /// Prepares what the kernel gets for each tensor, and what expressions see: the sizes and strides of the
  /// tensor that the kernel gets.
  Result<void> tensors() {
    const auto& schema = plan_.schema.arguments();
    if (binding_.arguments.size() != schema.size())
      return fail(fmt::format("{} takes {} arguments, not {}.", plan_.schema.name(), schema.size(),
                              binding_.arguments.size()));
    binding_.passed.resize(schema.size());
    for (std::size_t i = 0; i < schema.size(); ++i) {
      const c10::IValue& value = binding_.arguments[i];
      if (!value.isTensor() || !value.toTensor().defined()) {
        operands_[schema[i].name()] = value.isTensor() ? Operand(std::monostate{}) : operandOf(value);
        continue;
      }
      at::Tensor tensor = value.toTensor();
      if (tensor.device() != device_) {
        if (tensor.dim() != 0)
          return fail(fmt::format("{} is on {}, the kernel on {}.", schema[i].name(), tensor.device().str(),
                                  device_.str()));
        tensor = tensor.to(device_);  // it is a number as a tensor of the CPU, which ATen allows
      }
      if (plan_.header.elementwise && !plan_.writtenArguments[i]) tensor = likeOutput(tensor);
      if (!plan_.stridedArguments[i] && !tensor.is_contiguous()) {
        tensor = tensor.contiguous();
        if (plan_.writtenArguments[i]) binding_.writeBack.push_back(i);
      }
      if (tensor.numel() > 1 && !tensor.is_same(value.toTensor()))
        binding_.copied.push_back(schema[i].name());
      binding_.passed[i] = tensor;
      operands_[schema[i].name()] = factsOf(tensor);
    }
    return {};
  }

  /// The first output as the operator would make it; undefined where it is not a tensor.
  [[nodiscard]] at::Tensor firstOutput() const {
    if (plan_.outputs.empty()) return {};
    if (auto argument = plan_.outputs[0].argument) return binding_.arguments[*argument].toTensor();
    return expected_.examples.empty() ? at::Tensor() : expected_.examples[0];
  }

  /// Broadcasts and promotes an input as ATen does for element-wise operators. A mask stays a mask.
  [[nodiscard]] at::Tensor likeOutput(const at::Tensor& tensor) const {
    const at::Tensor out = firstOutput();
    if (!out.defined()) return tensor;
    const bool convert = plan_.header.scalarType.name.empty() && out.scalar_type() != at::kBool &&
                         tensor.scalar_type() != at::kBool;
    return (convert ? tensor.to(out.scalar_type()) : tensor).expand(out.sizes());
  }

  Result<void> outputs() {
    binding_.outputs.resize(plan_.outputs.size());
    for (std::size_t i = 0; i < plan_.outputs.size(); ++i) {
      at::Tensor tensor;
      if (auto argument = plan_.outputs[i].argument) {
        tensor = binding_.passed[*argument];
        if (!tensor.defined()) return fail("The operator's output argument is None.");
      } else {
        if (i >= expected_.examples.size() || !expected_.examples[i].defined())
          return fail(fmt::format("Output {} of {} is no tensor here.", i, plan_.schema.name()));
        const at::Tensor& example = expected_.examples[i];
        const auto options = example.options().device(device_);
        tensor = plan_.outputs[i].strided ? at::empty_strided(example.sizes(), example.strides(), options)
                                          : at::empty(example.sizes(), options);
        binding_.outputs[i] = tensor;
      }
      // An argument of that name has priority: out= operators have one.
      operands_.try_emplace(fmt::format("out{}", i), factsOf(tensor));
      if (i == 0) operands_.try_emplace("out", factsOf(tensor));
    }
    return {};
  }

  [[nodiscard]] at::Tensor named(const std::string& name) const {
    for (std::size_t i = 0; i < plan_.schema.arguments().size(); ++i)
      if (plan_.schema.arguments()[i].name() == name) return binding_.passed[i];
    if (auto output = outputIndex(name); output && *output < plan_.outputs.size())
      return plan_.outputs[*output].argument ? binding_.passed[*plan_.outputs[*output].argument]
                                             : binding_.outputs[*output];
    return {};
  }

  Result<void> scalarType() {
    if (!plan_.perDtype) return {};
    at::Tensor tensor;
    if (!plan_.header.scalarType.name.empty()) {
      tensor = named(plan_.header.scalarType.name);
      if (!tensor.defined())
        return fail(
            fmt::format("scalar_t is the dtype of {}, which is None here.", plan_.header.scalarType.name));
    }
    if (!tensor.defined() && plan_.header.elementwise && firstOutput().defined() &&
        firstOutput().scalar_type() != at::kBool)
      tensor = firstOutput();
    for (std::size_t i = 0; !tensor.defined() && i < binding_.passed.size(); ++i) tensor = binding_.passed[i];
    for (std::size_t i = 0; !tensor.defined() && i < binding_.outputs.size(); ++i)
      tensor = binding_.outputs[i];
    binding_.dtype = tensor.defined() ? abbreviation(tensor.scalar_type()) : "f32";
    auto name = scalarTypeName(binding_.dtype);
    if (!name) return fail(name.error().text, name.error().hint);
    types_ = plan_.aliases;
    types_["scalar_t"] = *name;
    return {};
  }

  Result<void> extent(const Expression& expression, std::int64_t most, const char* what, unsigned& into) {
    WB_TRY(auto value, expression.integer(operands_));
    if (value < 0 || value > most)
      return fail(fmt::format("{} {} = {} is not between 0 and {}.", what, expression.text(), value, most),
                  {}, expression.place());
    into = static_cast<unsigned>(value);
    return {};
  }

  Result<void> geometry() {
    constexpr std::array<std::int64_t, 3> mostBlocks{2147483647, 65535, 65535};
    binding_.block[0] = 256;
    for (std::size_t i = 0; i < plan_.header.block.size(); ++i)
      WB_DO(extent(plan_.header.block[i], 1 << 20, "block", binding_.block[i]));
    if (plan_.header.grid.empty()) {
      const auto out = operands_.find("out");
      const auto count =
          out == operands_.end() ? Number{std::int64_t{1}} : countOf(std::get<TensorFacts>(out->second));
      const std::int64_t threads = std::int64_t{binding_.block[0]} * binding_.block[1] * binding_.block[2];
      const std::int64_t elements = std::get<std::int64_t>(count);
      const std::int64_t blocks = threads == 0 ? 0 : (elements + threads - 1) / threads;
      if (blocks > mostBlocks[0])
        return fail(fmt::format("{} elements need {} blocks of {}: more than a grid has.", elements, blocks,
                                threads));
      binding_.grid[0] = static_cast<unsigned>(blocks);
    }
    for (std::size_t i = 0; i < plan_.header.grid.size(); ++i)
      WB_DO(extent(plan_.header.grid[i], mostBlocks[i], "grid", binding_.grid[i]));
    if (plan_.header.shared) {
      unsigned bytes = 0;
      WB_DO(extent(*plan_.header.shared, std::numeric_limits<int>::max(), "shared", bytes));
      binding_.sharedBytes = bytes;
    }
    for (std::size_t i = 0; i < 3; ++i) binding_.empty = binding_.empty || binding_.grid[i] == 0;
    return {};
  }

  static Number countOf(const TensorFacts& tensor) {
    std::int64_t count = 1;
    for (std::int64_t size : tensor.sizes) count *= size;
    return count;
  }

  /// The bytes of an element to which a workspace's parameter points.
  [[nodiscard]] Result<std::int64_t> elementBytes(std::size_t workspace) const {
    for (std::size_t i = 0; i < plan_.sources.size(); ++i) {
      if (plan_.sources[i].kind != Kind::workspace || plan_.sources[i].index != workspace) continue;
      if (auto type = cType(resolveType(plan_.kernel.parameters[i].type, types_)))
        return static_cast<std::int64_t>(type->bytes);
      return fail(fmt::format("The size of an element of {} is not known: {}.",
                              plan_.header.workspaces[workspace].name, plan_.kernel.parameters[i].written),
                  "give the workspace in bytes: { bytes = \"…\" }",
                  plan_.header.workspaces[workspace].size.place());
    }
    return 1;
  }

  Result<void> workspaces() {
    for (std::size_t i = 0; i < plan_.header.workspaces.size(); ++i) {
      const Workspace& workspace = plan_.header.workspaces[i];
      WB_TRY(auto count, workspace.size.integer(operands_));
      WB_TRY(std::int64_t each, workspace.inBytes ? Result<std::int64_t>(1) : elementBytes(i));
      std::int64_t bytes = 0;
      if (count < 0 || __builtin_mul_overflow(count, each, &bytes) || bytes > (std::int64_t{1} << 40))
        return fail(fmt::format("The workspace {} would have {} elements.", workspace.name, count), {},
                    workspace.size.place());
      binding_.workspaces.push_back(at::empty({bytes}, at::TensorOptions().dtype(at::kByte).device(device_)));
    }
    return {};
  }

  Result<void> values() {
    for (std::size_t i = 0; i < plan_.sources.size(); ++i) {
      const ParameterSource& source = plan_.sources[i];
      const CudaParameter& parameter = plan_.kernel.parameters[i];
      if (source.kind == Kind::number) {
        WB_TRY(auto packed, scalar(source.number, parameter));
        binding_.values.push_back(packed);
        continue;
      }
      at::Tensor tensor;
      if (source.kind == Kind::argument) tensor = binding_.passed[source.index];
      if (source.kind == Kind::output) tensor = binding_.outputs[source.index];
      if (tensor.defined()) WB_DO(pointee(tensor, parameter, (*plan_.header.args)[i]));
      if (source.kind == Kind::workspace) tensor = binding_.workspaces[source.index];
      const void* pointer = nullptr;
      if (tensor.defined()) pointer = parameter.readOnly ? tensor.const_data_ptr() : tensor.data_ptr();
      PackedScalar packed{};
      std::memcpy(packed.data(), &pointer, sizeof pointer);
      binding_.values.push_back(packed);
    }
    return {};
  }

  Result<PackedScalar> scalar(const Expression& expression, const CudaParameter& parameter) {
    WB_TRY(auto value, expression.evaluate(operands_));
    const std::string typeName = resolveType(parameter.type, types_);
    const auto type = cType(typeName);
    if (!type)
      return fail(fmt::format("A parameter of this type cannot be passed: {}.", parameter.written), {},
                  parameter.place);
    auto packed = pack(value, *type, typeName);
    if (!packed)
      return fail(
          fmt::format("{}: the value of {} {}.", expression.text(), parameter.written, packed.error().text),
          "give the parameter a wider type", parameter.place);
    return packed;
  }

  /// Checks a pointer's type: a pointer to floats over a tensor of halves reads nonsense, and so does an int
  /// over int64 indices. Bytes and words of other kinds may well be meant.
  [[nodiscard]] Result<void> pointee(const at::Tensor& tensor, const CudaParameter& parameter,
                                     const Expression& source) const {
    const auto type = cType(resolveType(parameter.type, types_));
    auto own = scalarTypeName(abbreviation(tensor.scalar_type()));
    if (!type || !own) return {};
    const auto held = cType(*own);
    if (!held) return {};
    const auto real = [](const CType& each) {
      return each.kind == CType::Kind::floating || each.kind == CType::Kind::half ||
             each.kind == CType::Kind::bfloat16;
    };
    const bool wrong =
        real(*type) ? *type != *held : !real(*held) && type->bytes != held->bytes && type->bytes > 1;
    if (!wrong) return {};
    return fail(fmt::format("{} has dtype {} here, but the kernel's parameter is {}.", source.text(),
                            c10::getDtypeNames(tensor.scalar_type()).first, parameter.written),
                "scalar_t is the case's dtype", parameter.place);
  }

  const LaunchPlan& plan_;
  const OutputPlan& expected_;
  c10::Device device_;
  LaunchBinding binding_;
  Operands operands_;
  TypeNames types_ = plan_.aliases;
};

}  // namespace

std::string abbreviation(at::ScalarType type) {
  const DType* known = findDType(c10::getDtypeNames(type).first);
  return known == nullptr ? std::string() : std::string(known->abbreviation);
}

Result<LaunchBinding> bindLaunch(const LaunchPlan& plan, const Stack& arguments, const OutputPlan& expected,
                                 int device) {
  return Binder(plan, arguments, expected, device).run();
}

}  // namespace wb
