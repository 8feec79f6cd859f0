// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace wb {

/// The constants of the libraries that are loaded, which the system maps page by page when they are first
/// read.
///
/// A page that is not mapped can stay so for as long as a kernel runs. AVX-512 reads memory under a mask, and
/// where the mask is empty the processor suppresses the fault: it takes 130 ns instead of 4, and the page is
/// not there the next time either. ATen's silu reads the constant for the overflow of exp in this way, and
/// took 520 us instead of 30 in each process in which nothing else had read the page. (Measured on an AMD
/// EPYC, with torch 2.11.)
class ConstantPages {
 public:
  /// Maps those of the libraries that have been loaded since the last time: 1.5 ms for torch's, less than
  /// 1 us where none has been. To be called in each process before something is timed there.
  void makePresent();
  /// A library of which mapped pages have been given back to the system since then, "libtorch_cpu.so", by
  /// which a kernel can slow whatever reads them; "" without one, and where the system does not tell. They
  /// are mapped anew the next time. Takes some tenths of a millisecond.
  [[nodiscard]] std::string taken();

 private:
  struct Visit;
  /// Where a library lies, and its program headers.
  using Place = std::pair<std::uintptr_t, const void*>;
  struct Part {
    std::string library;
    Place place;
    std::uintptr_t begin = 0, end = 0;
  };

  void forget();

  /// How often libraries had been loaded and unloaded the last time.
  unsigned long long loaded_ = 0, unloaded_ = 0;
  /// The libraries whose constants are mapped.
  std::set<Place> done_;
  std::vector<Part> parts_;
};

}  // namespace wb
