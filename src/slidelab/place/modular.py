"""Arithmetic modulo primes: interpolation and the Chinese remainder theorem."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

__all__ = ["chinese_remainder", "coefficient_factors", "primes_beyond"]


def coefficient_factors(nodes: Sequence[int], low: int, exponent: int, prime: int) -> list[int]:
    """Return factors f such that the sum of f p(t) over the nodes t is the coefficient of t^exponent in p.

    Modulo the prime, for all p with exponents from `low` on, as many as nodes: Lagrange interpolation.

    >>> nodes = [2, 3, 5]
    >>> factors = coefficient_factors(nodes, 1, 2, 101)
    >>> sum(f * (7 * t + 8 * t**2 + 9 * t**3) for f, t in zip(factors, nodes)) % 101
    8
    """
    master = [1]  # the product of all t - node, the constant term first
    for node in nodes:
        master = [(up - node * same) % prime for up, same in zip([0, *master], [*master, 0], strict=True)]
    factors = []
    for node in nodes:
        quotient = [0] * len(master)  # master / (t - node), by Horner's rule
        for power in range(len(nodes), 0, -1):
            quotient[power - 1] = (master[power] + node * quotient[power]) % prime
        slope = 0
        for coefficient in reversed(quotient):
            slope = (slope * node + coefficient) % prime
        factors.append(quotient[exponent - low] * pow(slope * pow(node, low, prime), -1, prime) % prime)
    return factors


def primes_beyond(bound: int) -> list[int]:
    """Return primes, from the greatest below 2^61 on, with a product greater than the bound."""
    primes = [_prime(0)]
    modulus = primes[0]
    while modulus <= bound:
        primes.append(_prime(len(primes)))
        modulus *= primes[-1]
    return primes


@cache
def _prime(number: int) -> int:
    candidate = _prime(number - 1) - 2 if number else 2**61 - 1
    while not _is_prime(candidate):
        candidate -= 2
    return candidate


def _is_prime(n: int) -> bool:
    """Return whether an odd number from 41 to 2^64 is prime: Miller-Rabin with twelve bases is a proof."""
    twos = (n - 1 & 1 - n).bit_length() - 1
    for base in (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37):
        x = pow(base, n - 1 >> twos, n)
        if x in (1, n - 1):
            continue
        if not any((x := x * x % n) == n - 1 for _ in range(twos - 1)):
            return False
    return True


def chinese_remainder(residues: Sequence[int], moduli: Sequence[int]) -> int:
    """Return the least number with these residues, the moduli being different primes.

    >>> chinese_remainder([2, 3, 2], [3, 5, 7])
    23
    """
    value, modulus = 0, 1
    for residue, prime in zip(residues, moduli, strict=True):
        value += modulus * ((residue - value) * pow(modulus, -1, prime) % prime)
        modulus *= prime
    return value
