// Bindings of the layer search over one shape of each class under symmetries.
#include "bindings/support.hpp"
#include "layers/symmetric_search.hpp"

namespace slidelab {

namespace {

struct BoundSymmetricSearch {
    BoundSymmetricSearch(std::shared_ptr<StateCode> c, SymmetricInput input, SymmetricOptions options)
        : code(c), search(std::move(c), std::move(input), options) {}
    std::shared_ptr<StateCode> code;
    SymmetricSearch search;
};

using Rows = Array2<std::uint32_t>;

SymmetricInput to_input(const StateCode& code, const Array1<std::uint32_t>& shapes,
                        const Array1<std::uint32_t>& weights, const Rows& names, const Rows& renamings,
                        const Rows& leaving, const Array1<std::uint32_t>& closing, const Tick& tick) {
    const std::size_t d = code.degree();
    if (names.shape(1) != d || renamings.shape(1) != d + 3 || leaving.shape(1) != 2)
        throw std::invalid_argument("rows of another length expected");
    SymmetricInput out;
    out.shapes = to_vector(shapes);
    out.weights = to_vector(weights);
    for (std::size_t k = 0; k < renamings.shape(0); ++k) {
        tick("symmetries", k, renamings.shape(0));
        const std::uint32_t* row = renamings.data() + k * (d + 3);
        if (row[2] >= names.shape(0)) throw std::invalid_argument("no such symmetry");
        auto orders = out.renamings.empty() ? nullptr : out.renamings.front()->orders();
        out.renamings.push_back(std::make_unique<const Renaming>(
            code, row[0], row[1], std::span(row + 3, d), std::span(names.data() + row[2] * d, d), std::move(orders)));
    }
    for (std::size_t k = 0; k < leaving.shape(0); ++k)
        out.leaving.emplace_back(leaving.data()[2 * k], leaving.data()[2 * k + 1]);
    out.closing = to_vector(closing);
    return out;
}

}  // namespace

void bind_symmetric(nb::module_& m) {
    using Search = Guarded<BoundSymmetricSearch>;
    nb::class_<Search>(m, "SymmetricSearch")
        .def(
            "__init__",
            [](Search* self, std::shared_ptr<StateCode> code, Array1<std::uint32_t> shapes,
               Array1<std::uint32_t> weights, Rows names, Rows renamings, Rows leaving, Array1<std::uint32_t> closing,
               bool two_planes, bool portable, std::uint32_t thin, std::uint64_t kept, Progress progress) {
                run(progress, [&](const Tick& tick) {
                    auto input = to_input(*code, shapes, weights, names, renamings, leaving, closing, tick);
                    new (self)
                        Search(std::move(code), std::move(input), SymmetricOptions{two_planes, portable, thin, kept});
                });
            },
            nb::arg("code"), nb::arg("shapes").noconvert(), nb::arg("weights").noconvert(),
            nb::arg("names").noconvert(), nb::arg("renamings").noconvert(), nb::arg("leaving").noconvert(),
            nb::arg("closing").noconvert(), nb::arg("two_planes") = false, nb::arg("portable") = false,
            nb::arg("thin") = SymmetricOptions{}.thin, nb::arg("kept") = SymmetricOptions{}.kept,
            nb::arg("progress") = nb::none(),
            "Names have a row for each symmetry: the new name of each piece point. Renamings have a row each: a shape, "
            "its image, the symmetry, and the image of each slot point. Leaving has rows of an arc and a renaming.")
        .def_prop_ro(
            "alternates",
            [](const Search& search) {
                return read(search, [](const BoundSymmetricSearch& s) { return s.search.alternates(); });
            },
            "Whether one bit a state is enough.")
        .def_prop_ro(
            "words",
            [](const Search& search) {
                return read(search, [](const BoundSymmetricSearch& s) {
                    return s.search.plane_words(0) + s.search.plane_words(1) + s.search.arrival_words();
                });
            },
            "Machine words of all planes.")
        .def(
            "bytes_needed",
            [](const Search& search, unsigned threads) {
                return read(search, [&](const BoundSymmetricSearch& s) { return s.search.bytes_needed(threads); });
            },
            nb::arg("threads"))
        .def(
            "begin",
            [](Search& search, std::tuple<std::uint32_t, std::uint64_t, std::uint32_t> start) {
                run(search, {}, [&](BoundSymmetricSearch& s, const Tick&) {
                    const Place place{std::get<0>(start), std::get<1>(start), std::get<2>(start)};
                    if (!s.code->is_place(place)) throw std::invalid_argument("no such place");
                    s.search.begin(place);
                });
            },
            nb::arg("start"))
        .def(
            "advance",
            [](Search& search, unsigned threads, Progress progress) {
                if (threads == 0 || threads > 1024) throw std::invalid_argument("threads out of range");
                return run(search, progress,
                           [&](BoundSymmetricSearch& s, const Tick& tick) { return s.search.advance(threads, tick); });
            },
            nb::arg("threads"), nb::arg("progress") = nb::none())
        .def_prop_ro("layers",
                     [](const Search& search) {
                         return read(search, [](const BoundSymmetricSearch& s) { return s.search.layers(); });
                     })
        .def(
            "last_layer",
            [](const Search& search, std::size_t limit) {
                return run(search, {}, [&](const BoundSymmetricSearch& s, const Tick&) {
                    std::vector<std::tuple<std::uint32_t, std::uint64_t, std::uint32_t>> out;
                    for (const auto& p : s.search.last_layer(limit)) out.emplace_back(p.shape, p.word, p.bit);
                    return out;
                });
            },
            nb::arg("limit"), "States of the last layer in the shapes that are kept.");
}

}  // namespace slidelab
