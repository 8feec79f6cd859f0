// SPDX-License-Identifier: Apache-2.0
#include "core/engine/reference/exception_text.h"

#include <c10/util/Exception.h>

#include <exception>

#include "core/base/cut_text.h"

namespace wb {

std::string exceptionText() {
  try {
    throw;
  } catch (const c10::Error& error) {
    return cutText(error.what_without_backtrace(), longestMessage);
  } catch (const std::exception& error) {
    return cutText(error.what(), longestMessage);
  } catch (const char* text) {
    return text != nullptr ? cutText(text, longestMessage) : "a null pointer was thrown";
  } catch (...) {
    return "an exception that is no std::exception";
  }
}

}  // namespace wb
