"""One page: a header with the goal, a grid of puzzles, and the answers upside down at the foot."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from slidelab.draw.glyphs import text_width
from slidelab.draw.marks import Group, Item, Mark, Path, text_path
from slidelab.draw.picture.board import draw
from slidelab.draw.scene import Picture
from slidelab.draw.sheet.answers import answer_text, arrow_angle, explanation, notation_of
from slidelab.draw.theme import Theme, mix, text_colour
from slidelab.messages import counted
from slidelab.puzzles import Configuration, Puzzle, Solution

__all__ = [
    "PAPERS",
    "Layout",
    "Paper",
    "divider",
    "draw_page",
    "lay_out",
    "line_width",
    "moves_line",
    "number_label",
    "text_line",
    "wrap",
]

PIXELS_PER_MM = 96 / 25.4


class Paper(NamedTuple):
    """Width and height of a sheet of paper in pixels."""

    width: float
    height: float


PAPERS = {"a4": Paper(210 * PIXELS_PER_MM, 297 * PIXELS_PER_MM), "letter": Paper(816.0, 1056.0)}
"""Papers by name."""

MARGIN = 15 * PIXELS_PER_MM
"""Unprinted border, in pixels; printers need 5 mm."""

TITLE_SIZE, TEXT_SIZE, LABEL_SIZE, ANSWER_SIZE, NOTE_SIZE = 26.0, 13.0, 14.5, 10.0, 8.5
"""Font sizes in pixels."""

LINE_HEIGHT = 1.5
"""Distance of lines, in font sizes."""

GOAL_HEIGHT = 104.0
"""Greatest height of the picture of the goal, in pixels."""

KEY_HEIGHT = 76.0
"""Height of the picture with the numbers of the cells."""

MAX_ANSWER_COLUMNS = 4
"""Columns of short answers."""

LABEL_HEIGHT = 34.0
"""Height of the line above each puzzle."""

GAP = 26.0
"""Least space between two puzzles."""

MIN_CELL, MAX_CELL = 8 * PIXELS_PER_MM, 17 * PIXELS_PER_MM
"""Width of a cell: small ones are filled in badly, large ones look clumsy."""

UNIT = 64.0
"""Width of a cell of the picture by which others are measured."""


@dataclass(frozen=True, slots=True)
class Layout:
    """How the puzzles of one board are distributed over pages."""

    paper: Paper
    columns: int
    rows: int
    cell: float
    """Width of a cell in pixels."""
    header: float
    """Height of the header in pixels, without the margin."""

    @property
    def capacity(self) -> int:
        """The number of puzzles on a page."""
        return self.columns * self.rows


# Lines of text


def wrap(text: str, size: float, width: float) -> list[str]:
    """Break a text into lines of at most that width.

    >>> wrap("1 2 3 4 5 6", 10.0, 40.0)
    ['1 2 3 4 5', '6']
    """
    lines: list[str] = []
    for word in text.split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and line_width(longer) * size <= width:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines


def line_width(text: str, bold: bool = False) -> float:
    """Return the width of a text in font sizes; all arrows are as wide as the one upwards."""
    plain = "".join("↑" if character in "→↘↙←↖↗↓" else character for character in text)
    return text_width(plain, bold)


def text_line(text: str, size: float, x: float, y: float, ink: str, bold: bool = False) -> Item:
    """Draw a line that begins at x and whose capitals are centred at y."""
    return Group((Mark(text_path(text, size, bold, "start"), ink),), x, y)


def moves_line(puzzle: Puzzle, text: str, size: float, x: float, y: float, ink: str) -> list[Item]:
    """Draw a line of moves; an arrow is the one upwards, rotated as the board has the direction."""
    items: list[Item] = []
    for word in text.split(" "):
        plain = ""
        for character in word:
            angle = arrow_angle(puzzle, character)
            if angle is None:
                plain += character
                continue
            if plain:
                items.append(text_line(plain, size, x, y, ink))
                x, plain = x + line_width(plain) * size, ""
            half = line_width("↑") * size / 2
            arrow = Mark(text_path("↑", size, False), ink)
            items.append(Group((arrow,), x + half, y, angle=(angle + 90) % 360))
            x += 2 * half
        if plain:
            items.append(text_line(plain, size, x, y, ink))
            x += line_width(plain) * size
        x += line_width(" ") * size
    return items


# Parts of a page


def instructions(puzzle: Puzzle) -> str:
    """Return how the puzzle is played, in two sentences."""
    rule, piece = puzzle.rule, puzzle.rule.piece
    hole = "the empty cell" if puzzle.hole_count == 1 else "an empty cell"
    if rule.needs_companion:
        how = f"Slide {piece}s into {hole}; a second empty cell must touch the {piece} before and after."
    elif rule.slides_along_edges:
        along = {"king": ", also diagonally", "graph": " along a line"}.get(puzzle.board.kind, "")
        how = f"Slide {piece}s into {hole}{along}, one at a time."
    elif rule.corner is not None:
        how = f"Slide or turn the {piece}s into {hole}, one at a time."
    else:
        how = f"Move the {piece}s into {hole}, one at a time."
    return f"{how} Make the board look like the goal. No puzzle can be solved in fewer moves than it says."


def _goal_picture(goal: Configuration, theme: Theme) -> Picture:
    whole = draw(goal, theme=theme, size=UNIT)
    scale = min(GOAL_HEIGHT / whole.height, 2.2 * GOAL_HEIGHT / whole.width, 0.5)
    return draw(goal, theme=theme, size=UNIT * scale)


def _header(goal: Configuration, title: str, theme: Theme, width: float) -> tuple[list[Item], float]:
    """Return title, instructions and goal, and their height."""
    picture = _goal_picture(goal, theme)
    x = width - picture.width
    items: list[Item] = [Group(tuple(picture.items), x, 0.0)]
    caption = line_width("goal") * NOTE_SIZE * 1.2
    below = picture.height + NOTE_SIZE
    grey = mix(theme.ink, theme.paper, 0.35)
    items.append(text_line("goal", NOTE_SIZE * 1.2, x + (picture.width - caption) / 2, below, grey))
    room = x - GAP
    size = min(TITLE_SIZE, room / max(line_width(title, True), 1e-9))
    y = 14 + TITLE_SIZE / 2
    items.append(text_line(title, size, 0.0, y, theme.ink, bold=True))
    y += TITLE_SIZE * 1.25
    for line in wrap(instructions(goal.puzzle), TEXT_SIZE, room):
        items.append(text_line(line, TEXT_SIZE, 0.0, y, theme.ink))
        y += TEXT_SIZE * LINE_HEIGHT
    return items, max(y - TEXT_SIZE, below + NOTE_SIZE)


def _answer_lines(
    solutions: Sequence[Solution], first: int, width: float
) -> tuple[list[list[tuple[str, str]]], float]:
    """Return the lines of the answers, column by column, each with the number of its puzzle or none.

    There are several columns if every answer fits into one line of them; the width of a column comes second.
    """
    texts = [answer_text(solution) for solution in solutions]
    indent = _indent(first + len(solutions) - 1)
    longest = max(line_width(text) for text in texts) * ANSWER_SIZE
    columns = max(1, min(len(texts), int((width + GAP) / (indent + longest + GAP)), MAX_ANSWER_COLUMNS))
    share = (width - (columns - 1) * GAP) / columns
    height = -(-len(texts) // columns)
    filled: list[list[tuple[str, str]]] = []
    for top in range(0, len(texts), height):
        filled.append([])
        for number, text in enumerate(texts[top : top + height], first + top):
            lines = wrap(text, ANSWER_SIZE, share - indent)
            filled[-1] += [(f"{number}" if not k else "", line) for k, line in enumerate(lines)]
    return filled, share


def _indent(largest: int) -> float:
    """Return the width of the numbers before the answers."""
    return (line_width("0" * len(str(largest)), True) + 0.9) * ANSWER_SIZE


def _key(puzzle: Puzzle, theme: Theme) -> Picture | None:
    """Return the board with the numbers of its cells, if answers refer to them."""
    if notation_of(puzzle) not in ("cells", "holes"):
        return None
    whole = draw(puzzle.board, theme=theme, size=UNIT)
    scale = min(KEY_HEIGHT / whole.height, 3 * KEY_HEIGHT / whole.width)
    return draw(puzzle.board, theme=theme, size=max(UNIT * scale, 12.0))


def _footer(
    solutions: Sequence[Solution], first: int, theme: Theme, width: float
) -> tuple[list[Item], float]:
    """Return the answers, to be read upside down, and their height."""
    puzzle, key = solutions[0].puzzle, _key(solutions[0].puzzle, theme)
    room = width - (key.width + GAP / 2 if key else 0.0)
    step, y = ANSWER_SIZE * LINE_HEIGHT, ANSWER_SIZE
    grey = mix(theme.ink, theme.paper, 0.35)
    items: list[Item] = []
    for line in wrap(explanation(puzzle), ANSWER_SIZE, room):
        items.append(text_line(line, ANSWER_SIZE, 0.0, y, grey))
        y += step
    top, indent = y, _indent(first + len(solutions) - 1)
    columns, share = _answer_lines(solutions, first, room)
    for column, rows in enumerate(columns):
        x, y = column * (share + GAP), top
        for number, line in rows:
            right = x + indent - (0.9 + line_width(number, True)) * ANSWER_SIZE
            items.append(text_line(number, ANSWER_SIZE, right, y, theme.ink, bold=True))
            items += moves_line(puzzle, line, ANSWER_SIZE, x + indent, y, theme.ink)
            y += step
    height = top + max(map(len, columns)) * step - step + ANSWER_SIZE
    if key is not None:
        items.append(Group(tuple(key.items), width - key.width, 0.0))
        height = max(height, key.height)
    return items, height


def lay_out(
    solutions: Sequence[Solution], goal: Configuration, paper: Paper, theme: Theme, title: str
) -> Layout:
    """Return the layout with the fewest pages, and of these the one with the largest cells."""
    width, height = paper.width - 2 * MARGIN, paper.height - 2 * MARGIN
    _, header = _header(goal, title, theme, width)
    unit = draw(goal, theme=theme, size=UNIT)
    count = len(solutions)
    found: list[tuple[int, float, Layout]] = []
    for columns in range(1, min(count, 5) + 1):
        for rows in range(1, min(-(-count // columns), 6) + 1):
            pages = -(-count // (columns * rows))
            if (pages - 1) * columns * rows >= count:
                continue
            shares = [solutions[k : k + columns * rows] for k in range(0, count, columns * rows)]
            footer = max(
                _footer(share, 1 + k * columns * rows, theme, width)[1] for k, share in enumerate(shares)
            )
            free = height - header - footer - 3 * GAP - NOTE_SIZE
            across = ((width - (columns - 1) * GAP) / columns) / unit.width * UNIT
            down = (free / rows - LABEL_HEIGHT - GAP) / unit.height * UNIT
            cell = min(across, down, MAX_CELL)
            if cell > 0:
                found.append((pages, cell, Layout(paper, columns, rows, cell, header)))
    fitting = [each for each in found if each[1] >= MIN_CELL]
    if fitting:
        return min(fitting, key=lambda each: (each[0], -each[1]))[2]
    return max(found, key=lambda each: each[1])[2]


def draw_page(
    solutions: Sequence[Solution],
    first: int,
    goal: Configuration,
    layout: Layout,
    theme: Theme,
    title: str,
    note: str,
) -> Picture:
    """Draw one page with the starts of these solutions, numbered from `first`."""
    paper = layout.paper
    width, bottom = paper.width - 2 * MARGIN, paper.height - MARGIN
    header, _ = _header(goal, title, theme, width)
    items: list[Item] = [Group(tuple(header), MARGIN, MARGIN)]
    top = MARGIN + layout.header + GAP / 2
    items.append(divider(MARGIN, top, width, theme))
    answers, height = _footer(solutions, first, theme, width)
    foot = bottom - NOTE_SIZE - GAP / 2 - height - GAP / 2
    items += _cards(solutions, first, layout, theme, top + GAP / 2, foot - GAP / 2)
    items.append(divider(MARGIN, foot, width, theme))
    items.append(Group(tuple(answers), MARGIN + width, bottom - NOTE_SIZE - GAP / 2, angle=180.0))
    grey = mix(theme.ink, theme.paper, 0.45)
    size = min(NOTE_SIZE, width / max(line_width(note), 1e-9))
    items.append(text_line(note, size, MARGIN, bottom - NOTE_SIZE / 2, grey))
    return Picture(paper.width, paper.height, items, title, theme.paper)


def divider(x: float, y: float, width: float, theme: Theme) -> Item:
    """Draw a faint horizontal line."""
    return Mark(Path.line([(x, y), (x + width, y)]), None, theme.faint, 0.8)


def _cards(
    solutions: Sequence[Solution], first: int, layout: Layout, theme: Theme, top: float, bottom: float
) -> list[Item]:
    """Draw the puzzles in a grid, each row and column with the same share of the space."""
    items: list[Item] = []
    width = (layout.paper.width - 2 * MARGIN) / layout.columns
    height = (bottom - top) / layout.rows
    for k, solution in enumerate(solutions):
        row, column = divmod(k, layout.columns)
        picture = draw(solution.start, theme=theme, size=layout.cell)
        x = MARGIN + column * width + (width - picture.width) / 2
        y = top + row * height + (height - picture.height - LABEL_HEIGHT) / 2
        middle = MARGIN + (column + 0.5) * width
        items += number_label(
            str(first + k), f"in {counted(solution.length, 'move')}", middle, y + LABEL_HEIGHT / 2, theme
        )
        items.append(Group(tuple(picture.items), x, y + LABEL_HEIGHT, title=solution.start.text))
    return items


def number_label(number: str, text: str, middle: float, y: float, theme: Theme) -> list[Item]:
    """Draw the number of a puzzle in a disc and the text after it, centred at `middle`."""
    radius = max(0.85, (line_width(number, True) + 0.7) / 2) * LABEL_SIZE * 0.9
    width = 2 * radius + 0.5 * LABEL_SIZE + line_width(text) * LABEL_SIZE
    x = middle - width / 2
    disc = Mark(Path.circle((x + radius, y), radius), theme.ink)
    label = Mark(text_path(number, LABEL_SIZE * 0.9), text_colour(theme.ink))
    after = text_line(text, LABEL_SIZE, x + 2 * radius + 0.5 * LABEL_SIZE, y, theme.ink)
    return [disc, Group((label,), x + radius, y), after]
