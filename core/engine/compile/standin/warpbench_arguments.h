// SPDX-License-Identifier: Apache-2.0
// How each C++ parameter type takes an argument of an operator. Included by warpbench_glue.h.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <ATen/core/IListRef.h>
#include <ATen/core/List.h>
#include <ATen/core/ivalue.h>
#include <c10/util/Exception.h>
#include <c10/util/OptionalArrayRef.h>
#include <c10/util/SmallVector.h>

namespace warpbench_glue {

/// Kinds of schema types. Optional ones (int?) are of the same kind as what they hold.
enum class Kind {
  tensor,
  tensors,
  optionalTensors,
  scalar,
  scalars,
  integer,
  integers,
  real,
  reals,
  boolean,
  booleans,
  text,
  device,
  generator,
  other
};

/// Taker<D> for a parameter of type D (without const and &):
///   known       false: no such parameter can be filled
///   takes(kind) can it be filled from this kind of argument
///   Kept        what must live during the call
///   keep        takes the value out of the IValue
///   view        D, made of what was kept
template <class D>
struct Taker {
  static constexpr bool known = false;
  static constexpr bool takes(Kind) { return false; }
};

template <class D, Kind... kinds>
struct Simple {
  static constexpr bool known = true;
  using Kept = D;
  static constexpr bool takes(Kind kind) { return ((kind == kinds) || ...); }
  static D& view(D& kept) { return kept; }
  static void refuseNone(const c10::IValue& value, const char* name) {
    TORCH_CHECK(!value.isNone(), "argument '", name,
                "' is None here, which the kernel's parameter cannot hold: use std::optional");
  }
};

template <>
struct Taker<at::Tensor> : Simple<at::Tensor, Kind::tensor> {
  static at::Tensor keep(c10::IValue&& value, const char*) {
    return value.isNone() ? at::Tensor() : std::move(value).toTensor();
  }
};
template <>
struct Taker<at::Scalar> : Simple<at::Scalar, Kind::scalar, Kind::real, Kind::integer> {
  static at::Scalar keep(c10::IValue&& value, const char* name) {
    refuseNone(value, name);
    return value.toScalar();
  }
};
template <class D>
requires std::is_floating_point_v<D>
struct Taker<D> : Simple<D, Kind::real, Kind::scalar, Kind::integer> {
  static D keep(c10::IValue&& value, const char* name) {
    Simple<D>::refuseNone(value, name);
    return value.isDouble() ? static_cast<D>(value.toDouble()) : value.toScalar().to<D>();
  }
};
template <class D>
requires std::is_integral_v<D>
struct Taker<D> : Simple<D, Kind::integer, Kind::boolean, Kind::scalar> {
  static D keep(c10::IValue&& value, const char* name) {
    Simple<D>::refuseNone(value, name);
    if (value.isInt()) return static_cast<D>(value.toInt());
    if (value.isBool()) return static_cast<D>(value.toBool());
    const at::Scalar scalar = value.toScalar();
    if (scalar.isFloatingPoint()) {
      const double exact = scalar.toDouble();
      TORCH_CHECK(exact == std::trunc(exact), "argument '", name, "' is ", exact,
                  " here, and the kernel takes it as an integer: use const at::Scalar& or double");
    }
    return scalar.to<D>();
  }
};
template <>
struct Taker<bool> : Simple<bool, Kind::boolean> {
  static bool keep(c10::IValue&& value, const char* name) {
    refuseNone(value, name);
    return value.toBool();
  }
};
template <>
struct Taker<c10::SymInt> : Simple<c10::SymInt, Kind::integer> {
  static c10::SymInt keep(c10::IValue&& value, const char* name) {
    refuseNone(value, name);
    return value.toSymInt();
  }
};
template <class D>
requires(std::is_same_v<D, at::ScalarType> || std::is_same_v<D, at::Layout> ||
         std::is_same_v<D, at::MemoryFormat>) struct Taker<D> : Simple<D, Kind::integer> {
  static D keep(c10::IValue&& value, const char* name) {
    Simple<D>::refuseNone(value, name);
    return static_cast<D>(value.toInt());
  }
};
template <>
struct Taker<at::Device> : Simple<at::Device, Kind::device> {
  static at::Device keep(c10::IValue&& value, const char* name) {
    refuseNone(value, name);
    return value.toDevice();
  }
};
template <>
struct Taker<at::Generator> : Simple<at::Generator, Kind::generator> {
  static at::Generator keep(c10::IValue&& value, const char* name) {
    refuseNone(value, name);
    return value.toGenerator();
  }
};
template <>
struct Taker<std::string> : Simple<std::string, Kind::text> {
  static std::string keep(c10::IValue&& value, const char* name) {
    refuseNone(value, name);
    return value.toStringRef();
  }
};
template <>
struct Taker<std::string_view> : Taker<std::string> {
  static std::string_view view(std::string& kept) { return kept; }
};
template <>
struct Taker<const char*> : Taker<std::string> {
  static const char* view(std::string& kept) { return kept.c_str(); }
};
template <>
struct Taker<c10::IValue> {
  static constexpr bool known = true;
  using Kept = c10::IValue;
  static constexpr bool takes(Kind) { return true; }
  static c10::IValue& view(c10::IValue& kept) { return kept; }
  static c10::IValue keep(c10::IValue&& value, const char*) { return std::move(value); }
};

// Lists.
template <class T>
constexpr bool takesList(Kind kind) {
  if constexpr (std::is_same_v<T, at::Tensor>) return kind == Kind::tensors;
  if constexpr (std::is_same_v<T, std::optional<at::Tensor>>)
    return kind == Kind::optionalTensors || kind == Kind::tensors;
  if constexpr (std::is_same_v<T, std::int64_t> || std::is_same_v<T, c10::SymInt>)
    return kind == Kind::integers;
  if constexpr (std::is_same_v<T, double>) return kind == Kind::reals;
  if constexpr (std::is_same_v<T, bool>) return kind == Kind::booleans;
  if constexpr (std::is_same_v<T, at::Scalar>) return kind == Kind::scalars;
  return false;
}
template <class T>
constexpr bool listElement =
    takesList<T>(Kind::tensors) || takesList<T>(Kind::integers) || takesList<T>(Kind::reals) ||
    takesList<T>(Kind::booleans) || takesList<T>(Kind::scalars);

/// std::vector<bool> has no array of bool to refer to.
template <class T>
using Storage = std::conditional_t<std::is_same_v<T, bool>, c10::SmallVector<bool, 8>, std::vector<T>>;

template <class T>
Storage<T> keepList(c10::IValue&& value, const char* name) {
  TORCH_CHECK(!value.isNone(), "argument '", name,
              "' is None here, which the kernel's parameter cannot hold: use std::optional");
  if constexpr (std::is_same_v<T, at::Tensor>) {
    return value.toTensorVector();
  } else if constexpr (std::is_same_v<T, std::int64_t>) {
    return value.toIntVector();
  } else if constexpr (std::is_same_v<T, double>) {
    return value.toDoubleVector();
  } else {
    Storage<T> kept;
    const c10::List<c10::IValue> list = value.toList();
    for (std::size_t i = 0; i < list.size(); ++i) {
      const c10::IValue item = list.get(i);
      if constexpr (std::is_same_v<T, std::optional<at::Tensor>>) {
        kept.push_back(item.isNone() ? std::nullopt : std::optional<at::Tensor>(item.toTensor()));
      } else if constexpr (std::is_same_v<T, bool>) {
        kept.push_back(item.toBool());
      } else if constexpr (std::is_same_v<T, c10::SymInt>) {
        kept.push_back(item.toSymInt());
      } else {
        kept.push_back(item.toScalar());
      }
    }
    return kept;
  }
}

template <class T>
requires listElement<T>
struct Taker<std::vector<T>> {
  static constexpr bool known = true;
  using Kept = std::vector<T>;
  static constexpr bool takes(Kind kind) { return takesList<T>(kind); }
  static Kept& view(Kept& kept) { return kept; }
  static Kept keep(c10::IValue&& value, const char* name) {
    auto items = keepList<T>(std::move(value), name);
    if constexpr (std::is_same_v<decltype(items), Kept>) {
      return items;
    } else {
      return Kept(items.begin(), items.end());
    }
  }
};
/// Lists of other numbers: of the elements' widest type.
template <class T>
requires(std::is_arithmetic_v<T> && !listElement<T>) struct Taker<std::vector<T>> {
  static constexpr bool known = true;
  using Kept = std::vector<T>;
  using Wide = std::conditional_t<std::is_integral_v<T>, std::int64_t, double>;
  static constexpr bool takes(Kind kind) { return takesList<Wide>(kind); }
  static Kept& view(Kept& kept) { return kept; }
  static Kept keep(c10::IValue&& value, const char* name) {
    Kept kept;
    for (const Wide each : keepList<Wide>(std::move(value), name)) kept.push_back(static_cast<T>(each));
    return kept;
  }
};
template <class T>
requires listElement<T>
struct Taker<at::ArrayRef<T>> {
  static constexpr bool known = true;
  using Kept = Storage<T>;
  static constexpr bool takes(Kind kind) { return takesList<T>(kind); }
  static at::ArrayRef<T> view(Kept& kept) { return at::ArrayRef<T>(kept.data(), kept.size()); }
  static Kept keep(c10::IValue&& value, const char* name) { return keepList<T>(std::move(value), name); }
};
template <class T, std::size_t n>
requires listElement<T>
struct Taker<std::array<T, n>> {
  static constexpr bool known = true;
  using Kept = std::array<T, n>;
  static constexpr bool takes(Kind kind) { return takesList<T>(kind); }
  static Kept& view(Kept& kept) { return kept; }
  static Kept keep(c10::IValue&& value, const char* name) {
    auto items = keepList<T>(std::move(value), name);
    TORCH_CHECK(items.size() == n, "argument '", name, "' has ", items.size(),
                " elements here, and the kernel takes ", n);
    Kept kept{};
    for (std::size_t i = 0; i < n; ++i) kept[i] = items[i];
    return kept;
  }
};
template <class T>
requires listElement<T>
struct Taker<c10::List<T>> {
  static constexpr bool known = true;
  using Kept = c10::List<T>;
  static constexpr bool takes(Kind kind) { return takesList<T>(kind); }
  static Kept& view(Kept& kept) { return kept; }
  static Kept keep(c10::IValue&& value, const char* name) {
    Kept kept;
    for (auto& item : keepList<T>(std::move(value), name)) kept.push_back(item);
    return kept;
  }
};
template <>
struct Taker<at::ITensorListRef> : Taker<at::TensorList> {
  static at::ITensorListRef view(Kept& kept) { return at::ITensorListRef(at::TensorList(kept)); }
};

template <class T>
requires Taker<T>::known struct Taker<std::optional<T>> {
  static constexpr bool known = true;
  using Kept = std::optional<typename Taker<T>::Kept>;
  static constexpr bool takes(Kind kind) { return Taker<T>::takes(kind); }
  static decltype(auto) view(Kept& kept) {
    if constexpr (std::is_same_v<Kept, std::optional<T>>) {
      return (kept);
    } else {
      return kept ? std::optional<T>(Taker<T>::view(*kept)) : std::optional<T>();
    }
  }
  static Kept keep(c10::IValue&& value, const char* name) {
    if (value.isNone()) return std::nullopt;
    if constexpr (std::is_same_v<T, at::Tensor>) {
      if (!value.toTensor().defined()) return std::nullopt;
    }
    return Taker<T>::keep(std::move(value), name);
  }
};
template <class T>
struct Taker<c10::OptionalArrayRef<T>> : Taker<std::optional<at::ArrayRef<T>>> {
  using Base = Taker<std::optional<at::ArrayRef<T>>>;
  static c10::OptionalArrayRef<T> view(typename Base::Kept& kept) { return Base::view(kept); }
};

/// One parameter of type P during a call.
template <class P>
class Argument {
  using D = std::remove_cvref_t<P>;
  using Take = Taker<D>;
  static constexpr bool itself = std::is_same_v<typename Take::Kept, D>;

 public:
  Argument(c10::IValue&& value, const char* name) : kept_(Take::keep(std::move(value), name)) {}
  P get() {
    if constexpr (itself) {
      return static_cast<P>(kept_);
    } else if constexpr (std::is_reference_v<P>) {
      viewed_.emplace(Take::view(kept_));
      return static_cast<P>(*viewed_);
    } else {
      return Take::view(kept_);
    }
  }

 private:
  typename Take::Kept kept_;
  std::conditional_t<!itself && std::is_reference_v<P>, std::optional<D>, std::tuple<>> viewed_;
};

template <class Returning, class D>
concept Pushable = requires(std::vector<c10::IValue>& stack, D value) {
  Returning::push(stack, std::move(value));
}
|| requires(std::vector<c10::IValue>& stack, D value) {
  Returning::push(stack, std::move(value), true);
};

}  // namespace warpbench_glue
