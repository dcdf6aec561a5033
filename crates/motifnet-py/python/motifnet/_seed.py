"""Where random draws come from."""

from typing import Any

import numpy as np


def seed_of(random_state: Any) -> int:
    """A seed: the number itself, or one that a generator draws.

    >>> seed_of(7), seed_of(np.random.RandomState(0)) == seed_of(np.random.RandomState(0))
    (7, True)
    >>> seed_of(-1)
    Traceback (most recent call last):
    ...
    ValueError: random_state=-1: give a number from 0 to 9223372036854775807, a RandomState or None
    """
    if isinstance(random_state, (int, np.integer)):
        if not 0 <= random_state < 2**63:
            raise ValueError(
                f"random_state={random_state}: give a number from 0 to {2**63 - 1}, a RandomState or None"
            )
        return int(random_state)
    from sklearn.utils import check_random_state

    return int(check_random_state(random_state).randint(2**31))
