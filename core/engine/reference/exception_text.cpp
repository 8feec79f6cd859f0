// SPDX-License-Identifier: Apache-2.0
#include "core/engine/reference/exception_text.h"

#include <c10/util/Exception.h>

#include <exception>

namespace wb {

std::string exceptionText() {
  try {
    throw;
  } catch (const c10::Error& error) {
    return error.what_without_backtrace();
  } catch (const std::exception& error) {
    return error.what();
  } catch (const char* text) {
    return text == nullptr ? "a null pointer was thrown" : text;
  } catch (...) {
    return "an exception that is no std::exception";
  }
}

}  // namespace wb
