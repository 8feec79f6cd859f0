# SPDX-License-Identifier: Apache-2.0
"""Prints the numbers, from 1, of the rows of BackendBench's data set whose time on a GPU is mostly launching."""
import sys

COLUMN = "is_overhead_dominated_op"


def main():
    try:
        import pyarrow.parquet as parquet
    except ImportError as error:
        sys.exit(f"pyarrow is missing ({error}); install it into this Python")
    try:
        file = parquet.ParquetFile(sys.argv[1])
        if COLUMN not in file.schema_arrow.names:
            sys.exit(f"no column {COLUMN}; it has {', '.join(file.schema_arrow.names) or 'none'}")
        flags = file.read(columns=[COLUMN])[COLUMN].to_pylist()
    except Exception as error:
        sys.exit(f"{type(error).__name__}: {error}".splitlines()[0])
    sys.stdout.write("".join(f"{row}\n" for row, flag in enumerate(flags, 1) if flag))


main()
