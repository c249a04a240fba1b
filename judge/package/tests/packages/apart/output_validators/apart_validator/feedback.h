#include <fstream>
#include <string>

inline int reject(const std::string &feedback, const std::string &reason)
{
    std::ofstream(feedback + "judgemessage.txt") << reason << '\n';
    return 43;
}
