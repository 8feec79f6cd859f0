// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace wb::asset {

// Files that the HTML report is made of, embedded at build time (packaging/cmake/embed.cmake).
extern const std::string_view pageTemplate;  ///< core/report/html/template.html
extern const std::string_view css;           ///< core/report/html/report.css
extern const std::string_view chartViews;    ///< core/report/html/charts.js
extern const std::string_view js;            ///< core/report/html/report.js
extern const std::string_view chartjs;       ///< Chart.js 3.9, minified, from Debian's libjs-chart.js
extern const std::string_view chartLicence;  ///< its licence

}  // namespace wb::asset
