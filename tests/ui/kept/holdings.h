// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <map>

namespace wb::test {

/// What the process holds: bytes, and objects of Qt by their class. A leak is a count that goes on growing.
class Holdings {
 public:
  /// Prints it on one line, with the classes that have grown most since the last time.
  void print(int inputs, int tabs);

 private:
  std::map<QByteArray, int> before_;
};

}  // namespace wb::test
