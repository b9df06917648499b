// Bindings of the search over shards.
#include "base/union_find.hpp"
#include "bindings/support.hpp"
#include "layers/packed_words.hpp"
#include "layers/shard_search.hpp"

#include <mutex>
#include <shared_mutex>

namespace slidelab {

namespace {

using PlaceTuple = std::tuple<std::uint32_t, std::uint64_t, std::uint32_t>;
using RangeTuple = std::pair<std::uint32_t, std::uint32_t>;
using Words = nb::ndarray<std::uint64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using View = nb::ndarray<nb::numpy, std::uint64_t, nb::ndim<3>>;

ShardSearch::Range to_range(const RangeTuple& r) { return {r.first, r.second}; }

// While words are pulled within shards, blocks may cross: these two calls change different parts of the search. Each
// holds the lock of its part; a call that reads what they change shares both locks.
struct BoundShards {
    BoundShards(std::shared_ptr<StateCode> c, ShardOptions options) : code(c), search(std::move(c), options) {}
    std::shared_ptr<StateCode> code;
    mutable ShardSearch search;
    mutable std::shared_mutex sweeping, crossing;
};

template <class Lock>
Lock lock_or_refuse(std::shared_mutex& part) {
    Lock lock(part, std::try_to_lock);
    if (!lock) throw std::runtime_error("already in use by another thread");
    return lock;
}

template <class Work>
auto run_crossing(const Guarded<BoundShards>& object, const Progress& progress, Work&& work) {
    return run(object, progress, [&](const BoundShards& s, const Tick& tick) {
        const auto lock = lock_or_refuse<std::unique_lock<std::shared_mutex>>(s.crossing);
        return work(s.search, tick);
    });
}

template <class Work>
auto run_reading(const Guarded<BoundShards>& object, const Progress& progress, Work&& work) {
    return run(object, progress, [&](const BoundShards& s, const Tick& tick) {
        const auto sweeping = lock_or_refuse<std::shared_lock<std::shared_mutex>>(s.sweeping);
        const auto crossing = lock_or_refuse<std::shared_lock<std::shared_mutex>>(s.crossing);
        return work(s, tick);
    });
}

void check_threads(unsigned threads) {
    if (threads == 0 || threads > 1024) throw std::invalid_argument("threads out of range");
}

// Rows of a word and its bits.
std::vector<std::uint64_t> from_words(const std::vector<WordBits>& words) {
    std::vector<std::uint64_t> out;
    out.reserve(2 * words.size());
    for (const auto& entry : words) {
        out.push_back(entry.word);
        out.push_back(entry.bits);
    }
    return out;
}

std::vector<PlaceTuple> from_places(const std::vector<Place>& places) {
    std::vector<PlaceTuple> out;
    for (const auto& p : places) out.emplace_back(p.shape, p.word, p.bit);
    return out;
}

}  // namespace

void bind_shards(nb::module_& m) {
    m.def(
        "two_colourable",
        [](std::size_t shapes, Array2<std::int64_t> edges) {
            if (edges.shape(1) != 2) throw std::invalid_argument("edges need two columns");
            if (shapes > std::numeric_limits<std::uint32_t>::max() / 2)
                throw std::invalid_argument("shapes out of range");
            return run({}, [&](const Tick&) {
                UnionFind sides(2 * shapes);  // a shape on either side
                for (std::size_t i = 0; i < edges.shape(0); ++i) {
                    const auto a = static_cast<std::uint64_t>(edges(i, 0)), b = static_cast<std::uint64_t>(edges(i, 1));
                    if (a >= shapes || b >= shapes) throw std::invalid_argument("edge out of range");
                    sides.unite(static_cast<std::uint32_t>(a), static_cast<std::uint32_t>(shapes + b));
                    sides.unite(static_cast<std::uint32_t>(shapes + a), static_cast<std::uint32_t>(b));
                }
                for (std::uint32_t s = 0; s < shapes; ++s)
                    if (sides.find(s) == sides.find(static_cast<std::uint32_t>(shapes + s))) return false;
                return true;
            });
        },
        nb::arg("shapes"), nb::arg("edges").noconvert(),
        "Whether two colours suffice such that every edge joins both.");
    m.def(
        "pack_words",
        [](Array1<std::uint64_t> words, std::uint64_t flipped) {
            return to_numpy(run({}, [&](const Tick&) {
                if (!flipped) return packed_words(to_span(words));
                std::vector<std::uint64_t> other = to_vector(words);
                for (auto& word : other) word ^= flipped;
                return packed_words(other);
            }));
        },
        nb::arg("words").noconvert(), nb::arg("flipped") = 0,
        "Words of which most are zero, or `flipped`, without these; see `unpack_words`.");
    m.def(
        "unpack_words",
        [](Array1<std::uint64_t> packed, Words words, std::uint64_t flipped) {
            run({}, [&](const Tick&) {
                const std::span<std::uint64_t> out(words.data(), words.size());
                std::fill(out.begin(), out.end(), 0);
                unpack_words(to_span(packed), out, [](std::uint64_t) { return word_mask; });
                for (auto& word : out) word ^= flipped;
            });
        },
        nb::arg("packed").noconvert(), nb::arg("words").noconvert(), nb::arg("flipped") = 0,
        "Write packed words to an array.");
    using Search = Guarded<BoundShards>;
    nb::class_<Search>(m, "ShardSearch")
        .def(
            "__init__",
            [](Search* self, std::shared_ptr<StateCode> code, std::uint32_t first, std::uint32_t last, bool two_planes,
               bool portable, std::uint32_t thin, std::uint64_t kept) {
                run({}, [&](const Tick&) {
                    new (self) Search(std::move(code), ShardOptions{first, last, two_planes, portable, thin, kept});
                });
            },
            nb::arg("code"), nb::arg("first"), nb::arg("last"), nb::arg("two_planes") = false,
            nb::arg("portable") = false, nb::arg("thin") = ShardOptions{}.thin, nb::arg("kept") = ShardOptions{}.kept)
        .def(
            "bytes_needed",
            [](const Search& search, unsigned threads) {
                return read(search, [&](const BoundShards& s) { return s.search.bytes_needed(threads); });
            },
            nb::arg("threads"))
        .def_prop_ro("alternates",
                     [](const Search& search) {
                         return read(search, [](const BoundShards& s) { return s.search.alternates(); });
                     })
        .def_prop_ro(
            "layers",
            [](const Search& search) { return read(search, [](const BoundShards& s) { return s.search.layers(); }); })
        .def_prop_ro(
            "finished",
            [](const Search& search) { return read(search, [](const BoundShards& s) { return s.search.finished(); }); })
        .def_prop_ro(
            "crossings",
            [](const Search& search) {
                return read(search, [](const BoundShards& s) { return s.search.crossings(); });
            },
            "Moves into the next layer that lead from shard to shard.")
        .def_prop_ro(
            "listed",
            [](const Search& search) {
                return run_reading(search, {}, [](const BoundShards& s, const Tick&) { return s.search.listed(); });
            },
            "Whether the words of the last layer are in a list.")
        .def_prop_ro(
            "counted",
            [](const Search& search) {
                return run_reading(search, {}, [](const BoundShards& s, const Tick&) {
                    const Counted c = s.search.counted();
                    return std::pair(c.words, c.states);
                });
            },
            "Words with new states and new states of the last layer in this process.")
        .def(
            "plane_of",
            [](const Search& search, std::size_t layer) {
                return read(search, [&](const BoundShards& s) { return s.search.plane_of(layer); });
            },
            nb::arg("layer"))
        .def(
            "plane_shapes",
            [](const Search& search, unsigned plane) {
                if (plane > 1) throw std::invalid_argument("there are two planes");
                return read(search, [&](const BoundShards& s) { return s.search.shapes(plane).size(); });
            },
            nb::arg("plane"))
        .def(
            "plane",
            [](nb::handle self, unsigned plane) {
                if (plane > 1) throw std::invalid_argument("there are two planes");
                const auto& search = nb::cast<const Search&>(self);
                return read(search, [&](const BoundShards& s) {
                    if (!s.search.prepared()) throw std::logic_error("the search has no planes yet");
                    const std::size_t shape[]{s.search.own_shards(), s.search.shapes(plane).size(), s.code->words()};
                    return View(s.search.plane(plane), 3, shape, self);
                });
            },
            nb::arg("plane"), "The words of a plane, not copied: shards, shapes, words of a shape.")
        .def(
            "arrivals",
            [](nb::handle self) {
                const auto& search = nb::cast<const Search&>(self);
                return read(search, [&](const BoundShards& s) {
                    const std::size_t shape[]{s.search.own_shards(), s.search.crossings(), s.code->words()};
                    return View(s.search.arrivals(), 3, shape, self);
                });
            },
            "The words that arrived, not copied: shards, crossings, words of a shape.")
        .def(
            "begin",
            [](Search& search, PlaceTuple start) {
                run(search, {}, [&](BoundShards& s, const Tick&) {
                    const Place place{std::get<0>(start), std::get<1>(start), std::get<2>(start)};
                    if (!s.code->is_place(place)) throw std::invalid_argument("no such place");
                    s.search.begin(place);
                });
            },
            nb::arg("start"))
        .def(
            "prepare",
            [](Search& search, std::uint32_t start_shape) {
                run(search, {}, [&](BoundShards& s, const Tick&) {
                    if (start_shape >= s.code->shapes()) throw std::invalid_argument("no such shape");
                    s.search.prepare(start_shape);
                });
            },
            nb::arg("start_shape"))
        .def(
            "count",
            [](const Search& search, unsigned plane, Progress progress) {
                if (plane > 1) throw std::invalid_argument("there are two planes");
                return run_reading(search, progress,
                                   [&](const BoundShards& s, const Tick& tick) { return s.search.count(plane, tick); });
            },
            nb::arg("plane"), nb::arg("progress") = nb::none())
        .def(
            "resume",
            [](Search& search, std::vector<std::uint64_t> layers) {
                run(search, {}, [&](BoundShards& s, const Tick&) { s.search.resume(std::move(layers)); });
            },
            nb::arg("layers"))
        .def(
            "advance",
            [](Search& search, unsigned threads, Progress progress) {
                check_threads(threads);
                return run(search, progress,
                           [&](BoundShards& s, const Tick& tick) { return s.search.advance(threads, tick); });
            },
            nb::arg("threads"), nb::arg("progress") = nb::none())
        .def(
            "is_thin",
            [](const Search& search, std::uint64_t words, bool listed) {
                return read(search, [&](const BoundShards& s) { return s.search.is_thin(words, listed); });
            },
            nb::arg("words"), nb::arg("listed"))
        .def(
            "push",
            [](Search& search, unsigned threads, Progress progress) {
                check_threads(threads);
                return to_rows(
                    run(search, progress,
                        [&](BoundShards& s, const Tick& tick) { return from_words(s.search.push(threads, tick)); }),
                    2);
            },
            nb::arg("threads"), nb::arg("progress") = nb::none(),
            "Carry the listed words; return those of shards of others, as rows of a word and its bits.")
        .def(
            "word_of",
            [](const Search& search, PlaceTuple state) {
                return read(search, [&](const BoundShards& s) {
                    const Place place{std::get<0>(state), std::get<1>(state), std::get<2>(state)};
                    if (!s.code->is_place(place)) throw std::invalid_argument("no such place");
                    const WordBits found = s.search.word_of(place);
                    return std::pair(found.word, found.bits);
                });
            },
            nb::arg("state"), "The number of a state's word in its plane, and its bit.")
        .def(
            "images",
            [](const Search& search, Array2<std::uint64_t> words, unsigned threads, Progress progress) {
                check_threads(threads);
                const auto rows = to_rows_of<WordBits, 2>(words);
                return to_rows(run_reading(search, progress,
                                           [&](const BoundShards& s, const Tick& tick) {
                                               return from_words(s.search.images(rows, threads, tick));
                                           }),
                               2);
            },
            nb::arg("words").noconvert(), nb::arg("threads"), nb::arg("progress") = nb::none(),
            "What words of the last layer lead to, as rows of a word and its bits, each word once, in order.")
        .def(
            "shards_of",
            [](const Search& search, Array2<std::uint64_t> words) {
                if (words.shape(1) != 2) throw std::invalid_argument("rows of a word and its bits expected");
                return to_rows(
                    run(search, {},
                        [&](const BoundShards& s, const Tick&) {
                            std::vector<std::uint64_t> out;
                            out.reserve(2 * words.shape(0));
                            for (std::size_t i = 0; i < words.shape(0); ++i) {
                                const auto [shard, word] = s.search.numbers().local(words(i, 0));
                                out.push_back(shard);
                                out.push_back(s.search.numbers().position_of(words(i, 0)) * s.code->words() + word);
                            }
                            return out;
                        }),
                    2);
            },
            nb::arg("words").noconvert(), "Rows of a shard and the number of the word in the shard's plane.")
        .def(
            "mark",
            [](Search& search, Array2<std::uint64_t> words) {
                const auto rows = to_rows_of<WordBits, 2>(words);
                run(search, {}, [&](BoundShards& s, const Tick&) { s.search.mark(rows); });
            },
            nb::arg("words").noconvert())
        .def(
            "begin_full",
            [](Search& search, unsigned threads) {
                check_threads(threads);
                run(search, {}, [&](BoundShards& s, const Tick& tick) { s.search.begin_full(threads, tick); });
            },
            nb::arg("threads"))
        .def(
            "count_blocks",
            [](const Search& search, std::uint32_t crossing, RangeTuple from, RangeTuple to) {
                return read(search, [&](const BoundShards& s) {
                    return s.search.count_blocks(crossing, to_range(from), to_range(to));
                });
            },
            nb::arg("crossing"), nb::arg("source"), nb::arg("target"))
        .def(
            "send",
            [](const Search& search, std::uint32_t crossing, RangeTuple shards, std::vector<RangeTuple> processes,
               std::vector<Words> lists, unsigned threads, Progress progress) {
                check_threads(threads);
                if (lists.size() != processes.size()) throw std::invalid_argument("a list for each process expected");
                run_crossing(search, progress, [&](ShardSearch& s, const Tick& tick) {
                    std::vector<ShardSearch::Range> ranges;
                    std::vector<std::uint64_t*> out;
                    for (std::size_t k = 0; k < lists.size(); ++k) {
                        ranges.push_back(to_range(processes[k]));
                        out.push_back(lists[k].data());
                        const bool own = ranges[k].first == s.own().first && ranges[k].last == s.own().last;
                        if (!own &&
                            lists[k].size() != s.code().block() * s.count_blocks(crossing, to_range(shards), ranges[k]))
                            throw std::invalid_argument("a list has the wrong length");
                    }
                    s.send(crossing, to_range(shards), ranges, out, threads, tick);
                });
            },
            nb::arg("crossing"), nb::arg("shards"), nb::arg("processes"), nb::arg("lists").noconvert(),
            nb::arg("threads"), nb::arg("progress") = nb::none())
        .def(
            "receive",
            [](const Search& search, std::uint32_t crossing, RangeTuple source, Array1<std::uint64_t> blocks) {
                run_crossing(search, {}, [&](ShardSearch& s, const Tick&) {
                    if (blocks.size() != s.code().block() * s.count_blocks(crossing, to_range(source), s.own()))
                        throw std::invalid_argument("the blocks have the wrong length");
                    s.receive(crossing, to_range(source), blocks.data());
                });
            },
            nb::arg("crossing"), nb::arg("source"), nb::arg("blocks").noconvert())
        .def(
            "sweep",
            [](const Search& search, bool within, bool crossing, unsigned threads, Progress progress) {
                check_threads(threads);
                run(search, progress, [&](const BoundShards& s, const Tick& tick) {
                    const auto sweeping = lock_or_refuse<std::unique_lock<std::shared_mutex>>(s.sweeping);
                    std::unique_lock<std::shared_mutex> arrivals;  // read where blocks have crossed
                    if (crossing) arrivals = lock_or_refuse<std::unique_lock<std::shared_mutex>>(s.crossing);
                    s.search.sweep(within, crossing, threads, tick);
                });
            },
            nb::arg("within"), nb::arg("crossing"), nb::arg("threads"), nb::arg("progress") = nb::none())
        .def(
            "finish_layer",
            [](Search& search, std::uint64_t states) {
                return run(search, {}, [&](BoundShards& s, const Tick&) { return s.search.finish_layer(states); });
            },
            nb::arg("states"))
        .def(
            "last_layer",
            [](const Search& search, std::size_t limit) {
                return run_reading(search, {}, [&](const BoundShards& s, const Tick&) {
                    return from_places(s.search.last_layer(limit));
                });
            },
            nb::arg("limit"))
        .def(
            "take_fresh",
            [](Search& search) {
                return to_rows(
                    run(search, {}, [](BoundShards& s, const Tick&) { return from_words(s.search.take_fresh()); }), 2);
            },
            "Rows of a word and its new bits since the last call, the first ones at least.")
        .def(
            "places",
            [](const Search& search, unsigned plane, Array2<std::uint64_t> words, std::size_t limit) {
                if (plane > 1) throw std::invalid_argument("there are two planes");
                const auto rows = to_rows_of<WordBits, 2>(words);
                return run_reading(search, {}, [&](const BoundShards& s, const Tick&) {
                    return from_places(s.search.places(plane, rows, limit));
                });
            },
            nb::arg("plane"), nb::arg("words").noconvert(), nb::arg("limit"))
        .def(
            "hold",
            [](Search& search, std::uint32_t shard) {
                run(search, {}, [&](BoundShards& s, const Tick&) { s.search.hold(shard); });
            },
            nb::arg("shard"))
        .def(
            "crossings_into",
            [](const Search& search, unsigned plane) {
                if (plane > 1) throw std::invalid_argument("there are two planes");
                return read(search, [&](const BoundShards& s) { return s.search.crossings_into(plane); });
            },
            nb::arg("plane"))
        .def(
            "departures",
            [](const Search& search, unsigned plane, unsigned threads, Progress progress) {
                check_threads(threads);
                if (plane > 1) throw std::invalid_argument("there are two planes");
                std::size_t words = 0;
                auto all = run_reading(search, progress, [&](const BoundShards& s, const Tick& tick) {
                    words = s.code->x_count() * s.code->block();
                    return s.search.departures(plane, threads, tick);
                });
                const std::size_t rows = all.empty() ? 0 : all.size() / words;
                return to_numpy(std::move(all), {rows, words});
            },
            nb::arg("plane"), nb::arg("threads"), nb::arg("progress") = nb::none(),
            "What leaves the shard into a plane: a row for each crossing and block, with its words of all rows.")
        .def(
            "origins",
            [](const Search& search, unsigned plane, std::uint32_t crossing, std::uint32_t shard) {
                if (plane > 1) throw std::invalid_argument("there are two planes");
                return read(search, [&](const BoundShards& s) {
                    std::vector<RangeTuple> out;
                    for (const auto& block : s.search.origins(plane, crossing, shard))
                        out.emplace_back(block.shard, block.digit);
                    return out;
                });
            },
            nb::arg("plane"), nb::arg("crossing"), nb::arg("shard"));
}

}  // namespace slidelab
