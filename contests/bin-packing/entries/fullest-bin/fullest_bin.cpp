// Fullest bin first: fills one bin after the other as full as a limited search can, always with the largest item that is
// left. Repeats that with the items in other orders and keeps the best packing.

#include <algorithm>
#include <fstream>
#include <iostream>
#include <numeric>
#include <random>
#include <vector>

namespace {

int capacity;
std::vector<int> size;

// Searches the subset of the items that fills a bin best.
struct Filler {
    const std::vector<int> &items;
    std::vector<int> chosen, best;
    int best_load = -1;
    long steps = 20000;

    void search(std::size_t at, int load)
    {
        if (load > best_load) {
            best_load = load;
            best = chosen;
        }
        for (; at < items.size() && best_load < capacity && --steps > 0; at++) {
            if (load + size[items[at]] > capacity)
                continue;
            chosen.push_back(items[at]);
            search(at + 1, load + size[items[at]]);
            chosen.pop_back();
        }
    }
};

std::vector<std::vector<int>> pack(std::vector<int> items)
{
    std::vector<std::vector<int>> bins;
    while (!items.empty()) {
        auto largest = std::max_element(items.begin(), items.end(), [](int a, int b) { return size[a] < size[b]; });
        std::rotate(items.begin(), largest, largest + 1);
        std::vector<int> rest(items.begin() + 1, items.end());
        Filler filler{rest, {items[0]}, {}};
        filler.search(0, size[items[0]]);
        bins.push_back(filler.best);
        items.erase(std::remove_if(items.begin(), items.end(), [&](int item) {
            return std::find(filler.best.begin(), filler.best.end(), item) != filler.best.end();
        }), items.end());
    }
    return bins;
}

} // namespace

int main(int argc, char **argv)
{
    std::ifstream board(argc > 1 ? argv[1] : "");
    int count, known;
    if (!(board >> capacity >> count >> known))
        return 1;
    size.resize(count);
    for (int &item : size)
        if (!(board >> item))
            return 1;
    std::vector<int> items(count);
    std::iota(items.begin(), items.end(), 0);
    std::stable_sort(items.begin(), items.end(), [](int a, int b) { return size[a] > size[b]; });
    const long total = std::accumulate(size.begin(), size.end(), 0L);
    const std::size_t bound = (total + capacity - 1) / capacity;
    auto best = pack(items);
    // The same numbers on every machine: the generator is fixed, and so is the number of attempts.
    std::mt19937 dice(1);
    for (int attempt = 0; attempt < 200 && best.size() > bound; attempt++) {
        // Neighbours change places, so that large items stay in front.
        for (std::size_t i = 0; i + 1 < items.size(); i++)
            if (dice() % 2)
                std::swap(items[i], items[i + 1]);
        auto other = pack(items);
        if (other.size() < best.size())
            best = other;
    }
    for (const auto &bin : best) {
        for (std::size_t i = 0; i < bin.size(); i++)
            std::cout << (i ? " " : "") << bin[i] + 1;
        std::cout << '\n';
    }
}
