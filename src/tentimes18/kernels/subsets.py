"""M[A] of `solve.subsets` in float64: the upper envelope of the lines x -> λ_i x + M[A - i], walked once.

As numbers, A - {i} < A: the natural order of the masks serves.
"""

import numpy as np

from tentimes18.compiled import compiled
from tentimes18.kernels.types import Floats, RollLaw

__all__ = ["fill"]


@compiled()
def fill(lam: Floats, law: RollLaw, first: int, last: int, M: Floats) -> None:
    """Fill M[first:last]; all M[A - i] outside of that range must be there."""
    rolls, C, S = law
    n = len(lam)
    s = len(rolls)
    slope = np.empty(n)
    height = np.empty(n)
    start = np.empty(n)
    for A in range(first, last):
        top = -1
        rest = A
        i = 0
        while rest:
            # The lines come by increasing slope; a line that is nowhere highest is taken from the stack.
            if rest & 1:
                m = M[A ^ (1 << i)]
                a = lam[i]
                begin = -np.inf
                while top >= 0:
                    if slope[top] == a:
                        if height[top] >= m:
                            break
                    else:
                        begin = (height[top] - m) / (a - slope[top])
                        if begin > start[top]:
                            break
                    top -= 1
                    begin = -np.inf
                if top < 0 or slope[top] != a:
                    top += 1
                    slope[top] = a
                    height[top] = m
                    start[top] = begin
            rest >>= 1
            i += 1
        value = 0.0
        p = 0
        for line in range(top + 1):
            q = p
            if line == top:
                q = s
            else:
                end = start[line + 1]
                while q < s and rolls[q] <= end:
                    q += 1
            value += slope[line] * (S[q] - S[p]) + height[line] * (C[q] - C[p])
            p = q
        M[A] = value
