// Fits the network by which beams rank states (core/search/local_network.hpp), with plain loops and Adam.
//
//     fit_network OUT FIRST EPOCHS RATE SAMPLES... [-- TESTS...]
//
// FIRST is a file of weights to begin with, or "-". A file of samples has groups of states: the first of a group lies
// on the path to a solution, the others are of the same layer of the beam. The loss is the logistic one of the
// differences of their costs, so that the first costs less. A group is turned and reflected at random each time.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

constexpr int channels = 16, batch = 64;
typedef float Lanes __attribute__((vector_size(4 * channels), aligned(16)));
struct Row {
    Lanes at = {};
};

struct Samples {
    int groups, states, cells, window, contents, symmetries;
    std::vector<std::int32_t> near;                    // by cell and position, -1 outside of the board
    std::vector<std::uint16_t> cell_image, way_image;  // by symmetry
    std::vector<std::uint16_t> held;                   // content by group, state and cell
    std::vector<float> linear;                         // the linear cost by group and state

    explicit Samples(const char* path) {
        std::FILE* file = std::fopen(path, "rb");
        if (!file) throw std::runtime_error(std::string("cannot read ") + path);
        std::int32_t head[6];
        const auto read = [&](auto* data, std::size_t count) {
            if (std::fread(data, sizeof *data, count, file) != count)
                throw std::runtime_error(std::string("too short: ") + path);
        };
        read(head, 6);
        groups = head[0], states = head[1], cells = head[2], window = head[3], contents = head[4], symmetries = head[5];
        near.resize(std::size_t(cells) * window), read(near.data(), near.size());
        cell_image.resize(std::size_t(symmetries) * cells), read(cell_image.data(), cell_image.size());
        way_image.resize(std::size_t(symmetries) * contents), read(way_image.data(), way_image.size());
        held.resize(std::size_t(groups) * states * cells), read(held.data(), held.size());
        linear.resize(std::size_t(groups) * states), read(linear.data(), linear.size());
        std::fclose(file);
    }
    const std::uint16_t* state(int group, int k) const { return &held[(std::size_t(group) * states + k) * cells]; }
    float base(int group, int k) const {
        return linear[std::size_t(group) * states + k] - linear[std::size_t(group) * states];
    }
};

class Network {
public:
    Network(int window, int contents) : contents_(contents), weights(std::size_t(window) * contents) {
        std::normal_distribution<float> normal(0, 0.05f);
        std::mt19937 random(1);
        for (auto& row : weights)
            for (int c = 0; c < channels; ++c) row.at[c] = normal(random);
        for (int c = 0; c < channels; ++c) sign_[c] = c < channels / 2 ? 1 : -1;
        slope_ = mean_ = square_ = std::vector<Row>(weights.size());
        touched_.assign(weights.size(), 0);
    }

    float forward(const Samples& s, const std::uint16_t* held, float base, Row* sums) const {
        const Lanes zero = {};
        Lanes out = {};
        for (int cell = 0; cell < s.cells; ++cell) {
            Lanes sum = bias.at;
            for (int k = 0; k < s.window; ++k) sum += weights[row(s, held, cell, k)].at;
            sums[cell].at = sum;
            out += sum > zero ? sum : zero;
        }
        out *= sign_;
        float total = scale * base;
        for (int c = 0; c < channels; ++c) total += out[c];
        return total;
    }

    void backward(const Samples& s, const std::uint16_t* held, float base, const Row* sums, float slope) {
        const Lanes zero = {}, all = sign_ * slope;
        scale_slope_ += slope * base;
        for (int cell = 0; cell < s.cells; ++cell) {
            const Lanes own = sums[cell].at > zero ? all : zero;
            bias_slope_.at += own;
            for (int k = 0; k < s.window; ++k) {
                const std::size_t r = row(s, held, cell, k);
                if (!touched_[r]) touched_[r] = 1, list_.push_back(r);
                slope_[r].at += own;
            }
        }
    }

    // One step of Adam for the rows that occur in the batch.
    void step(float rate) {
        for (auto r : list_) {
            descend(weights[r], slope_[r], mean_[r], square_[r], rate);
            weights[r].at -= rate * decay * weights[r].at;
            touched_[r] = 0;
        }
        list_.clear();
        descend(bias, bias_slope_, bias_mean_, bias_square_, rate);
        Row one, slope;
        one.at[0] = scale, slope.at[0] = scale_slope_;
        descend(one, slope, scale_mean_, scale_square_, rate / 10);
        scale = one.at[0], scale_slope_ = 0;
    }

    void write(const char* path) const {
        transfer(path, "wb", [](auto* p, auto n, auto* f) { return std::fwrite(p, 4, n, f); }, *this);
    }
    void read(const char* path) {
        transfer(path, "rb", [](auto* p, auto n, auto* f) { return std::fread(p, 4, n, f); }, *this);
    }

private:
    static constexpr float decay = 1e-3f;

    template <typename Self, typename Copy>
    static void transfer(const char* path, const char* mode, Copy copy, Self& self) {
        std::FILE* file = std::fopen(path, mode);
        const std::size_t all = self.weights.size() * channels;
        if (!file || copy(&self.weights[0], all, file) != all ||
            copy(&self.bias, std::size_t(channels), file) != channels || copy(&self.scale, std::size_t{1}, file) != 1)
            throw std::runtime_error(std::string("cannot read or write ") + path);
        std::fclose(file);
    }
    std::size_t row(const Samples& s, const std::uint16_t* held, int cell, int k) const {
        const int at = s.near[std::size_t(cell) * s.window + k];
        return std::size_t(k) * contents_ + (at < 0 ? contents_ - 1 : held[at]);
    }
    static void descend(Row& value, Row& slope, Row& mean, Row& square, float rate) {
        mean.at = 0.9f * mean.at + 0.1f * slope.at;
        square.at = 0.99f * square.at + 0.01f * slope.at * slope.at;
        for (int c = 0; c < channels; ++c) value.at[c] -= rate * mean.at[c] / (std::sqrt(square.at[c]) + 1e-6f);
        slope.at = Lanes{};
    }

    int contents_;
    Lanes sign_;
    std::vector<Row> slope_, mean_, square_;
    std::vector<char> touched_;
    std::vector<std::size_t> list_;
    Row bias_slope_, bias_mean_, bias_square_, scale_mean_, scale_square_;
    float scale_slope_ = 0;

public:
    std::vector<Row> weights;
    Row bias;
    float scale = 1 / 3.f;  // of the linear cost
};

float logistic_loss(float difference) { return difference > 30 ? difference : std::log1p(std::exp(difference)); }

void evaluate(const Network& network, const std::vector<Samples>& tests) {
    for (const auto& s : tests) {
        std::vector<Row> sums(std::size_t(s.cells));
        double loss = 0, right = 0, pairs = 0;
        for (int g = 0; g < s.groups; ++g) {
            const float first = network.forward(s, s.state(g, 0), 0, sums.data());
            for (int k = 1; k < s.states; ++k, ++pairs) {
                const float difference = first - network.forward(s, s.state(g, k), s.base(g, k), sums.data());
                loss += logistic_loss(difference), right += difference < 0;
            }
        }
        std::printf("  %d cells: loss %.4f, %.2f %% right", s.cells, loss / pairs, 100 * right / pairs);
    }
    std::printf("\n");
    std::fflush(stdout);
}

void fit(Network& network, const std::vector<Samples>& all, const std::vector<Samples>& tests, int epochs, float rate) {
    std::vector<std::pair<const Samples*, int>> order;
    int states = 0, cells = 0;
    for (const auto& s : all) {
        states = std::max(states, s.states), cells = std::max(cells, s.cells);
        for (int g = 0; g < s.groups; ++g) order.emplace_back(&s, g);
    }
    std::mt19937_64 random(2);
    std::vector<std::uint16_t> held(std::size_t(states) * cells);
    std::vector<Row> sums(held.size());
    std::vector<float> cost(std::size_t{} + states);
    const double steps = double(epochs) * double(order.size() / batch);
    double step = 0;
    for (int epoch = 0; epoch < epochs; ++epoch) {
        const auto began = std::chrono::steady_clock::now();
        std::shuffle(order.begin(), order.end(), random);
        double loss = 0, pairs = 0;
        for (std::size_t i = 0; i + batch <= order.size(); i += batch) {
            for (int b = 0; b < batch; ++b) {
                const Samples& s = *order[i + b].first;
                const int g = order[i + b].second, turn = int(random() % s.symmetries);
                const std::uint16_t *to = &s.cell_image[std::size_t(turn) * s.cells],
                                    *way = &s.way_image[std::size_t(turn) * s.contents];
                for (int k = 0; k < s.states; ++k) {
                    for (int c = 0; c < s.cells; ++c) held[k * s.cells + to[c]] = way[s.state(g, k)[c]];
                    cost[k] = network.forward(s, &held[k * s.cells], s.base(g, k), &sums[k * s.cells]);
                }
                float first = 0;
                for (int k = 1; k < s.states; ++k, ++pairs) {
                    const float difference = cost[0] - cost[k];
                    const float slope = 1 / (1 + std::exp(-difference)) / float((s.states - 1) * batch);
                    loss += logistic_loss(difference), first += slope;
                    network.backward(s, &held[k * s.cells], s.base(g, k), &sums[k * s.cells], -slope);
                }
                network.backward(s, &held[0], 0, &sums[0], first);
            }
            ++step;
            network.step(rate * float(std::min(1.0, step / 200) * (0.51 + 0.49 * std::cos(M_PI * step / steps))));
        }
        const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
        std::printf("epoch %d: loss %.4f, %.0f s", epoch, loss / pairs, seconds);
        evaluate(network, tests);
    }
}

}  // namespace

int main(int count, char** words) {
    try {
        if (count < 6) throw std::runtime_error("usage: fit_network OUT FIRST EPOCHS RATE SAMPLES... [-- TESTS...]");
        std::vector<Samples> all, tests;
        bool testing = false;
        for (int i = 5; i < count; ++i) {
            if (!std::strcmp(words[i], "--")) testing = true;
            else (testing ? tests : all).emplace_back(words[i]);
        }
        if (all.empty()) throw std::runtime_error("no samples");
        Network network(all[0].window, all[0].contents);
        if (std::strcmp(words[2], "-")) network.read(words[2]);
        evaluate(network, tests);
        fit(network, all, tests, std::atoi(words[3]), float(std::atof(words[4])));
        network.write(words[1]);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 2;
    }
}
