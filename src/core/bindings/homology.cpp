// Bindings of the configuration complex: its cells, its Morse reduction and the ranks of its boundaries.
#include "bindings/support.hpp"
#include "homology/covering_rank.hpp"

namespace slidelab {

namespace {

// The complex of a gain graph with its matching. The graph is held by Python as long as this.
struct ConfigurationComplex {
    ConfigurationComplex(const GainGraph& graph, const std::vector<PieceCells::Polygon>& polygons, bool keep_gains,
                         std::uint64_t max_bytes, const Tick& tick)
        : complex(graph, polygons, max_bytes / 2, tick), morse(complex, keep_gains, max_bytes / 4, tick),
          gains(keep_gains) {}

    // Rows: for each dimension the number of cells and of critical cells over a family of shapes.
    std::vector<std::uint64_t> counts(std::uint32_t family) const {
        std::vector<std::uint64_t> out(2 * static_cast<std::size_t>(complex.dimension() + 1), 0);
        for (std::uint32_t c = 0; c < complex.size(); ++c) {
            if (complex.graph().family()[complex.shape(c)] != family) continue;
            const auto k = static_cast<std::size_t>(complex.dimension(c));
            ++out[2 * k];
            out[2 * k + 1] += morse.is_critical(c);
        }
        return out;
    }

    ShapeComplex complex;
    MorseComplex morse;
    bool gains;
};

using SmithRow = std::pair<std::size_t, std::vector<std::vector<std::pair<std::uint32_t, std::int64_t>>>>;

std::vector<SmithRow> smith_rows(const ConfigurationComplex& self, std::uint32_t base, const Permutation& first,
                                 std::uint64_t max_bytes, const Tick& tick) {
    const auto& graph = self.complex.graph();
    if (!first.empty() && first.size() != graph.degree()) throw std::invalid_argument("one entry a point expected");
    if (self.gains == first.empty() && graph.degree() > 0)
        throw std::invalid_argument("an arrangement expected with gains, none without");
    const std::uint32_t family = graph.family().at(base);
    const Span span = graph.span(base, max_bytes / 4, tick);
    GainWords words(first.size(), max_bytes / 8);
    std::vector<std::vector<std::vector<MorseComplex::Term>>> boundaries;
    std::vector<std::size_t> counts;
    for (int k = 0; k <= self.complex.dimension(); ++k) {
        counts.push_back(self.morse.critical(k, family).size());
        if (k >= 2) boundaries.push_back(self.morse.boundary(k, span, words, tick));
    }
    const Sheets sheets(first, first.empty() ? std::span<const Point>() : std::span<const Point>(span.generators),
                        max_bytes / 8, tick);
    std::vector<SmithRow> out;
    for (const auto& part : smith_parts(boundaries, counts, sheets, words, max_bytes / 2, tick)) {
        out.push_back({part.ones, {}});
        for (const auto& column : part.rest) {
            out.back().second.emplace_back();
            for (const auto& e : column) out.back().second.back().emplace_back(e.row, e.value);
        }
    }
    return out;
}

}  // namespace

void bind_homology(nb::module_& m) {
    m.attr("MAX_COMPLEX_CELLS") = max_complex_cells;
    nb::class_<ConfigurationComplex>(m, "ConfigurationComplex")
        .def(
            "__init__",
            [](ConfigurationComplex* self, const GainGraph& graph,
               const std::vector<std::vector<std::pair<std::int32_t, std::int32_t>>>& polygons, bool gains,
               std::uint64_t max_bytes, Progress progress) {
                run(progress, [&](const Tick& tick) {
                    new (self) ConfigurationComplex(graph, polygons, gains, max_bytes, tick);
                });
            },
            nb::arg("graph"), nb::arg("polygons"), nb::arg("gains"), nb::arg("max_bytes"),
            nb::arg("progress") = nb::none(), nb::keep_alive<1, 2>())
        .def_prop_ro("dimension", [](const ConfigurationComplex& self) { return self.complex.dimension(); })
        .def(
            "counts",
            [](const ConfigurationComplex& self, std::uint32_t family) { return to_rows(self.counts(family), 2); },
            nb::arg("family"), "Rows of the number of cells and of critical cells, for each dimension.")
        .def(
            "smith",
            [](const ConfigurationComplex& self, std::uint32_t base, Array1<std::uint16_t> first,
               std::uint64_t max_bytes, Progress progress) {
                return run(progress,
                           [&](const Tick& tick) { return smith_rows(self, base, to_vector(first), max_bytes, tick); });
            },
            nb::arg("base"), nb::arg("first").noconvert(), nb::arg("max_bytes"), nb::arg("progress") = nb::none(),
            "For the boundary of each dimension from two: the number of ones of its Smith normal form, and the columns "
            "of what else is left of it. `first` is an arrangement at the base, empty if all are taken for the same.");
}

}  // namespace slidelab
