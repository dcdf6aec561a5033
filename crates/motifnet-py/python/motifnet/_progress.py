"""Progress bars, where tqdm is."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

Told = Callable[[str, int, "int | None", str], None]


@contextmanager
def progress(show: bool) -> Iterator["Told | None"]:
    """What long work calls to tell how far it is: a bar of tqdm, or nothing.

    >>> with progress(False) as told:
    ...     print(told)
    None
    """
    if not show:
        yield None
        return
    try:
        from tqdm.auto import tqdm
    except ImportError:
        yield None
        return
    bars: dict[str, Any] = {}

    def told(stage: str, done: int, total: "int | None", text: str) -> None:
        if stage not in bars:
            close(bars)
            bars[stage] = tqdm(total=total, desc=stage, leave=False)
        bar = bars[stage]
        bar.set_postfix_str(text, refresh=False)
        bar.update(done - bar.n)

    try:
        yield told
    finally:
        close(bars)


def close(bars: dict[str, Any]) -> None:
    """Closes all bars."""
    for bar in bars.values():
        bar.close()
    bars.clear()
