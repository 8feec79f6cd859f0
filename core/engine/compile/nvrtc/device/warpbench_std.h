// SPDX-License-Identifier: Apache-2.0
// The parts of C++'s standard library that device code uses, for NVRTC, which has none: torch's own Half,
// BFloat16 and TensorAccessor compile with these. std::move, std::forward and std::initializer_list are built
// into NVRTC.
#pragma once

#include "warpbench_numbers.h"

__device__ __forceinline__ int __builtin_clz(unsigned x) {
  return __clz(int(x));
}

namespace std {

using nullptr_t = decltype(nullptr);

template <class T, T v>
struct integral_constant {
  static constexpr T value = v;
  using value_type = T;
  using type = integral_constant;
  __host__ __device__ constexpr operator T() const noexcept { return v; }
  __host__ __device__ constexpr T operator()() const noexcept { return v; }
};
template <bool b>
using bool_constant = integral_constant<bool, b>;
using true_type = bool_constant<true>;
using false_type = bool_constant<false>;

template <bool, class T = void>
struct enable_if {};
template <class T>
struct enable_if<true, T> {
  using type = T;
};
template <bool b, class T = void>
using enable_if_t = typename enable_if<b, T>::type;
template <bool, class T, class>
struct conditional {
  using type = T;
};
template <class T, class F>
struct conditional<false, T, F> {
  using type = F;
};
template <bool b, class T, class F>
using conditional_t = typename conditional<b, T, F>::type;
template <class...>
using void_t = void;
template <class T>
struct type_identity {
  using type = T;
};

// clang-format off
template <class T> struct remove_reference { using type = T; };
template <class T> struct remove_reference<T&> { using type = T; };
template <class T> struct remove_reference<T&&> { using type = T; };
template <class T> struct remove_const { using type = T; };
template <class T> struct remove_const<const T> { using type = T; };
template <class T> struct remove_volatile { using type = T; };
template <class T> struct remove_volatile<volatile T> { using type = T; };
template <class T> struct remove_cv { using type = typename remove_const<typename remove_volatile<T>::type>::type; };
template <class T> struct remove_cvref { using type = typename remove_cv<typename remove_reference<T>::type>::type; };
template <class T> struct remove_pointer { using type = T; };
template <class T> struct remove_pointer<T*> { using type = T; };
template <class T> struct remove_pointer<T* const> { using type = T; };
template <class T> struct remove_extent { using type = T; };
template <class T> struct remove_extent<T[]> { using type = T; };
template <class T, size_t n> struct remove_extent<T[n]> { using type = T; };
template <class T> using remove_reference_t = typename remove_reference<T>::type;
template <class T> using remove_const_t = typename remove_const<T>::type;
template <class T> using remove_volatile_t = typename remove_volatile<T>::type;
template <class T> using remove_cv_t = typename remove_cv<T>::type;
template <class T> using remove_cvref_t = typename remove_cvref<T>::type;
template <class T> using remove_pointer_t = typename remove_pointer<T>::type;
template <class T> using remove_extent_t = typename remove_extent<T>::type;
template <class T> struct add_const { using type = const T; };
template <class T> using add_const_t = const T;
template <class T> struct add_pointer { using type = remove_reference_t<T>*; };
template <class T> using add_pointer_t = remove_reference_t<T>*;
template <class T> struct decay { using type = remove_cv_t<remove_reference_t<T>>; };
template <class T> using decay_t = typename decay<T>::type;

template <class T, class U> inline constexpr bool is_same_v = false;
template <class T> inline constexpr bool is_same_v<T, T> = true;
template <class T, class U> struct is_same : bool_constant<is_same_v<T, U>> {};
template <class T> inline constexpr bool is_const_v = false;
template <class T> inline constexpr bool is_const_v<const T> = true;
template <class T> struct is_const : bool_constant<is_const_v<T>> {};
template <class T> inline constexpr bool is_pointer_v = false;
template <class T> inline constexpr bool is_pointer_v<T*> = true;
template <class T> inline constexpr bool is_pointer_v<T* const> = true;
template <class T> struct is_pointer : bool_constant<is_pointer_v<T>> {};
template <class T> inline constexpr bool is_reference_v = false;
template <class T> inline constexpr bool is_reference_v<T&> = true;
template <class T> inline constexpr bool is_reference_v<T&&> = true;
template <class T> struct is_reference : bool_constant<is_reference_v<T>> {};
template <class T> inline constexpr bool is_lvalue_reference_v = false;
template <class T> inline constexpr bool is_lvalue_reference_v<T&> = true;
template <class T> struct is_lvalue_reference : bool_constant<is_lvalue_reference_v<T>> {};
template <class T, class... U> inline constexpr bool is_one_of_v = (is_same_v<remove_cv_t<T>, U> || ...);
template <class T> inline constexpr bool is_void_v = is_same_v<remove_cv_t<T>, void>;
template <class T> struct is_void : bool_constant<is_void_v<T>> {};
template <class T> inline constexpr bool is_floating_point_v = is_one_of_v<T, float, double>;
template <class T> struct is_floating_point : bool_constant<is_floating_point_v<T>> {};
template <class T> inline constexpr bool is_integral_v = is_one_of_v<T, bool, char, signed char, unsigned char, short,
    unsigned short, int, unsigned int, long, unsigned long, long long, unsigned long long, wchar_t, char16_t, char32_t>;
template <class T> struct is_integral : bool_constant<is_integral_v<T>> {};
template <class T> inline constexpr bool is_arithmetic_v = is_floating_point_v<T> || is_integral_v<T>;
template <class T> struct is_arithmetic : bool_constant<is_arithmetic_v<T>> {};
template <class T, bool = is_arithmetic_v<T>> inline constexpr bool is_signed_v = T(-1) < T(0);
template <class T> inline constexpr bool is_signed_v<T, false> = false;
template <class T> struct is_signed : bool_constant<is_signed_v<T>> {};
template <class T, bool = is_arithmetic_v<T>> inline constexpr bool is_unsigned_v = T(0) < T(-1);
template <class T> inline constexpr bool is_unsigned_v<T, false> = false;
template <class T> struct is_unsigned : bool_constant<is_unsigned_v<T>> {};
template <class T> inline constexpr bool is_enum_v = __is_enum(T);
template <class T> struct is_enum : bool_constant<__is_enum(T)> {};
template <class T> inline constexpr bool is_class_v = __is_class(T);
template <class T> struct is_class : bool_constant<__is_class(T)> {};
template <class T> inline constexpr bool is_empty_v = __is_empty(T);
template <class T> struct is_empty : bool_constant<__is_empty(T)> {};
template <class B, class D> inline constexpr bool is_base_of_v = __is_base_of(B, D);
template <class B, class D> struct is_base_of : bool_constant<__is_base_of(B, D)> {};
template <class F, class T> inline constexpr bool is_convertible_v = __is_convertible_to(F, T);
template <class F, class T> struct is_convertible : bool_constant<__is_convertible_to(F, T)> {};
template <class T> inline constexpr bool is_trivially_copyable_v = __is_trivially_copyable(T);
template <class T> struct is_trivially_copyable : bool_constant<__is_trivially_copyable(T)> {};
template <class T, class... A> inline constexpr bool is_constructible_v = __is_constructible(T, A...);
template <class T, class... A> struct is_constructible : bool_constant<__is_constructible(T, A...)> {};
template <class T, class... A> inline constexpr bool is_trivially_constructible_v = __is_trivially_constructible(T, A...);
template <class T> inline constexpr bool is_default_constructible_v = __is_constructible(T);
template <class T> struct is_default_constructible : bool_constant<__is_constructible(T)> {};
template <class T, bool = __is_enum(T)> struct underlying_type { using type = __underlying_type(T); };
template <class T> struct underlying_type<T, false> {};
template <class T> using underlying_type_t = typename underlying_type<T>::type;
template <class T> struct make_signed { using type = T; };
template <> struct make_signed<unsigned char> { using type = signed char; };
template <> struct make_signed<char> { using type = signed char; };
template <> struct make_signed<unsigned short> { using type = short; };
template <> struct make_signed<unsigned int> { using type = int; };
template <> struct make_signed<unsigned long> { using type = long; };
template <> struct make_signed<unsigned long long> { using type = long long; };
template <class T> using make_signed_t = typename make_signed<T>::type;
template <class T> struct make_unsigned { using type = T; };
template <> struct make_unsigned<signed char> { using type = unsigned char; };
template <> struct make_unsigned<char> { using type = unsigned char; };
template <> struct make_unsigned<short> { using type = unsigned short; };
template <> struct make_unsigned<int> { using type = unsigned int; };
template <> struct make_unsigned<long> { using type = unsigned long; };
template <> struct make_unsigned<long long> { using type = unsigned long long; };
template <class T> using make_unsigned_t = typename make_unsigned<T>::type;
template <class T, class...> struct common_type { using type = T; };
template <class T, class U> struct common_type<T, U> { using type = decltype(true ? T() : U()); };
template <class T, class U, class V, class... R> struct common_type<T, U, V, R...> : common_type<typename common_type<T, U>::type, V, R...> {};
template <class... T> using common_type_t = typename common_type<T...>::type;
template <class...> struct conjunction : true_type {};
template <class B, class... R> struct conjunction<B, R...> : conditional_t<bool(B::value), conjunction<R...>, false_type> {};
template <class B> struct conjunction<B> : B {};
template <class...> struct disjunction : false_type {};
template <class B, class... R> struct disjunction<B, R...> : conditional_t<bool(B::value), true_type, disjunction<R...>> {};
template <class B> struct disjunction<B> : B {};
template <class B> struct negation : bool_constant<!bool(B::value)> {};
template <class... B> inline constexpr bool conjunction_v = conjunction<B...>::value;
template <class... B> inline constexpr bool disjunction_v = disjunction<B...>::value;
template <class B> inline constexpr bool negation_v = !bool(B::value);
template <class T> __host__ __device__ T&& declval() noexcept;

template <class T, T... i> struct integer_sequence { static __host__ __device__ constexpr size_t size() { return sizeof...(i); } };
template <size_t... i> using index_sequence = integer_sequence<size_t, i...>;
template <size_t n, size_t... i> struct sequence_up_to : sequence_up_to<n - 1, n - 1, i...> {};
template <size_t... i> struct sequence_up_to<0, i...> { using type = index_sequence<i...>; };
template <size_t n> using make_index_sequence = typename sequence_up_to<n>::type;
template <class... T> using index_sequence_for = make_index_sequence<sizeof...(T)>;

template <class T> __host__ __device__ constexpr const T& max(const T& a, const T& b) { return a < b ? b : a; }
template <class T> __host__ __device__ constexpr const T& min(const T& a, const T& b) { return b < a ? b : a; }
template <class T> __host__ __device__ constexpr const T& clamp(const T& v, const T& lo, const T& hi) { return v < lo ? lo : hi < v ? hi : v; }
template <class T> __host__ __device__ constexpr void swap(T& a, T& b) { T c = static_cast<T&&>(a); a = static_cast<T&&>(b); b = static_cast<T&&>(c); }
template <class T> __host__ __device__ constexpr T* addressof(T& value) { return __builtin_addressof(value); }
template <class A, class B> __host__ __device__ constexpr A exchange(A& a, B&& b) { A old = static_cast<A&&>(a); a = static_cast<B&&>(b); return old; }

template <class A, class B> struct pair {
  A first; B second;
};
template <class A, class B> __host__ __device__ constexpr pair<A, B> make_pair(A a, B b) { return {a, b}; }
template <class T, size_t n> struct array {
  T elements[n > 0 ? n : 1];
  __host__ __device__ constexpr T& operator[](size_t i) { return elements[i]; }
  __host__ __device__ constexpr const T& operator[](size_t i) const { return elements[i]; }
  __host__ __device__ constexpr T* data() { return elements; }
  __host__ __device__ constexpr const T* data() const { return elements; }
  __host__ __device__ constexpr size_t size() const { return n; }
  __host__ __device__ constexpr T* begin() { return elements; }
  __host__ __device__ constexpr T* end() { return elements + n; }
  __host__ __device__ constexpr const T* begin() const { return elements; }
  __host__ __device__ constexpr const T* end() const { return elements + n; }
};
template <class T = void> struct plus { __host__ __device__ constexpr T operator()(const T& a, const T& b) const { return a + b; } };
template <class T = void> struct minus { __host__ __device__ constexpr T operator()(const T& a, const T& b) const { return a - b; } };
template <class T = void> struct multiplies { __host__ __device__ constexpr T operator()(const T& a, const T& b) const { return a * b; } };
template <class T = void> struct less { __host__ __device__ constexpr bool operator()(const T& a, const T& b) const { return a < b; } };
template <class T = void> struct greater { __host__ __device__ constexpr bool operator()(const T& a, const T& b) const { return a > b; } };

enum float_round_style { round_indeterminate = -1, round_toward_zero = 0, round_to_nearest = 1 };
enum float_denorm_style { denorm_indeterminate = -1, denorm_absent = 0, denorm_present = 1 };
struct float_limits {
  static constexpr bool is_specialized = true, is_signed = true, is_integer = false, is_exact = false, has_infinity = true, has_quiet_NaN = true,
                        has_signaling_NaN = true, has_denorm_loss = false, is_iec559 = true, is_bounded = true, is_modulo = false, traps = false, tinyness_before = false;
  static constexpr float_denorm_style has_denorm = denorm_present;
  static constexpr float_round_style round_style = round_to_nearest;
  static constexpr int radix = 2;
};
template <class T, bool = is_integral_v<T>> struct numeric_limits { static constexpr bool is_specialized = false; };
template <class T> struct numeric_limits<const T> : numeric_limits<T> {};
template <class T> struct numeric_limits<T, true> {
  static constexpr bool is_specialized = true, is_signed = is_signed_v<T>, is_integer = true, is_exact = true,
                        has_infinity = false, has_quiet_NaN = false;
  static constexpr int radix = 2, digits = is_same_v<T, bool> ? 1 : int(sizeof(T)) * 8 - (is_signed ? 1 : 0), digits10 = digits * 30103 / 100000;
  static __host__ __device__ constexpr T max() { return is_signed ? T(make_unsigned_t<T>(~make_unsigned_t<T>(0)) >> (is_same_v<T, bool> ? 0 : 1)) : is_same_v<T, bool> ? T(1) : T(~T(0)); }
  static __host__ __device__ constexpr T min() { return is_signed ? T(-max() - 1) : T(0); }
  static __host__ __device__ constexpr T lowest() { return min(); }
  static __host__ __device__ constexpr T epsilon() { return T(0); }
  static __host__ __device__ constexpr T infinity() { return T(0); }
  static __host__ __device__ constexpr T quiet_NaN() { return T(0); }
};
template <> struct numeric_limits<float, false> : float_limits {
  static constexpr int digits = 24, digits10 = 6, max_digits10 = 9, max_exponent = 128, min_exponent = -125, max_exponent10 = 38, min_exponent10 = -37;
  static __host__ __device__ constexpr float max() { return FLT_MAX; }
  static __host__ __device__ constexpr float min() { return FLT_MIN; }
  static __host__ __device__ constexpr float lowest() { return -FLT_MAX; }
  static __host__ __device__ constexpr float epsilon() { return FLT_EPSILON; }
  static __host__ __device__ constexpr float infinity() { return __builtin_bit_cast(float, 0x7f800000u); }
  static __host__ __device__ constexpr float quiet_NaN() { return __builtin_bit_cast(float, 0x7fc00000u); }
};
template <> struct numeric_limits<double, false> : float_limits {
  static constexpr int digits = 53, digits10 = 15, max_digits10 = 17, max_exponent = 1024, min_exponent = -1021;
  static __host__ __device__ constexpr double max() { return DBL_MAX; }
  static __host__ __device__ constexpr double min() { return DBL_MIN; }
  static __host__ __device__ constexpr double lowest() { return -DBL_MAX; }
  static __host__ __device__ constexpr double epsilon() { return DBL_EPSILON; }
  static __host__ __device__ constexpr double infinity() { return __builtin_bit_cast(double, 0x7ff0000000000000ul); }
  static __host__ __device__ constexpr double quiet_NaN() { return __builtin_bit_cast(double, 0x7ff8000000000000ul); }
};

// Only named by torch's headers, in functions that device code does not call.
class ostream;
template <class T> __host__ __device__ ostream& operator<<(ostream& out, const T&) { return out; }
class istream;
template <class T> struct hash;
template <class T> struct reverse_iterator { T base; };
template <class I> struct iterator_traits { using value_type = remove_cvref_t<decltype(*declval<I>())>; };
struct random_access_iterator_tag {};
// clang-format on

// Of the host's branch of torch's half-precision conversions.
using ::memcpy;
using ::memset;

}  // namespace std

// The overloads for float, double and (as double) integers that <cmath> has.
#define WARPBENCH_UNARY(name, floatName)                                       \
  __device__ __forceinline__ float name(float x) {                             \
    return ::floatName(x);                                                     \
  }                                                                            \
  __device__ __forceinline__ double name(double x) {                           \
    return ::name(x);                                                          \
  }                                                                            \
  template <class T>                                                           \
  __device__ __forceinline__ enable_if_t<is_integral_v<T>, double> name(T x) { \
    return ::name(double(x));                                                  \
  }
#define WARPBENCH_BINARY(name, floatName)                                                                \
  __device__ __forceinline__ float name(float x, float y) {                                              \
    return ::floatName(x, y);                                                                            \
  }                                                                                                      \
  __device__ __forceinline__ double name(double x, double y) {                                           \
    return ::name(x, y);                                                                                 \
  }                                                                                                      \
  template <class T, class U>                                                                            \
  __device__ __forceinline__ enable_if_t<                                                                \
      is_arithmetic_v<T> && is_arithmetic_v<U> && !(is_same_v<T, float> && is_same_v<U, float>), double> \
  name(T x, U y) {                                                                                       \
    return ::name(double(x), double(y));                                                                 \
  }
namespace std {
WARPBENCH_UNARY(exp, expf)
WARPBENCH_UNARY(exp2, exp2f)
WARPBENCH_UNARY(expm1, expm1f)
WARPBENCH_UNARY(log, logf)
WARPBENCH_UNARY(log2, log2f)
WARPBENCH_UNARY(log10, log10f)
WARPBENCH_UNARY(log1p, log1pf)
WARPBENCH_UNARY(sqrt, sqrtf)
WARPBENCH_UNARY(cbrt, cbrtf)
WARPBENCH_UNARY(sin, sinf)
WARPBENCH_UNARY(cos, cosf)
WARPBENCH_UNARY(tan, tanf)
WARPBENCH_UNARY(asin, asinf)
WARPBENCH_UNARY(acos, acosf)
WARPBENCH_UNARY(atan, atanf)
WARPBENCH_UNARY(sinh, sinhf)
WARPBENCH_UNARY(cosh, coshf)
WARPBENCH_UNARY(tanh, tanhf)
WARPBENCH_UNARY(asinh, asinhf)
WARPBENCH_UNARY(acosh, acoshf)
WARPBENCH_UNARY(atanh, atanhf)
WARPBENCH_UNARY(erf, erff)
WARPBENCH_UNARY(erfc, erfcf)
WARPBENCH_UNARY(lgamma, lgammaf)
WARPBENCH_UNARY(tgamma, tgammaf)
WARPBENCH_UNARY(floor, floorf)
WARPBENCH_UNARY(ceil, ceilf)
WARPBENCH_UNARY(trunc, truncf)
WARPBENCH_UNARY(round, roundf)
WARPBENCH_UNARY(rint, rintf)
WARPBENCH_UNARY(nearbyint, nearbyintf)
WARPBENCH_UNARY(fabs, fabsf)
WARPBENCH_BINARY(pow, powf)
WARPBENCH_BINARY(atan2, atan2f)
WARPBENCH_BINARY(fmod, fmodf)
WARPBENCH_BINARY(fmax, fmaxf)
WARPBENCH_BINARY(fmin, fminf)
WARPBENCH_BINARY(hypot, hypotf)
WARPBENCH_BINARY(copysign, copysignf)
WARPBENCH_BINARY(fdim, fdimf)
WARPBENCH_BINARY(remainder, remainderf)
WARPBENCH_BINARY(nextafter, nextafterf)
__device__ __forceinline__ float abs(float x) {
  return ::fabsf(x);
}
__device__ __forceinline__ double abs(double x) {
  return ::fabs(x);
}
__device__ __forceinline__ int abs(int x) {
  return x < 0 ? -x : x;
}
__device__ __forceinline__ long abs(long x) {
  return x < 0 ? -x : x;
}
__device__ __forceinline__ long long abs(long long x) {
  return x < 0 ? -x : x;
}
__device__ __forceinline__ float fma(float x, float y, float z) {
  return ::fmaf(x, y, z);
}
__device__ __forceinline__ double fma(double x, double y, double z) {
  return ::fma(x, y, z);
}
__device__ __forceinline__ float ldexp(float x, int n) {
  return ::ldexpf(x, n);
}
__device__ __forceinline__ double ldexp(double x, int n) {
  return ::ldexp(x, n);
}
template <class T>
__device__ __forceinline__ enable_if_t<is_arithmetic_v<T>, bool> isnan(T x) {
  return x != x;
}
template <class T>
__device__ __forceinline__ enable_if_t<is_arithmetic_v<T>, bool> isinf(T x) {
  return fabs(x) == numeric_limits<double>::infinity();
}
template <class T>
__device__ __forceinline__ enable_if_t<is_arithmetic_v<T>, bool> isfinite(T x) {
  return fabs(x) < numeric_limits<double>::infinity();
}
template <class T>
__device__ __forceinline__ enable_if_t<is_arithmetic_v<T>, bool> signbit(T x) {
  return copysign(1.0, double(x)) < 0;
}
}  // namespace std
#undef WARPBENCH_UNARY
#undef WARPBENCH_BINARY
