"""polars reads a tab separated edge list of integers, as fast as it can, on a given number of threads.

Timed: `read_csv` with the types inferred and with them given as 32 and 64 bit integers, the file warm in
the page cache; the fastest counts.
"""

import itertools
import os
import sys


def main(path, threads, runs):
    # Read when polars is first imported, so it must be set before that.
    os.environ["POLARS_MAX_THREADS"] = threads
    import polars as pl

    from peer import fastest, repeated, report

    assert pl.thread_pool_size() == int(threads)
    schemas = {"inferred": None}
    schemas["u32"] = {"source": pl.UInt32, "target": pl.UInt32}
    schemas["i64"] = {"source": pl.Int64, "target": pl.Int64}
    # Comments stand at the top; skipping their lines costs polars nothing.
    with open(path) as file:
        n_comments = sum(1 for _ in itertools.takewhile(lambda line: line.startswith("#"), file))
    variants = {}
    for name, schema in schemas.items():
        variants[name], frame = repeated(
            lambda: pl.read_csv(
                path, separator="\t", has_header=False, skip_lines=n_comments, schema=schema
            ),
            runs,
        )
    best = fastest(variants)
    report(
        peer="polars",
        versions={"polars": pl.__version__},
        lines=frame.height,
        bytes=os.path.getsize(path),
        variant=best,
        seconds=variants[best],
        seconds_each=variants,
    )


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
