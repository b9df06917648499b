"""Random boards for the property tests of this folder."""

from hypothesis import strategies as st

from slidelab.boards import Board, from_edges, hex_board, square_board

coordinates = st.tuples(st.integers(-4, 4), st.integers(-4, 4))
cell_sets = st.sets(coordinates, min_size=1, max_size=30)


@st.composite
def graphs(draw: st.DrawFn, max_size: int = 9) -> Board:
    size = draw(st.integers(1, max_size))
    vertices = st.integers(0, size - 1)
    return from_edges(draw(st.lists(st.tuples(vertices, vertices), max_size=2 * size)), size)


hex_boards = st.builds(hex_board, cell_sets)
square_boards = st.builds(square_board, cell_sets)
king_boards = st.builds(lambda cells: square_board(cells, king=True), cell_sets)
lattice_boards = st.one_of(hex_boards, square_boards, king_boards)
boards = st.one_of(lattice_boards, graphs())
