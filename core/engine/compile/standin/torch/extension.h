// SPDX-License-Identifier: Apache-2.0
// Stands in for torch's own header of this name, which takes 21 s to compile and needs Python.h.
#pragma once
#include <torch/all.h>
