// Threads, futures, parallel work, files by std::filesystem, random numbers, exceptions.
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <future>
#include <iostream>
#include <map>
#include <mutex>
#include <random>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

int main(int count, char **arguments) {
    std::ifstream board(arguments[count - 1]);
    std::string line;
    if (!std::getline(board, line)) return 3;

    std::atomic<long> total = 0;
    std::mutex lock;
    std::condition_variable ready;
    bool go = false;
    std::vector<std::thread> threads;
    for (int part = 0; part < 4; part++) {
        threads.emplace_back([&, part] {
            std::unique_lock held(lock);
            ready.wait(held, [&] { return go; });
            held.unlock();
            for (int i = 0; i < 1000000; i++) total += i % (part + 3) == 0;
        });
    }
    {
        std::lock_guard held(lock);
        go = true;
    }
    ready.notify_all();
    for (auto &thread : threads) thread.join();
    auto later = std::async(std::launch::async, [] {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
        return 42;
    });
    std::random_device random;
    std::mt19937_64 generator(random());
    std::map<std::uint64_t, std::string> table;
    for (int i = 0; i < 100000; i++) table[generator()] = line;

    namespace fs = std::filesystem;
    auto folder = fs::temp_directory_path() / "busy";
    fs::create_directories(folder / "inner");
    std::ofstream(folder / "inner" / "file") << line;
    fs::rename(folder / "inner" / "file", folder / "file");
    if (fs::file_size(folder / "file") != line.size() || fs::space(folder).capacity == 0) return 3;
    for (auto &item : fs::recursive_directory_iterator(folder)) (void)item.last_write_time();
    fs::remove_all(folder);
    if (std::system("true") != 0) return 3;
    try {
        throw std::runtime_error(line);
    } catch (const std::exception &) {
        if (later.get() == 42 && total > 0) std::cout << "lluu" << std::endl;
    }
    return 0;
}
