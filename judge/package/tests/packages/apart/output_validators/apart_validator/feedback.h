#include <cstdio>

inline int reject(const char *feedback, const char *reason)
{
    char path[4096];
    std::snprintf(path, sizeof path, "%sjudgemessage.txt", feedback);
    std::FILE *file = std::fopen(path, "w");
    if (!file)
        return 1;
    std::fprintf(file, "%s\n", reason);
    std::fclose(file);
    return 43;
}
