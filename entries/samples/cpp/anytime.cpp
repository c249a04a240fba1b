// An anytime sample entry for Loyd's Dilemma in C++17: it has an answer at once and improves it while there is time.
//
// Called as `anytime BOARD_FILE`; prints its moves on one line. Build: c++ -O2 -std=c++17 -o anytime anytime.cpp
//
// The judge stops the clock when the program exits, and an answer counts only if it exits before the limit. So:
//   1. find any answer;
//   2. look for a shorter one, again and again, until the time is nearly up;
//   3. print the best one, and exit.
// A contest with a grace period sends SIGTERM at the limit; then 3 follows as well.
// A contest that takes a stream of answers sets JUDGE_STREAM. Then each better answer is printed at once, and the
// last one counts even if the limit ends the program.
//
// An answer places one tile after the other, each by the fewest moves that disturb no placed tile. Step 2 changes the
// order at random and keeps a change that does not make the answer longer.
#include <algorithm>
#include <array>
#include <cctype>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <iterator>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

constexpr int SPOTS = 25, CENTRE = 12;
const std::string PERFECTION = "ABCDEFGHIJKLMNOPQRSTUVWX+";
const std::string PATTERN = "ABCDEFGHIJKL+MNPQRSOUVWXT";  // four moves before perfection
const std::string CLOSING = "lluu";
const std::string ORDER = "AEUTBDFJOPVXCKNWGHILMQRS";  // from the border inwards; walls no tile in

volatile std::sig_atomic_t warned = 0;

// The spot of the tile that a move takes to the empty spot; -1 if the move is illegal.
int source(int empty, char move) {
    switch (move) {
        case 'u': return empty + 5 < SPOTS ? empty + 5 : -1;
        case 'd': return empty >= 5 ? empty - 5 : -1;
        case 'l': return empty % 5 < 4 ? empty + 1 : -1;
        case 'r': return empty % 5 > 0 ? empty - 1 : -1;
        default: return empty != CENTRE ? CENTRE : -1;  // t
    }
}

// The fewest moves that take the tile from its spot to the goal and touch no fixed spot, by a breadth-first search over
// pairs of the tile's spot and the empty spot.
std::optional<std::string> shortest(int tile, int empty, int goal, const std::array<bool, SPOTS>& fixed) {
    const int start = tile * SPOTS + empty;
    std::array<std::pair<int, char>, SPOTS * SPOTS> reached{};  // by which move, from which pair
    std::vector<int> queue{start};
    reached[start] = {start, '.'};
    for (std::size_t head = 0; head < queue.size(); head++) {
        const int pair = queue[head];
        tile = pair / SPOTS;
        empty = pair % SPOTS;
        if (tile == goal) {
            std::string moves;
            for (int at = pair; at != start; at = reached[at].first) moves += reached[at].second;
            std::reverse(moves.begin(), moves.end());
            return moves;
        }
        for (char move : {'u', 'd', 'l', 'r', 't'}) {
            const int from = source(empty, move);
            if (from < 0 || fixed[from]) continue;
            const int after = (from == tile ? empty : tile) * SPOTS + from;
            if (reached[after].second) continue;
            reached[after] = {pair, move};
            queue.push_back(after);
        }
    }
    return std::nullopt;
}

// The answer that places the tiles in this order; nothing if the order walls a tile in.
std::optional<std::string> solve(std::string board, const std::string& order) {
    std::array<bool, SPOTS> fixed{};
    std::string answer;
    for (char symbol : order) {
        int empty = board.find('+');
        const int goal = PATTERN.find(symbol);
        const auto moves = shortest(board.find(symbol), empty, goal, fixed);
        if (!moves) return std::nullopt;
        for (char move : *moves) {
            const int from = source(empty, move);
            std::swap(board[empty], board[from]);
            empty = from;
        }
        answer += *moves;
        fixed[goal] = true;
    }
    return answer + CLOSING;
}

// The 25 symbols of a board file; ends the program if there are others.
std::string read_board(const char* path) {
    std::ifstream file(path);
    if (!file) {
        std::cerr << "cannot read " << path << '\n';
        std::exit(2);
    }
    std::string board;
    for (auto at = std::istreambuf_iterator<char>(file); at != std::istreambuf_iterator<char>() && board.size() <= SPOTS; ++at)
        if (!std::isspace(static_cast<unsigned char>(*at))) board += *at;
    if (!std::is_permutation(board.begin(), board.end(), PERFECTION.begin(), PERFECTION.end())) {
        std::cerr << "invalid board in " << path << ": use A to X and + once each\n";
        std::exit(2);
    }
    return board;
}

int main(int argc, char** argv) {
    using clock = std::chrono::steady_clock;
    const auto begun = clock::now();
    if (argc != 2) {
        std::cerr << "give the path of a board file as the only argument\n";
        return 2;
    }
    std::signal(SIGTERM, [](int) { warned = 1; });
    const std::string board = read_board(argv[1]);

    // The limit counts from the start of the process to its end: leave time to start and to exit.
    const char* variable = std::getenv("JUDGE_LIMIT_MS");
    const double limit = variable ? std::atof(variable) : 10000;
    const auto deadline = begun + std::chrono::duration<double, std::milli>(limit - std::min(limit / 10 + 100, 2000.0));

    std::string order = ORDER;
    std::string best = *solve(board, order);
    const bool stream = std::getenv("JUDGE_STREAM") != nullptr;
    if (stream) std::cout << best << std::endl;
    std::mt19937 random(1);  // the same seed always, so that a run can be repeated
    while (!warned && clock::now() < deadline) {
        std::string changed = order;
        std::swap(changed[random() % changed.size()], changed[random() % changed.size()]);
        const auto answer = solve(board, changed);
        if (answer && answer->size() <= best.size()) {
            const bool shorter = answer->size() < best.size();
            best = *answer;
            order = changed;
            if (stream && shorter) std::cout << best << std::endl;
        }
    }
    std::cout << best << '\n';
}
