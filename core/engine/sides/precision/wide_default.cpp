// SPDX-License-Identifier: Apache-2.0
#include "core/engine/sides/precision/wide_default.h"

#include <c10/core/DefaultDtype.h>

namespace wb {
namespace {

thread_local int inForce = 0;

}  // namespace

WideDefault::WideDefault() : before_(c10::get_default_dtype_as_scalartype()) {
  c10::set_default_dtype(c10::scalarTypeToTypeMeta(at::kDouble));
  ++inForce;
}

WideDefault::~WideDefault() {
  --inForce;
  c10::set_default_dtype(c10::scalarTypeToTypeMeta(before_));
}

bool WideDefault::isInForce() {
  return inForce > 0;
}

}  // namespace wb
