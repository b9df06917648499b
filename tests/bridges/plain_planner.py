"""A planner in a hundred lines: reads STRIPS with types from PDDL, or SAS+, and searches breadth first."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Iterator
from itertools import product
from typing import Any, TypeVar

S = TypeVar("S", bound=Hashable)

Expression = Any
"""A word, or a list of expressions."""


def parse(text: str) -> Expression:
    """Read one expression in brackets."""
    tokens = re.findall(r"[()]|[^\s()]+", re.sub(r";[^\n]*", "", text).lower())
    stack: list[list[Expression]] = [[]]
    for token in tokens:
        if token == "(":
            stack.append([])
        elif token == ")":
            done = stack.pop()
            stack[-1].append(done)
        else:
            stack[-1].append(token)
    assert len(stack) == len(stack[0]) == 1
    return stack[0][0]


def typed(words: Iterable[str]) -> list[tuple[str, str]]:
    """Return names with their types from a list such as ``a b - piece c - cell``."""
    found: list[tuple[str, str]] = []
    waiting: list[str] = []
    words = iter(words)
    for word in words:
        if word == "-":
            kind = next(words)
            found += [(name, kind) for name in waiting]
            waiting = []
        else:
            waiting.append(word)
    assert not waiting
    return found


def conjuncts(expression: Expression) -> list[Expression]:
    return expression[1:] if expression[0] == "and" else [expression]


def pddl_plan(domain_text: str, problem_text: str) -> list[str] | None:
    """Return a shortest plan as lines, None if there is none."""
    domain, problem = parse(domain_text), parse(problem_text)
    parts = {part[0]: part[1:] for part in problem[1:]}
    assert [":domain", domain[1][1]] in problem
    assert {":strips", ":typing"} == set(next(part for part in domain if part[0] == ":requirements")[1:])
    objects: dict[str, list[str]] = {}
    for name, kind in typed(parts[":objects"]):
        objects.setdefault(kind, []).append(name)
    declared = set(next(part for part in domain if part[0] == ":types")[1:])
    assert set(objects) <= declared
    initial = frozenset(tuple(fact) for fact in parts[":init"])
    goal = {tuple(fact) for fact in conjuncts(parts[":goal"][0])}
    schemas = [part for part in domain if part[0] == ":action"]
    arity = {p[0]: len(typed(p[1:])) for p in next(part for part in domain if part[0] == ":predicates")[1:]}
    assert all(arity[fact[0]] == len(fact) - 1 for fact in initial | goal)

    ground = []
    changing = {
        effect[1][0] if effect[0] == "not" else effect[0] for s in schemas for effect in conjuncts(s[7])
    }
    for schema in schemas:
        keys = dict(zip(schema[2::2], schema[3::2], strict=True))
        parameters = typed(keys[":parameters"])
        static = next(c for c in conjuncts(keys[":precondition"]) if c[0] not in changing)
        free = [name for name, _ in parameters if name not in static]
        kinds = dict(parameters)
        for fact in initial:
            if fact[0] != static[0]:
                continue
            for values in product(*(objects[kinds[name]] for name in free)):
                bound = dict(zip(static[1:], fact[1:], strict=True)) | dict(zip(free, values, strict=True))
                assert all(bound[name] in objects[kind] for name, kind in parameters)

                def fill(atom: list[str], bound: dict[str, str] = bound) -> tuple[str, ...]:
                    return (atom[0], *(bound[word] for word in atom[1:]))

                effects = conjuncts(keys[":effect"])
                ground.append(
                    (
                        f"({schema[1]} {' '.join(bound[name] for name, _ in parameters)})",
                        {fill(c) for c in conjuncts(keys[":precondition"]) if c[0] in changing},
                        {fill(e[1]) for e in effects if e[0] == "not"},
                        {fill(e) for e in effects if e[0] != "not"},
                    )
                )

    def successors(state: frozenset[tuple[str, ...]]) -> Iterator[tuple[str, frozenset[tuple[str, ...]]]]:
        for name, needs, removed, added in ground:
            if needs <= state:
                yield name, (state - removed) | added

    dynamic = frozenset(fact for fact in initial if fact[0] in changing)
    return breadth_first(dynamic, lambda state: goal <= state, successors)


def sas_plan(text: str) -> list[str] | None:
    """Return a shortest plan of a task in SAS+, None if there is none; check the file's form on the way."""
    lines = iter(text.splitlines())

    def expect(*words: str) -> None:
        for word in words:
            assert next(lines) == word

    def facts(count: int) -> list[tuple[int, int]]:
        found = []
        for _ in range(count):
            variable, value = map(int, next(lines).split())
            assert 0 <= value < domains[variable]
            found.append((variable, value))
        return found

    expect("begin_version", "3", "end_version", "begin_metric", "0", "end_metric")
    domains = []
    for _ in range(int(next(lines))):
        expect("begin_variable")
        next(lines)
        expect("-1")
        domains.append(int(next(lines)))
        values = [next(lines) for _ in range(domains[-1])]
        assert len(set(values)) == len(values) > 1
        expect("end_variable")
    groups = []
    for _ in range(int(next(lines))):
        expect("begin_mutex_group")
        groups.append(facts(int(next(lines))))
        expect("end_mutex_group")
    expect("begin_state")
    start = tuple(int(next(lines)) for _ in domains)
    expect("end_state", "begin_goal")
    goal = facts(int(next(lines)))
    expect("end_goal")
    operators = []
    for _ in range(int(next(lines))):
        expect("begin_operator")
        name = next(lines)
        prevail = facts(int(next(lines)))
        effects = []
        for _ in range(int(next(lines))):
            conditions, variable, before, after = map(int, next(lines).split())
            assert conditions == 0
            assert before != after
            assert 0 <= before < domains[variable]
            assert 0 <= after < domains[variable]
            effects.append((variable, before, after))
        changed = [variable for variable, *_ in effects]
        assert len({*changed, *(variable for variable, _ in prevail)}) == len(changed) + len(prevail)
        expect("1", "end_operator")
        operators.append((f"({name})", prevail, effects))
    expect("0")
    assert next(lines, None) is None

    def successors(state: tuple[int, ...]) -> Iterator[tuple[str, tuple[int, ...]]]:
        for name, prevail, effects in operators:
            if all(state[v] == value for v, value in prevail) and all(state[v] == b for v, b, _ in effects):
                then = list(state)
                for variable, _, after in effects:
                    then[variable] = after
                yield name, tuple(then)

    def is_goal(state: tuple[int, ...]) -> bool:
        assert all(sum(state[v] == value for v, value in group) <= 1 for group in groups)
        return all(state[variable] == value for variable, value in goal)

    return breadth_first(start, is_goal, successors)


def breadth_first(
    start: S, is_goal: Callable[[S], bool], successors: Callable[[S], Iterable[tuple[str, S]]]
) -> list[str] | None:
    before: dict[S, tuple[str, S] | None] = {start: None}
    layer = [start]
    while layer:
        following = []
        for state in layer:
            if is_goal(state):
                plan = []
                while (step := before[state]) is not None:
                    plan.append(step[0])
                    state = step[1]
                return plan[::-1]
            for name, then in successors(state):
                if then not in before:
                    before[then] = (name, state)
                    following.append(then)
        layer = following
    return None
