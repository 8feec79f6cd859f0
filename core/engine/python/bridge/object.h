// SPDX-License-Identifier: Apache-2.0
#pragma once

// One binary serves CPython 3.10 and later, so only what is in the stable interface is used.
#define Py_LIMITED_API 0x030a0000
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "core/base/error.h"

namespace wb::python {

/// Holds the interpreter's lock for a scope.
class Lock {
 public:
  Lock() : state_(PyGILState_Ensure()) {}
  ~Lock() { PyGILState_Release(state_); }
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;

 private:
  PyGILState_STATE state_;
};

/// Something that Python raised, on its way to becoming the error of a Result.
class Raised : public std::runtime_error {
 public:
  explicit Raised(Error error) : std::runtime_error(error.text), error_(std::move(error)) {}
  [[nodiscard]] const Error& error() const { return error_; }

 private:
  Error error_;
};

/// A reference to a Python object. The object is used only while the lock is held. Copying and destroying a
/// reference take the lock themselves, since a C++ object that holds one may be copied or destroyed where
/// nobody holds the lock.
class Object {
 public:
  Object() = default;
  Object(const Object& other) : object_(other.object_) {
    if (!object_) return;
    const Lock lock;
    Py_INCREF(object_);
  }
  Object(Object&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
  Object& operator=(Object other) noexcept {
    std::swap(object_, other.object_);
    return *this;
  }
  ~Object() {
    if (!object_) return;
    const Lock lock;
    Py_DECREF(object_);
  }

  /// Takes over a new reference; null means that Python raised something.
  static Object take(PyObject* object);
  static Object borrow(PyObject* object);
  [[nodiscard]] PyObject* get() const { return object_; }
  [[nodiscard]] PyObject* release() { return std::exchange(object_, nullptr); }
  explicit operator bool() const { return object_ != nullptr; }

 private:
  PyObject* object_ = nullptr;
};

/// The module warpbench_kernels, imported by the worker's script.
[[nodiscard]] Object support();
/// The same of warpbench_problems.
[[nodiscard]] Object problems();

/// The exception that Python holds, with type, message, traceback and place for people. Clears it in Python.
[[nodiscard]] Error takeException(Stage stage);

[[nodiscard]] Object text(std::string_view value);
/// The text of a str.
[[nodiscard]] std::string toString(PyObject* value);

}  // namespace wb::python
