// SPDX-License-Identifier: Apache-2.0
#include "core/engine/sides/full_precision.h"

namespace wb {
namespace {

thread_local int inForce = 0;

at::Context& context() {
  return at::globalContext();
}

}  // namespace

FullPrecision::FullPrecision() {
  // All are read before one is set, since to read may fail, and then nothing would be put back.
  for (Setting& each : settings_) each.before = context().float32Precision(at::Float32Backend::CUDA, each.op);
  for (const Setting& each : settings_) {
    if (each.before != at::Float32Precision::TF32) continue;
    context().setFloat32Precision(at::Float32Backend::CUDA, each.op, at::Float32Precision::IEEE);
    isOther_ = true;
  }
  ++inForce;
}

FullPrecision::~FullPrecision() {
  --inForce;
  for (const Setting& each : settings_)
    if (each.before == at::Float32Precision::TF32)
      context().setFloat32Precision(at::Float32Backend::CUDA, each.op, each.before);
}

bool FullPrecision::isInForce() {
  return inForce > 0;
}

}  // namespace wb
