// SPDX-License-Identifier: Apache-2.0
#include "core/suites/suites.h"
