// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace wb::asset {

// Files that the HTML report is made of, embedded at build time (packaging/cmake/embed.cmake).
/// The text of core/report/html/template.html.
extern const std::string_view pageTemplate;
/// The text of core/report/html/report.css.
extern const std::string_view css;
/// The text of core/report/html/charts.js.
extern const std::string_view chartViews;
/// The text of core/report/html/report.js.
extern const std::string_view js;
/// Chart.js 3.9, minified, from Debian's libjs-chart.js.
extern const std::string_view chartjs;
/// Its licence.
extern const std::string_view chartLicence;

}  // namespace wb::asset
