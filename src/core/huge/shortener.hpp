// Shortens solutions: cuts loops out, and replaces windows of moves by shorter sequences with the same effect.
//
// A window is searched by iterative deepening from its first state to its last. The heuristic is the sum of the
// single-piece distances of the pieces that the window moves; other pieces that are moved have to return. Works for any
// rule and any number of holes: only the step table is used.
#pragma once

#include "base/tick.hpp"
#include "graph/step_table.hpp"

#include <exception>
#include <random>
#include <unordered_map>

namespace slidelab {

class Shortener {
public:
    using Spot = std::pair<std::int32_t, std::int32_t>;  // placement and turn

    Shortener(StepTable table, std::vector<Spot> pieces, const Tick& tick = no_tick) : table_(std::move(table)) {
        table_.check(tick);
        const std::size_t placements = table_.placement_count();
        at_.assign(placements, -1);
        covered_.assign(table_.cells, 0);
        for (const auto& [placement, turn] : pieces) {
            if (placement < 0 || static_cast<std::size_t>(placement) >= placements || turn < 0 ||
                static_cast<std::size_t>(turn) >= table_.turns)
                throw std::invalid_argument("no such placement");
            at_[static_cast<std::size_t>(placement)] = static_cast<std::int32_t>(place_.size());
            place_.push_back(placement);
            turn_.push_back(turn);
            for (auto c : table_.cells_of(static_cast<std::size_t>(placement)))
                if (covered_[static_cast<std::size_t>(c)]++) throw std::invalid_argument("two pieces on a cell");
        }
        hole_at_.assign(table_.cells, 0);
        for (std::size_t c = 0; c < table_.cells; ++c)
            if (!covered_[c]) add_hole(static_cast<std::int32_t>(c));
        index_steps(tick);
        start_ = {place_, turn_};
        slot_.assign(place_.size(), -1);
        std::mt19937_64 random(1);
        key_.resize(placements * table_.turns);
        for (auto& k : key_) k = random() | 1;
    }

    // Moves as rows of placement before, placement after and turn; all must be legal.
    void load(std::span<const std::array<std::int32_t, 3>> moves, const Tick& tick = no_tick) {
        reset();
        std::vector<std::uint32_t> loaded;
        for (const auto& m : moves) {
            if ((loaded.size() & 0xfff) == 0) tick("load", loaded.size(), moves.size());
            const auto step = find_step(m[0], m[1], m[2]);
            if (step < 0) throw std::invalid_argument("a move that can't be played");
            loaded.push_back(static_cast<std::uint32_t>(step));
            play(loaded.back());
        }
        moves_ = std::move(loaded);
    }
    std::size_t size() const { return moves_.size(); }
    const StepTable::Step& step(std::size_t i) const { return table_.steps[moves_[i]]; }
    const StepTable& table() const { return table_; }
    const std::vector<std::uint32_t>& moves() const { return moves_; }  // numbers of steps in the table
    std::vector<Spot> start() const {
        std::vector<Spot> out;
        for (std::size_t k = 0; k < start_.first.size(); ++k) out.emplace_back(start_.first[k], start_.second[k]);
        return out;
    }

    // Wherever the same state comes back, what lies between is left out. If the tick throws, the moves stay as they
    // are.
    void cut_loops(const Tick& tick = no_tick) {
        reset();
        std::vector<std::uint32_t> kept;
        std::unordered_map<std::uint64_t, std::size_t> seen{{0, 0}};
        std::vector<std::uint64_t> path{0};  // what the state was after each move that is kept
        std::uint64_t hash = 0;
        for (std::size_t i = 0; i < moves_.size(); ++i) {
            if ((i & 0xfff) == 0) tick("loops", i, 2 * moves_.size());
            const auto number = moves_[i];
            const auto piece = static_cast<std::size_t>(at_[static_cast<std::size_t>(table_.steps[number].from)]);
            hash ^= mark(piece);
            play(number);
            hash ^= mark(piece);
            const auto found = seen.find(hash);
            if (found == seen.end()) {
                kept.push_back(number);
                seen.emplace(hash, path.size());
                path.push_back(hash);
                continue;
            }
            const std::size_t back = found->second;
            while (path.size() > back + 1) {
                seen.erase(path.back());
                path.pop_back();
                kept.pop_back();
            }
        }
        // States were compared by their hash alone: check that the end is the same.
        const auto end = std::pair(place_, turn_);
        reset();
        for (std::size_t i = 0; i < kept.size() && legal(table_.steps[kept[i]]); ++i) {
            if ((i & 0xfff) == 0) tick("loops", moves_.size() + i, 2 * moves_.size());
            play(kept[i]);
        }
        if (std::pair(place_, turn_) == end) moves_ = std::move(kept);
    }

    // One pass over all stretches of `length` moves, each searched through at most `max_nodes` states. Whether the
    // pass came to its end: `tick` may stop it, and what is shorter by then stays so.
    bool pass(unsigned length, std::uint64_t max_nodes, const Tick& tick) {
        length = std::clamp(length, 2u, longest);
        reset();
        tick_ = &tick;
        stopped_ = nullptr;
        std::size_t read = 0, written = 0;
        for (std::uint64_t round = 0; !stopped_ && moves_.size() - read >= 2; ++round) {
            done_ = written;
            if ((round & 0xf) == 0) check_tick();
            if (stopped_) break;
            const auto window = std::min<std::size_t>(length, moves_.size() - read);
            read += replace(read, window, max_nodes);
            const std::size_t stride = std::min<std::size_t>(std::max(1u, length / 3), moves_.size() - read);
            for (std::size_t i = 0; i < stride; ++i) {
                play(moves_[read]);
                settle(static_cast<std::size_t>(at_[static_cast<std::size_t>(table_.steps[moves_[read]].to)]));
                moves_[written++] = moves_[read++];
            }
        }
        while (read < moves_.size()) moves_[written++] = moves_[read++];
        moves_.resize(written);
        try {
            if (stopped_) std::rethrow_exception(stopped_);
        } catch (const OutOfTime&) {
            return false;
        }
        return true;
    }

private:
    static constexpr unsigned longest = 120;
    static constexpr std::size_t few_holes = 6;

    // An exception of the tick is kept until the moves are consistent again.
    void check_tick() {
        try {
            (*tick_)("shorten", done_, moves_.size());
        } catch (...) {
            stopped_ = std::current_exception();
            nodes_left_ = 0;
        }
    }

    void index_steps(const Tick& tick) {
        const auto list = [&](std::size_t keys, auto key, std::vector<std::uint32_t>& first,
                              std::vector<std::uint32_t>& out) {
            tick("steps", 0, table_.steps.size());
            first.assign(keys + 1, 0);
            for (const auto& s : table_.steps) ++first[static_cast<std::size_t>(key(s)) + 1];
            for (std::size_t k = 0; k < keys; ++k) first[k + 1] += first[k];
            out.resize(table_.steps.size());
            auto next = first;
            for (std::uint32_t i = 0; i < table_.steps.size(); ++i)
                out[next[static_cast<std::size_t>(key(table_.steps[i]))]++] = i;
        };
        list(table_.placement_count(), [](const StepTable::Step& s) { return s.from; }, first_from_, from_);
        list(table_.cells, [](const StepTable::Step& s) { return s.holes[0]; }, first_need_, need_);
    }
    std::span<const std::uint32_t> steps_from(std::int32_t placement) const {
        const auto p = static_cast<std::size_t>(placement);
        return {from_.data() + first_from_[p], first_from_[p + 1] - first_from_[p]};
    }
    std::span<const std::uint32_t> steps_into(std::int32_t hole) const {
        const auto c = static_cast<std::size_t>(hole);
        return {need_.data() + first_need_[c], first_need_[c + 1] - first_need_[c]};
    }

    void reset() {
        for (auto p : place_) at_[static_cast<std::size_t>(p)] = -1;
        place_ = start_.first;
        turn_ = start_.second;
        std::fill(covered_.begin(), covered_.end(), 0);
        for (std::size_t k = 0; k < place_.size(); ++k) {
            at_[static_cast<std::size_t>(place_[k])] = static_cast<std::int32_t>(k);
            for (auto c : table_.cells_of(static_cast<std::size_t>(place_[k])))
                covered_[static_cast<std::size_t>(c)] = 1;
        }
        holes_.clear();
        for (std::size_t c = 0; c < table_.cells; ++c)
            if (!covered_[c]) add_hole(static_cast<std::int32_t>(c));
        base_place_ = place_;
        base_turn_ = turn_;
    }
    void settle(std::size_t piece) {
        base_place_[piece] = place_[piece];
        base_turn_[piece] = turn_[piece];
    }
    void add_hole(std::int32_t cell) {
        hole_at_[static_cast<std::size_t>(cell)] = static_cast<std::uint32_t>(holes_.size());
        holes_.push_back(cell);
    }

    bool legal(const StepTable::Step& s) const {
        if (at_[static_cast<std::size_t>(s.from)] < 0) return false;
        for (auto c : s.holes) {
            if (c < 0) break;
            if (covered_[static_cast<std::size_t>(c)]) return false;
        }
        return true;
    }
    std::int32_t find_step(std::int32_t from, std::int32_t to, std::int32_t turn) const {
        if (from < 0 || static_cast<std::size_t>(from) >= table_.placement_count()) return -1;
        for (auto i : steps_from(from)) {
            const auto& s = table_.steps[i];
            if (s.to == to && s.turn == turn && legal(s)) return static_cast<std::int32_t>(i);
        }
        return -1;
    }
    void play(std::uint32_t number) {
        shift(table_.steps[number].from, table_.steps[number].to, table_.steps[number].turn);
    }
    void take_back(std::uint32_t number) {
        const auto& s = table_.steps[number];
        shift(s.to, s.from, static_cast<std::int32_t>(table_.turns) - s.turn);
    }
    void shift(std::int32_t from, std::int32_t to, std::int32_t turn) {
        const std::int32_t piece = at_[static_cast<std::size_t>(from)];
        at_[static_cast<std::size_t>(from)] = -1;
        at_[static_cast<std::size_t>(to)] = piece;
        const auto k = static_cast<std::size_t>(piece);
        place_[k] = to;
        turn_[k] = (turn_[k] + turn) % static_cast<std::int32_t>(table_.turns);
        const auto before = table_.cells_of(static_cast<std::size_t>(from)),
                   after = table_.cells_of(static_cast<std::size_t>(to));
        for (auto c : before) covered_[static_cast<std::size_t>(c)] = 0;
        for (auto c : after) covered_[static_cast<std::size_t>(c)] = 1;
        // As many cells become holes as are holes no more: each takes the place of one of those.
        std::size_t j = 0;
        for (auto c : after) {
            if (std::find(before.begin(), before.end(), c) != before.end()) continue;
            while (covered_[static_cast<std::size_t>(before[j])]) ++j;
            const std::uint32_t place = hole_at_[static_cast<std::size_t>(c)];
            holes_[place] = before[j];
            hole_at_[static_cast<std::size_t>(before[j])] = place;
            ++j;
        }
    }
    std::uint64_t mark(std::size_t piece) const {
        std::uint64_t h =
            key_[static_cast<std::size_t>(place_[piece]) * table_.turns + static_cast<std::size_t>(turn_[piece])] *
            (2 * piece + 1);
        h ^= h >> 31;
        h *= 0xbf58476d1ce4e5b9ull;
        return h ^ h >> 29;
    }

    // Replace the stretch of `window` moves from `first` on by a shorter one, at its end; by how many moves it is
    // shorter.
    std::size_t replace(std::size_t first, std::size_t window, std::uint64_t max_nodes) {
        for (std::size_t i = 0; i < window; ++i) play(moves_[first + i]);
        aim(first, window);
        for (std::size_t i = window; i-- > 0;) take_back(moves_[first + i]);
        rest_ = 0;
        for (auto k : moved_) rest_ += to_go(k);
        nodes_left_ = max_nodes;
        path_.clear();
        bool found = false;
        for (std::uint32_t bound = rest_; !found && bound < window && nodes_left_;) {
            next_bound_ = std::numeric_limits<std::uint32_t>::max();
            found = deepen(bound, -1);
            bound = next_bound_;
        }
        for (auto k : moved_) slot_[k] = -1;
        moved_.clear();
        for (auto s : visited_) far_[s] = 0;
        visited_.clear();
        if (!found) return 0;
        const std::size_t shorter = window - path_.size();
        std::copy(path_.begin(), path_.end(), moves_.begin() + static_cast<std::ptrdiff_t>(first + shorter));
        return shorter;
    }

    // The state is that at the end of a stretch: for each piece that it moves, how far all spots are from where it
    // ends.
    void aim(std::size_t first, std::size_t window) {
        const std::size_t spots = table_.placement_count() * table_.turns;
        radius_ = static_cast<std::uint8_t>(window / 2 + 1);
        for (std::size_t i = 0; i < window; ++i) {
            const std::int32_t placement = table_.steps[moves_[first + i]].to;
            // The piece that this move brought there may have gone on; all that move end somewhere a last time.
            const std::int32_t piece = at_[static_cast<std::size_t>(placement)];
            if (piece >= 0 && slot_[static_cast<std::size_t>(piece)] < 0) {
                slot_[static_cast<std::size_t>(piece)] = static_cast<std::int32_t>(moved_.size());
                moved_.push_back(static_cast<std::uint32_t>(piece));
            }
        }
        if (far_.size() < moved_.size() * spots) far_.resize(moved_.size() * spots, 0);
        for (auto k : moved_) {
            std::uint8_t* far = far_row(k);
            const auto offset = static_cast<std::size_t>(far - far_.data());
            const auto reach = [&](std::int32_t placement, std::int32_t turn, std::uint8_t distance) {
                const std::size_t spot =
                    static_cast<std::size_t>(placement) * table_.turns + static_cast<std::size_t>(turn);
                if (far[spot]) return;
                far[spot] = distance;
                visited_.push_back(offset + spot);
            };
            std::size_t at = visited_.size();
            reach(place_[k], turn_[k], 1);  // one more than the distance, 0 is for what is too far
            for (; at < visited_.size(); ++at) {
                const std::size_t spot = visited_[at] - offset;
                if (far[spot] > radius_) break;
                const auto turn = static_cast<std::int32_t>(spot % table_.turns),
                           turns = static_cast<std::int32_t>(table_.turns);
                for (auto i : steps_from(static_cast<std::int32_t>(spot / table_.turns)))
                    reach(table_.steps[i].to, (turn + table_.steps[i].turn) % turns,
                          static_cast<std::uint8_t>(far[spot] + 1));
            }
        }
    }
    std::uint8_t* far_row(std::uint32_t piece) {
        return far_.data() + static_cast<std::size_t>(slot_[piece]) * table_.placement_count() * table_.turns;
    }

    // At least how many moves a piece still needs: one that the stretch leaves alone has to be where it was.
    std::uint32_t to_go(std::size_t piece) const {
        const auto place = static_cast<std::size_t>(place_[piece]), turn = static_cast<std::size_t>(turn_[piece]);
        if (slot_[piece] < 0) return place_[piece] != base_place_[piece] || turn_[piece] != base_turn_[piece];
        const std::uint8_t far =
            far_[(static_cast<std::size_t>(slot_[piece]) * table_.placement_count() + place) * table_.turns + turn];
        return far ? far - 1u : radius_ + 1u;
    }

    bool deepen(std::uint32_t bound, std::int64_t last) {
        if (rest_ == 0) return true;
        if (nodes_left_ == 0) return false;
        if ((--nodes_left_ & 0x3fff) == 0) check_tick();
        if (holes_.size() <= few_holes) {
            for (std::size_t h = 0; h < holes_.size(); ++h) {
                const std::int32_t hole = holes_[h];
                for (auto i : steps_into(hole))
                    if (legal(table_.steps[i]) && try_step(i, bound, last)) return true;
            }
        } else {
            for (std::size_t m = 0; m < moved_.size(); ++m)
                for (auto i : steps_from(place_[moved_[m]]))
                    if (legal(table_.steps[i]) && try_step(i, bound, last)) return true;
        }
        return false;
    }
    bool try_step(std::uint32_t i, std::uint32_t bound, std::int64_t last) {
        const auto& s = table_.steps[i];
        if (last >= 0) {
            const auto& l = table_.steps[static_cast<std::size_t>(last)];
            if (l.to == s.from && l.from == s.to && (l.turn + s.turn) % static_cast<std::int32_t>(table_.turns) == 0)
                return false;
        }
        const auto piece = static_cast<std::size_t>(at_[static_cast<std::size_t>(s.from)]);
        const std::uint32_t before = rest_;
        rest_ -= to_go(piece);
        play(i);
        rest_ += to_go(piece);
        const auto total = static_cast<std::uint32_t>(path_.size() + 1 + rest_);
        path_.push_back(i);
        bool found = false;
        if (total <= bound) found = deepen(bound, i);
        else next_bound_ = std::min(next_bound_, total);
        take_back(i);
        rest_ = before;
        if (!found) path_.pop_back();
        return found;
    }

    StepTable table_;
    std::vector<std::int32_t> at_, place_, turn_, holes_;
    std::vector<std::int32_t> base_place_, base_turn_;  // at the beginning of the stretch
    std::vector<std::uint8_t> covered_;
    std::vector<std::uint32_t> hole_at_;
    std::vector<std::uint32_t> first_from_, from_, first_need_, need_;
    std::pair<std::vector<std::int32_t>, std::vector<std::int32_t>> start_;
    std::vector<std::uint64_t> key_;
    std::vector<std::uint32_t> moves_;
    const Tick* tick_ = nullptr;
    std::exception_ptr stopped_;
    std::size_t done_ = 0;

    std::vector<std::int32_t> slot_;  // of the pieces that the stretch moves
    std::vector<std::uint32_t> moved_;
    std::vector<std::uint8_t> far_;
    std::vector<std::size_t> visited_;
    std::uint8_t radius_ = 0;
    std::uint32_t rest_ = 0, next_bound_ = 0;
    std::uint64_t nodes_left_ = 0;
    std::vector<std::uint32_t> path_;
};

}  // namespace slidelab
