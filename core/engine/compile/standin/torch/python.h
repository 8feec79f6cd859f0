// SPDX-License-Identifier: Apache-2.0
// Stands in for torch's own header of this name, which needs Python.h.
#pragma once
#include <warpbench_standin.h>
