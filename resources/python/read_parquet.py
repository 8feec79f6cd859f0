# SPDX-License-Identifier: Apache-2.0
"""Reads BackendBench's data set of operator calls: a parquet file with op_name, args, count and included_in_benchmark.

Prints the rows that are in the benchmark, one a line: "row<TAB>operator<TAB>count<TAB>arguments", rows from 1, a
backslash escaping itself, line ends and tabs.
"""

import argparse
import sys

NEEDED = ("op_name", "args", "included_in_benchmark")


def escaped(text):
    return text.replace("\\", "\\\\").replace("\n", "\\n").replace("\r", "\\r").replace("\t", "\\t")


def main():
    parser = argparse.ArgumentParser(description="Print the calls that a parquet file of BackendBench holds.")
    parser.add_argument("file")
    options = parser.parse_args()
    try:
        import pyarrow.parquet as parquet
    except ImportError as error:
        sys.exit(f"pyarrow is missing ({error}); install it into this Python")
    try:
        file = parquet.ParquetFile(options.file)
        there = file.schema_arrow.names
        missing = [name for name in NEEDED if name not in there]
        if missing:
            sys.exit(f"no column {', '.join(missing)}; it has {', '.join(there) or 'none'}")
        table = file.read(columns=[*NEEDED, *(["count"] if "count" in there else [])])
    except Exception as error:
        sys.exit(f"{type(error).__name__}: {error}".splitlines()[0])
    counts = table["count"].to_pylist() if "count" in table.column_names else [1] * table.num_rows
    rows = zip(*(table[name].to_pylist() for name in NEEDED), counts)
    lines = []
    for number, (name, args, included, count) in enumerate(rows, 1):
        if included:
            lines.append(f"{number}\t{escaped(str(name))}\t{int(count or 0)}\t{escaped(str(args))}\n")
    sys.stdout.write("".join(lines))


if __name__ == "__main__":
    main()
