// SPDX-License-Identifier: Apache-2.0
#pragma once

// What says which members of a struct its JSON form has; json_fields.h uses it for every struct of the model.

#include <array>
#include <concepts>
#include <cstddef>
#include <string_view>
#include <type_traits>
#include <utility>

namespace wb {

/// `S` is `T` or `const T`: reading and writing share one function.
template <class S, class T>
concept Maybe = std::same_as<std::remove_const_t<S>, T>;

/// The name of a struct that has a WB_FIELDS.
template <class T>
inline constexpr std::string_view structName{};

/// Its `type` is the struct that another one is built on; the JSON form has the members of both.
template <class T>
struct BaseOf {};
template <class T>
concept HasBase = requires {
  typename BaseOf<T>::type;
};

/// Whether an aggregate can be made of members of these types, and whether one more would find a place.
template <class T, class... Members>
concept MadeOf = requires {
  T{std::declval<Members>()...};
};
template <class T, class... Members>
concept HasRoomAfter = requires {
  T{std::declval<Members>()..., {}};
};
template <class T, class... Members>
inline constexpr bool isAllOf = MadeOf<T, Members...> && !HasRoomAfter<T, Members...>;
template <HasBase T, class... Members>
inline constexpr bool isAllOf<T, Members...> =
    MadeOf<T, typename BaseOf<T>::type, Members...> && !HasRoomAfter<T, typename BaseOf<T>::type, Members...>;

template <std::size_t count>
[[nodiscard]] constexpr bool allDiffer(const std::array<std::string_view, count>& names) {
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (names[i] == names[j]) return false;
  return true;
}

// WB_FOR_EACH(macro, type, a, b, c) is macro(type, a) macro(type, b) macro(type, c), for up to 256 names.
#define WB_EXPAND(...) WB_EXPAND_64(WB_EXPAND_64(WB_EXPAND_64(WB_EXPAND_64(__VA_ARGS__))))
#define WB_EXPAND_64(...) WB_EXPAND_16(WB_EXPAND_16(WB_EXPAND_16(WB_EXPAND_16(__VA_ARGS__))))
#define WB_EXPAND_16(...) WB_EXPAND_4(WB_EXPAND_4(WB_EXPAND_4(WB_EXPAND_4(__VA_ARGS__))))
#define WB_EXPAND_4(...) __VA_ARGS__
#define WB_NOTHING
#define WB_FOR_EACH(macro, type, ...) __VA_OPT__(WB_EXPAND(WB_NEXT(macro, type, __VA_ARGS__)))
#define WB_NEXT(macro, type, first, ...) \
  macro(type, first) __VA_OPT__(WB_NEXT_AGAIN WB_NOTHING()(macro, type, __VA_ARGS__))
#define WB_NEXT_AGAIN() WB_NEXT

#define WB_FIELD_NAME(Type, member) std::string_view(#member),
#define WB_FIELD_TYPE(Type, member) , decltype(Type::member)
#define WB_FIELD_VISIT(Type, member) visit(#member, object.member);

/// Whether the names are all the members of a struct, in the order of their declaration and each once: it can
/// be made of members of their types, and has no room for another.
#define WB_NAMES_ALL_FIELDS(Type, ...)                                  \
  (::wb::isAllOf<Type WB_FOR_EACH(WB_FIELD_TYPE, Type, __VA_ARGS__)> && \
   ::wb::allDiffer(std::array{WB_FOR_EACH(WB_FIELD_NAME, Type, __VA_ARGS__)}))

/// Visits the members of the struct that this one is built on, if there is one.
template <class Visit, class Object>
void baseFields(Visit& visit, Object& object) {
  using Plain = std::remove_const_t<Object>;
  if constexpr (HasBase<Plain>) {
    using Base = typename BaseOf<Plain>::type;
    fields(visit, static_cast<std::conditional_t<std::is_const_v<Object>, const Base, Base>&>(object));
  }
}

/// Gives a struct its JSON form: fields(visit, object) calls visit("member", object.member) for each of its
/// members. What names fewer than all of them does not compile.
#define WB_FIELDS(Type, ...)         \
  WB_FIELDS_GIVEN(Type, __VA_ARGS__) \
  static_assert(WB_NAMES_ALL_FIELDS(Type, __VA_ARGS__), WB_FIELDS_MESSAGE(Type))
/// The same, less the last member of the struct, which its JSON form does not have.
#define WB_FIELDS_WITHOUT(Type, last, ...) \
  WB_FIELDS_GIVEN(Type, __VA_ARGS__)       \
  static_assert(WB_NAMES_ALL_FIELDS(Type, __VA_ARGS__, last), WB_FIELDS_MESSAGE(Type))

/// Says that a struct is built on another one, before its own WB_FIELDS.
#define WB_BASE(Type, Base) \
  template <>               \
  struct BaseOf<Type> {     \
    using type = Base;      \
  }

#define WB_FIELDS_GIVEN(Type, ...)                            \
  template <>                                                 \
  inline constexpr std::string_view structName<Type> = #Type; \
  template <class Visit, Maybe<Type> Object>                  \
  void fields(Visit& visit, Object& object) {                 \
    ::wb::baseFields(visit, object);                          \
    WB_FOR_EACH(WB_FIELD_VISIT, Type, __VA_ARGS__)            \
  }
#define WB_FIELDS_MESSAGE(Type) #Type ": WB_FIELDS must name every member, in the order of their declaration"

}  // namespace wb
