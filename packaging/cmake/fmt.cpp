// SPDX-License-Identifier: Apache-2.0
// fmt's own code, compiled once: its headers hold it for whoever wants a static library.
#include <fmt/format-inl.h>

FMT_BEGIN_NAMESPACE
namespace detail {
template FMT_API auto thousands_sep_impl<char>(locale_ref) -> thousands_sep_result<char>;
template FMT_API auto decimal_point_impl(locale_ref) -> char;
template FMT_API void buffer<char>::append(const char*, const char*);
template FMT_API void vformat_to(buffer<char>&, string_view, basic_format_args<buffer_context<char>>, locale_ref);
namespace dragonbox {
template FMT_API auto to_decimal(float) noexcept -> decimal_fp<float>;
template FMT_API auto to_decimal(double) noexcept -> decimal_fp<double>;
}  // namespace dragonbox
template FMT_API locale_ref::locale_ref(const std::locale&);
template FMT_API auto locale_ref::get<std::locale>() const -> std::locale;
}  // namespace detail
FMT_END_NAMESPACE
