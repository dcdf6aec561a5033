"""Columns of frames and arrays as the Rust part takes them."""

from importlib.util import find_spec
from typing import Any

import numpy as np
from numpy.typing import NDArray

_TEXT = ("str", "string", "large_string", "string_view", "utf8", "object", "category", "categorical", "enum")


def is_text(column: Any) -> bool:
    """Whether a column holds names rather than numbers.

    >>> is_text(np.array([1, 2])), is_text(["a", "b"]), is_text([])
    (False, True, False)
    """
    kind = getattr(column, "dtype", getattr(column, "type", None))
    if isinstance(kind, np.dtype):
        return kind.kind in "UO" and len(column) > 0
    if kind is not None:
        return str(kind).lower().split("(")[0].split("[")[0] in _TEXT
    return len(column) > 0 and isinstance(column[0], str)


def names_for_rust(column: Any, what: str) -> Any:
    """Names as an Arrow array where the column is one, so that none is copied; else as a list."""
    kind = str(getattr(column, "dtype", "")).lower()
    if kind.startswith(("category", "categorical", "enum")):
        column = column.astype(str) if hasattr(column, "astype") else column.cast(str)
    # A pandas column needs pyarrow for that.
    is_pandas = type(column).__module__.startswith("pandas")
    if hasattr(column, "__arrow_c_stream__") and not (is_pandas and find_spec("pyarrow") is None):
        return column
    names = column.tolist() if hasattr(column, "tolist") else list(column)
    for place, name in enumerate(names):
        if not isinstance(name, str):
            raise TypeError(
                f"{what}[{place}] is {name!r}, of type {type(name).__name__}, where others are text; "
                "give all names as text, or all as integers"
            )
    return names


def as_numbers(column: Any, what: str) -> "NDArray[Any]":
    """Integers as the Rust part takes them: of 32 or 64 bits, as they are where they can be.

    >>> as_numbers([1.5], "sources")
    Traceback (most recent call last):
    ...
    TypeError: sources are of type float64; node numbers are integers, names are text
    """
    array = column.to_numpy() if hasattr(column, "to_numpy") else np.asarray(column)
    if array.size == 0:
        array = array.astype(np.int64)
    if array.dtype.kind not in "iu" or array.dtype == np.uint64:
        raise TypeError(f"{what} are of type {array.dtype}; node numbers are integers, names are text")
    if array.dtype not in (np.int32, np.int64, np.uint32):
        array = array.astype(np.int64)
    if array.ndim != 1:
        raise ValueError(f"{what} have {array.ndim} dimensions; give a list of numbers")
    return np.ascontiguousarray(array)


def as_weights(column: Any) -> "NDArray[Any]":
    """Weights as the Rust part takes them, in 32 or 64 bits."""
    array = column.to_numpy() if hasattr(column, "to_numpy") else np.asarray(column)
    if array.dtype not in (np.float32, np.float64):
        array = array.astype(np.float64)
    return np.ascontiguousarray(array)
