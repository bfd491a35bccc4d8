"""Who goes where: the chance that a slot is filled in a round, a batch, or a time.

Slots stand from the best on. A group of equal multipliers is a..b with groups[a] = ... = groups[b], the number of its
first slot; among equal slots the one with the smaller number, which stands last, is filled first. For a group the state
is how many slots are free above it, in it, and below it. With P_k = P(X > e_k), e_k the k-th bound, a value goes above
the group with chance P_a, into it with P_{a+m} - P_a, below it with P_{a+m+b} - P_{a+m}, where a, m, b are free.

`chain_fates` and `batch_fates` are also run as they stand, without compiling them, on arrays of Fractions: that is why
they call no other kernel, divide no integers and write 0 and 1 without a point.
"""

import numpy as np

from tentimes18.arrays import Floats, Ints
from tentimes18.compiled import compiled
from tentimes18.kernels.types import Successors

__all__ = ["batch_fates", "chain_fates", "time_fates"]


@compiled()
def chain_fates(above: Floats, groups: Ints, arrives: Floats, chain: Successors, out: Floats) -> None:
    """out[t, i]: the chance that the value of round t goes to slot i; above[t, s, k] = P(X > e_k) in regime s.

    arrives[t] is the chance that round t comes about, given that the one before did.
    """
    begin, targets, chances = chain
    rounds, S, n = above.shape
    out[:] = 0
    first = 0
    while first < n:
        last = first
        while last + 1 < n and groups[last + 1] == groups[first]:
            last += 1
        A, M, B = first, last - first + 1, n - 1 - last
        p = np.zeros((S, A + 1, M + 1, B + 1), dtype=above.dtype)
        p[:, A, M, B] = begin
        for t in range(rounds):
            if t > 0 and S > 1:
                moved = np.zeros((S, A + 1, M + 1, B + 1), dtype=above.dtype)
                for s in range(S):
                    for z in range(targets.shape[1]):
                        moved[targets[s, z]] += chances[s, z] * p[s]
                p = moved
            for s in range(S):
                P = above[t, s]
                # In this order every state is read before a move leads into it.
                for a in range(A + 1):
                    for m in range(M + 1):
                        for b in range(B + 1):
                            if p[s, a, m, b] == 0:
                                continue
                            here = arrives[t] * p[s, a, m, b]
                            over = P[a - 1] if a > 0 else 0
                            into = P[a + m - 1] if a + m > 0 else 0
                            under = P[a + m + b - 1] if a + m + b > 0 else 0
                            p[s, a, m, b] = here - here * under
                            if a > 0:
                                p[s, a - 1, m, b] += here * over
                            if m > 0:
                                p[s, a, m - 1, b] += here * (into - over)
                                out[t, last - (M - m)] += here * (into - over)
                            if b > 0:
                                p[s, a, m, b - 1] += here * (under - into)
        first = last + 1


@compiled()
def batch_fates(above: Floats, sizes: Ints, groups: Ints, out: Floats) -> None:
    """out[t, i]: the chance that slot i is filled by batch t, of sizes[t] values; above[t, k] = P(X > e_k).

    The values of a batch go from the largest on: those between the bounds e_{j+1} and e_j fill the free slots from rank
    j on, one after the other. After n of them all slots are filled, or one was refused and so are the smaller ones.
    """
    batches, n = above.shape
    out[:] = 0
    first = 0
    while first < n:
        last = first
        while last + 1 < n and groups[last + 1] == groups[first]:
            last += 1
        A, M, B = first, last - first + 1, n - 1 - last
        p = np.zeros((A + 1, M + 1, B + 1), dtype=above.dtype)
        p[A, M, B] = 1
        for t in range(batches):
            size = sizes[t]
            most = min(size, n)
            used = np.zeros((most + 1, A + 1, M + 1, B + 1), dtype=above.dtype)  # by how many values were looked at
            used[0] = p
            before = 0 * above[t, 0]
            for j in range(n):
                share, rest = above[t, j] - before, 1 - before
                if share <= 0:
                    continue
                before = above[t, j]
                x = share / rest
                # w[v, c]: of v values that are no larger than e_j, c exceed e_{j+1}.
                w = np.zeros((size + 1, most + 1), dtype=above.dtype)
                w[0, 0] = 1
                for v in range(1, size + 1):
                    for c in range(min(v, most) + 1):
                        w[v, c] = w[v - 1, c] - x * w[v - 1, c] + (x * w[v - 1, c - 1] if c > 0 else 0)
                then = np.zeros((most + 1, A + 1, M + 1, B + 1), dtype=above.dtype)
                then[most] = used[most]
                for u in range(most):
                    left = w[size - u, 0] * 0 + 1
                    for c in range(most - u + 1):
                        weight = w[size - u, c] if c < most - u else left
                        left -= weight
                        if weight <= 0:
                            continue
                        for a in range(A + 1):
                            for m in range(M + 1):
                                for b in range(B + 1):
                                    if used[u, a, m, b] == 0:
                                        continue
                                    here = weight * used[u, a, m, b]
                                    da = min(c, max(0, a - j))
                                    dm = min(c - da, max(0, min(m, a + m - j)))
                                    db = min(c - da - dm, max(0, min(b, a + m + b - j)))
                                    then[u + c, a - da, m - dm, b - db] += here
                                    for i in range(dm):
                                        out[t, last - (M - m) - i] += here
                used = then
            p = used.sum(axis=0)
        first = last + 1


@compiled()
def _flow(p: Floats, F: Floats, change: Floats, filled: Floats) -> None:
    """How the states change, and how fast the slots of the group are filled, by how many of them are free."""
    change[:] = 0.0
    filled[:] = 0.0
    for a in range(p.shape[0]):
        for m in range(p.shape[1]):
            for b in range(p.shape[2]):
                here = p[a, m, b]
                if here == 0.0:
                    continue
                over = F[a - 1] if a > 0 else 0.0
                into = F[a + m - 1] if a + m > 0 else 0.0
                under = F[a + m + b - 1] if a + m + b > 0 else 0.0
                change[a, m, b] -= here * under
                if a > 0:
                    change[a - 1, m, b] += here * over
                if m > 0:
                    change[a, m - 1, b] += here * (into - over)
                    filled[m] += here * (into - over)
                if b > 0:
                    change[a, m, b - 1] += here * (under - into)


@compiled()
def time_fates(flows: Floats, widths: Floats, parts: Ints, p: Floats, out: Floats) -> None:
    """From states p on: out[part, m] grows by the chance that a slot is filled in that part, m of the group being free.

    flows[i] are the rates of values above each bound at the beginning, in the middle and at the end of step i, which is
    widths[i] long and belongs to parts[i]; a step is one of Runge and Kutta's.
    """
    A, M, B = p.shape
    slopes, filled = np.empty((4, A, M, B)), np.empty((4, M))
    for i in range(len(widths)):
        h = widths[i]
        _flow(p, flows[i, 0], slopes[0], filled[0])
        _flow(p + 0.5 * h * slopes[0], flows[i, 1], slopes[1], filled[1])
        _flow(p + 0.5 * h * slopes[1], flows[i, 1], slopes[2], filled[2])
        _flow(p + h * slopes[2], flows[i, 2], slopes[3], filled[3])
        p += h / 6.0 * (slopes[0] + 2.0 * slopes[1] + 2.0 * slopes[2] + slopes[3])
        out[parts[i]] += h / 6.0 * (filled[0] + 2.0 * filled[1] + 2.0 * filled[2] + filled[3])
