// SPDX-License-Identifier: Apache-2.0
#include "core/engine/check/oracle.h"

#include <ATen/Context.h>
#include <ATen/core/List.h>

#include <ATen/ops/arange.h>
#include <ATen/ops/where.h>
#include <ATen/ops/zeros.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

#include "core/engine/check/compare/chunk_errors.h"
#include "core/engine/check/compare/lower_type.h"
#include "core/engine/check/compare/outputs.h"
#include "core/engine/sides/full_precision.h"

namespace wb {
namespace {

at::ScalarType widerType(at::ScalarType type) {
  if (at::isComplexType(type)) return at::kComplexDouble;
  return at::isFloatingType(type) ? at::kDouble : type;
}

/// Widens values and counts them, to know whether there is anything to gain.
class Widener {
 public:
  at::Tensor tensor(const at::Tensor& value) {
    if (!value.defined()) return value;
    return value.to(type(value.scalar_type()), /*non_blocking=*/false, /*copy=*/true);
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
      return static_cast<std::int64_t>(type(static_cast<at::ScalarType>(from.toInt())));
    return from;
  }

  [[nodiscard]] bool changed() const { return changed_; }

 private:
  at::ScalarType type(at::ScalarType from) {
    const at::ScalarType wider = widerType(from);
    changed_ |= wider != from;
    return wider;
  }

  static bool isDType(const c10::Type& type) {
    if (const auto* optional = type.castRaw<c10::OptionalType>()) return isDType(*optional->getElementType());
    return type.kind() == c10::TypeKind::ScalarTypeType;
  }

  bool changed_ = false;
};

/// The reference's outputs and changed arguments; nothing where the call fails. It may change `arguments`.
Stack referenceOutputs(const KernelContext& kernel, const Stack& arguments) {
  const SideTurn turn(kernel.turns, Side::reference);
  const std::unique_ptr<PreparedCall> call = prepareReference(kernel.op, arguments);
  if (!call->run()) return {};
  Result<Stack> outputs = call->outputs();
  if (!outputs) return {};
  for (const std::size_t position : kernel.mutableArguments) outputs->push_back(arguments[position]);
  return *std::move(outputs);
}

/// Whether a GPU's library may multiply numbers of float32 as TF32 in convolutions, which torch allows.
bool convolvesInTf32() {
  try {
    return at::globalContext().float32Precision(at::Float32Backend::CUDA, at::Float32Op::CONV) ==
           at::Float32Precision::TF32;
  } catch (const c10::Error&) {  // torch refuses to tell when its old and new settings were mixed
    return false;
  }
}

/// The reference's outputs without TF32; empty where it uses none.
Stack fullPrecisionOutputs(const KernelContext& kernel, const Stack& arguments) {
  try {
    const FullPrecision full;
    if (!full.isOther()) return {};
    return referenceOutputs(kernel, cloneArguments(arguments));
  } catch (const c10::Error&) {  // torch refuses to tell when its old and new settings were mixed
    return {};
  }
}

Stack widenedArguments(const KernelContext& kernel, const Stack& arguments, bool& changed) {
  Widener widener;
  Stack wide;
  const auto& declared = kernel.op.schema().arguments();
  for (std::size_t i = 0; i < arguments.size(); ++i) wide.push_back(widener.value(arguments[i], declared[i]));
  changed = widener.changed();
  return wide;
}

/// How a problem is asked for float64 whose inputs are whole numbers alone, such as tokens: it takes them
/// back and computes in float64, or refuses (warpbench_references.py).
Stack wholeAsFloat64(const Stack& arguments, bool& changed) {
  Stack all = arguments;
  for (c10::IValue& value : all) {
    if (!value.isTensor() || !at::isIntegralType(value.toTensor().scalar_type(), /*includeBool=*/true))
      continue;
    value = value.toTensor().to(at::kDouble);
    changed = true;
  }
  return all;
}

bool isFloating(const at::Tensor& tensor) {
  return tensor.defined() && tensor.layout() == at::kStrided && !tensor.is_meta() && tensor.numel() > 0 &&
         (tensor.is_floating_point() || tensor.is_complex());
}

/// A copy of the arguments in which `change` has replaced the floating tensors, which are counted from 0.
Stack changedCopy(const Stack& arguments,
                  const std::function<at::Tensor(const at::Tensor&, std::size_t)>& change) {
  Stack copy = cloneArguments(arguments);
  std::size_t number = 0;
  for (c10::IValue& value : copy) {
    if (value.isTensor() && isFloating(value.toTensor())) {
      value = change(value.toTensor(), number++);
    } else if (value.isTensorList()) {
      c10::List<at::Tensor> list;
      for (const at::Tensor& each : value.toTensorVector())
        list.push_back(isFloating(each) ? change(each, number++) : each);
      value = std::move(list);
    }
  }
  return copy;
}

constexpr double movedBy = 0x1p-14;  // large compared with float64's roundings, small compared with curvature
constexpr double movedAlone = 0x1p-8;  // what can be seen in a long sum
/// Of fewer the mean square would be far too small somewhere in a tensor of a million elements.
constexpr int draws = 16;
/// So many elements of an input are moved at random at first, and so many times as many then, until enough of
/// the outputs change to tell; where some do, not more often than this.
constexpr double fewestMoved = 8, enoughChanged = 0.1;
constexpr int mostTries = 3;

/// A hash of each element's place, so that torch's generators stay as they are.
at::Tensor hashes(const at::Tensor& values, std::int64_t draw) {
  at::Tensor hash = at::arange(values.numel(), values.options().dtype(at::kLong));
  const std::uint64_t start = (static_cast<std::uint64_t>(draw) + 1) * 1442695040888963407U;
  hash = hash.add_(1).mul_(6364136223846793005).add_(static_cast<std::int64_t>(start));
  return hash.bitwise_xor(hash.bitwise_right_shift(29)).mul_(3935559000370003845);
}

/// Moves every element up or down by this part of itself.
at::Tensor moved(const at::Tensor& values, std::int64_t draw, double by) {
  const at::Tensor sign = hashes(values, draw).bitwise_right_shift(47).bitwise_and_(1).mul_(2).sub_(1);
  const at::ScalarType real = c10::toRealValueType(values.scalar_type());
  return values.mul(sign.to(real).mul_(by).add_(1).reshape(values.sizes()));
}

/// Makes the largest finite element a little smaller: its effect is seen best in what it goes into.
at::Tensor oneMoved(const at::Tensor& values) {
  const at::Tensor flat = values.reshape(-1).clone(), size = flat.abs();
  const at::Tensor place = at::where(size.isfinite(), size, at::zeros({}, size.options())).argmax();
  flat.select(0, place.item<std::int64_t>()).mul_(1 - movedAlone);
  return flat.reshape(values.sizes());
}

/// About `many` elements at random places.
at::Tensor somePlaces(const at::Tensor& values, double many) {
  constexpr std::int64_t lots = std::int64_t{1} << 31;
  const double drawn = static_cast<double>(lots) * many / static_cast<double>(values.numel());
  const at::Tensor lot = hashes(values, draws).bitwise_right_shift(20).bitwise_and_(lots - 1);
  return lot.lt(static_cast<std::int64_t>(drawn)).reshape(values.sizes());
}

/// A reference that differs by this share of its size from one that multiplies in full precision uses TF32:
/// float32's own roundings come to 2^-22 of it, and TF32's to 2^-17 where its sums are longest.
constexpr double unlikeFullPrecision = 0x1p-19;
/// What TF32 costs: it keeps ten bits behind the point. cuDNN rounds to them, but Triton's `tl.dot` and a
/// tensor core given float32 as it is cut the others off, so that a product is up to 2 · 2^-10 too small,
/// and 1.4 · 2^-10 where numbers are spread evenly.
constexpr double roundoffOfTf32 = 1.5 * 0x1p-10;
/// Beside a reference that rounds to TF32 as well, a kernel differs little. Beside one that does not, the
/// rarest of a hundred million elements is off by twice as much.
constexpr double rarestOfTf32 = 2 * roundoffOfTf32;

/// Half a unit in the last place of the type in which sums of a type are kept.
double roundoff(at::ScalarType dtype) {
  return dtype == at::kDouble || dtype == at::kComplexDouble ? 0x1p-53 : 0x1p-24;
}

/// The same of a short type itself; 0 of others.
double roundoffOfShort(at::ScalarType dtype) {
  if (dtype == at::kBFloat16) return 0x1p-8;
  return dtype == at::kHalf ? 0x1p-11 : 0;
}

/// What a few elements of a short type may be off by; `size` is |o| + s.
at::Tensor roomInShortType(const at::Tensor& size, const at::Tensor& oracle, const Output& expected) {
  constexpr double several = 8, times = 2;
  const double u = roundoffOfShort(expected.dtype);
  if (u == 0) return {};
  const at::Tensor off = widened(expected.tensor).sub(oracle).abs();
  const at::Tensor none = at::zeros({}, size.options());
  const double worst = at::where(off.isfinite(), off, none).max().item<double>();
  const at::Tensor allowed = size.mul(several * u);
  return at::where(allowed.isfinite(), allowed.clamp_max(times * worst), none).contiguous();
}

/// The reference's outputs for inputs close to one point, in the widest type that it takes.
class Surroundings {
 public:
  Surroundings(const KernelContext& kernel, const Stack& arguments, const Stack& oracle,
               const Stack& expected)
      : kernel_(kernel), arguments_(arguments) {
    bool changed = false;
    Stack wide = widenedArguments(kernel, arguments, changed);
    // Else the oracle of a reference that uses TF32 is the same in full precision.
    wide_ = !oracle.empty() && changed && !referenceOutputs(kernel, cloneArguments(wide)).empty();
    isFull_ = !oracle.empty() && !wide_;
    if (wide_) arguments_ = std::move(wide);
    for (const Output& output : flatOutputs(oracle.empty() ? expected : oracle))
      values_.push_back(isFloating(output.tensor) ? widened(output.tensor) : at::Tensor());
    // What is cut off, as below zero, is near enough to the edge where a rounding brings it there.
    for (const Output& output : flatOutputs(expected))
      movedBy_ = std::max(movedBy_, roundoffOfShort(output.dtype));
    changedCopy(arguments_, [&](const at::Tensor& tensor, std::size_t) {
      inputs_.push_back(tensor.numel());
      const at::ScalarType type = c10::toRealValueType(tensor.scalar_type());
      exactEnough_ &= type == at::kDouble || type == at::kFloat;
      return tensor;
    });
  }

  [[nodiscard]] bool usable() const {
    const bool any = std::any_of(values_.begin(), values_.end(), [](const auto& v) { return v.defined(); });
    return exactEnough_ && !inputs_.empty() && any;
  }
  [[nodiscard]] bool wide() const { return wide_; }
  [[nodiscard]] const std::vector<at::Tensor>& values() const { return values_; }

  /// The s of each output; undefined tensors where there are none.
  [[nodiscard]] std::vector<at::Tensor> sensitivity() const;
  /// The n: over all inputs the largest number of their elements that an output's element comes from.
  [[nodiscard]] double terms() const;

 private:
  /// The same of one input.
  [[nodiscard]] double termsOf(std::size_t input) const;
  /// What share of the outputs' elements are other ones when an input is changed; 0 where the call fails.
  [[nodiscard]] double changedShare(std::size_t input,
                                    const std::function<at::Tensor(const at::Tensor&)>& change) const;
  [[nodiscard]] double outputElements() const;
  /// The floating outputs in float64, as many as values() has; nothing where the call fails.
  [[nodiscard]] std::vector<at::Tensor> outputsOf(const Stack& arguments) const {
    std::vector<at::Tensor> outputs;
    const std::vector<Output> flat = flatOutputs(isFull_ ? fullPrecisionOutputs(kernel_, arguments)
                                                         : referenceOutputs(kernel_, arguments));
    if (flat.size() != values_.size()) return {};
    for (std::size_t i = 0; i < flat.size(); ++i) {
      if (!values_[i].defined()) {
        outputs.emplace_back();
        continue;
      }
      if (!isFloating(flat[i].tensor) || flat[i].tensor.sizes() != values_[i].sizes()) return {};
      outputs.push_back(widened(flat[i].tensor));
    }
    return outputs;
  }

  const KernelContext& kernel_;
  /// In float64, or in full precision where the reference itself uses TF32.
  bool wide_ = false, isFull_ = false, exactEnough_ = true;
  double movedBy_ = movedBy;
  Stack arguments_;
  std::vector<at::Tensor> values_;
  std::vector<std::int64_t> inputs_;  // elements of each floating input
};

std::vector<at::Tensor> Surroundings::sensitivity() const {
  std::vector<at::Tensor> squares(values_.size());
  int done = 0;
  for (; done < draws; ++done) {
    const auto outputs = outputsOf(changedCopy(arguments_, [&](const at::Tensor& tensor, std::size_t number) {
      return moved(tensor, static_cast<std::int64_t>(number) * draws + done, movedBy_);
    }));
    if (outputs.empty()) break;
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      if (!outputs[i].defined()) continue;
      const at::Tensor square = outputs[i].sub(values_[i]).abs().div(movedBy_).square();
      squares[i] = squares[i].defined() ? squares[i].add(square) : square;
    }
  }
  for (at::Tensor& each : squares)
    if (each.defined()) each = each.div(std::max(done, 1)).sqrt();
  return done == 0 ? std::vector<at::Tensor>() : squares;
}

double Surroundings::terms() const {
  double most = 1;
  for (std::size_t input = 0; input < inputs_.size(); ++input) most = std::max(most, termsOf(input));
  return most;
}

double Surroundings::termsOf(std::size_t input) const {
  const auto elements = static_cast<double>(inputs_[input]);
  const double byLargest = elements * changedShare(input, oneMoved);
  // The largest may go into little, such as the last of a sum that runs along, or into nothing where a mask
  // or a branch leaves it out. So some are moved at random: an output that stays as it is comes from none of
  // them.
  double count = 0, share = 0, many = fewestMoved;
  for (int i = 0; count < elements && (share == 0 || (share < enoughChanged && i < mostTries)); ++i) {
    share = changedShare(input, [&](const at::Tensor& tensor) {
      const at::Tensor places = somePlaces(tensor, many);
      count = places.sum().item<double>();
      return at::where(places, tensor.mul(1 - movedAlone), tensor);
    });
    many *= fewestMoved;
  }
  // Where all outputs change, as few of them do, that tells no more than this.
  const double told = std::min(share, 1 - 1 / (fewestMoved * outputElements()));
  const double byChance = told > 0 ? elements * -std::log1p(-told) / count : 1;
  // The largest tells it exactly where it is one like others.
  return std::min(elements, byChance > 2 * byLargest ? byChance : byLargest);
}

double Surroundings::outputElements() const {
  double all = 0;
  for (const at::Tensor& each : values_)
    if (each.defined()) all += static_cast<double>(each.numel());
  return all;
}

double Surroundings::changedShare(std::size_t input,
                                  const std::function<at::Tensor(const at::Tensor&)>& change) const {
  const auto outputs = outputsOf(changedCopy(arguments_, [&](const at::Tensor& tensor, std::size_t number) {
    return number == input ? change(tensor) : tensor;
  }));
  double changed = 0;
  for (std::size_t i = 0; i < outputs.size(); ++i)
    if (outputs[i].defined()) changed += outputs[i].ne(values_[i]).sum().item<double>();
  return changed / std::max(1.0, outputElements());
}

/// Whether two results differ by more than float32's own roundings.
bool areUnlike(const Stack& expected, const Stack& others) {
  const std::vector<Output> own = flatOutputs(expected), other = flatOutputs(others);
  if (own.size() != other.size()) return false;
  for (std::size_t i = 0; i < own.size(); ++i) {
    if (!isFloating(own[i].tensor) || own[i].tensor.sizes() != other[i].tensor.sizes()) continue;
    const at::Tensor mine = widened(own[i].tensor), off = widened(other[i].tensor).sub(mine);
    if (off.norm().item<double>() > unlikeFullPrecision * mine.norm().item<double>()) return true;
  }
  return false;
}

/// What a kernel that multiplies in TF32 needs; 0 where nothing lets it. The reference does so here, or may:
/// whether a convolution does is up to the library for each of its shapes. A reference that keeps something
/// from its calls differs from itself, too.
double roomForTf32(const KernelContext& kernel, const Stack& arguments, const Stack& expected) {
  if (kernel.device == "cpu") return 0;
  if (areUnlike(expected, fullPrecisionOutputs(kernel, arguments)))
    return areUnlike(expected, referenceOutputs(kernel, cloneArguments(arguments))) ? 0 : roundoffOfTf32;
  if (!convolvesInTf32()) return 0;
  const SideTurn turn(kernel.turns, Side::reference);
  return callsConvolution(kernel.op, cloneArguments(arguments)) ? rarestOfTf32 : 0;
}

}  // namespace

Stack oracleOutputs(const KernelContext& kernel, const Stack& arguments) {
  bool changed = false;
  Stack wide = widenedArguments(kernel, arguments, changed);
  if (!changed && isProblem(kernel.op)) wide = wholeAsFloat64(arguments, changed);
  Stack outputs = changed ? referenceOutputs(kernel, wide) : Stack();
  // Of a problem in float32, the weights cannot be widened.
  if (outputs.empty() && kernel.device != "cpu") outputs = fullPrecisionOutputs(kernel, arguments);
  return outputs;
}

Stack roundedOutputs(const KernelContext& kernel, const Stack& arguments, int mantissaBits) {
  const auto round = [&](const at::Tensor& tensor, std::size_t) { return roundedTo(tensor, mantissaBits); };
  Stack outputs = referenceOutputs(kernel, changedCopy(arguments, round));
  for (c10::IValue& output : outputs) output = roundedTo(output, mantissaBits);
  return outputs;
}

RoundingRoom roundingRoom(const KernelContext& kernel, const Stack& arguments, const Stack& oracle,
                          const Stack& expected) {
  const Surroundings surroundings(kernel, arguments, oracle, expected);
  if (!surroundings.usable()) return {};
  const std::vector<at::Tensor> sensitivity = surroundings.sensitivity();
  if (sensitivity.empty()) return {};
  RoundingRoom room;
  room.terms = surroundings.terms();
  const double factor = std::min(4 * std::sqrt(room.terms), 1024.0) * (surroundings.wide() ? 1 : 2);
  const double leastFactor = roomForTf32(kernel, arguments, expected);
  const std::vector<Output> own = flatOutputs(expected);
  for (std::size_t i = 0; i < sensitivity.size() && i < own.size(); ++i) {
    if (!sensitivity[i].defined()) {
      room.outputs.emplace_back();
      room.fewInShortType.emplace_back();
      continue;
    }
    const at::Tensor size = surroundings.values()[i].abs().add(sensitivity[i]);
    const at::Tensor allowed = size.mul(std::max(factor * roundoff(own[i].dtype), leastFactor));
    room.outputs.emplace_back(
        at::where(allowed.isfinite(), allowed, at::zeros({}, allowed.options())).contiguous());
    room.fewInShortType.emplace_back(
        surroundings.wide() ? roomInShortType(size, surroundings.values()[i], own[i]) : at::Tensor());
  }
  return room;
}

}  // namespace wb
