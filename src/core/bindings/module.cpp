// The module that Python imports.
#include "bindings/support.hpp"

NB_MODULE(_core, m) {
    m.doc() = "The hot kernels of slidelab.";
    // Objects that a cache or a traceback still holds when the interpreter ends are of no interest to a user.
    nanobind::set_leak_warnings(false);
    // Not static: they would outlive the interpreter.
    nanobind::exception<slidelab::LimitReached>(m, "LimitReached", PyExc_MemoryError);
    nanobind::exception<slidelab::OutOfTime>(m, "OutOfTime", PyExc_TimeoutError);

    m.attr("MAX_CELLS") = slidelab::max_cells;
    m.attr("MAX_PIECE_CELLS") = slidelab::max_piece_cells;
    m.attr("MAX_TURNS") = slidelab::max_turns;
    m.attr("MAX_STEP_HOLES") = slidelab::max_step_holes;
    slidelab::bind_graph(m);
    slidelab::bind_group(m);
    slidelab::bind_layers(m);
    slidelab::bind_shards(m);
    slidelab::bind_symmetric(m);
    slidelab::bind_goals(m);
    slidelab::bind_search(m);
    slidelab::bind_huge(m);
    slidelab::bind_gourds(m);
    slidelab::bind_arrays(m);
    slidelab::bind_homology(m);
}
