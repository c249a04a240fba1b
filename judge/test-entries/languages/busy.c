/* Threads, fork and exec, pipes, timers, memory in every way, polling. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/sysinfo.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static volatile sig_atomic_t alarms;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long total;

static void on_alarm(int number) { (void)number; alarms++; }

static void check(int holds, const char *what) {
    if (!holds) {
        perror(what);
        exit(3);
    }
}

static void *work(void *part) {
    long sum = 0;
    for (long i = 0; i < 1000000; i++) sum += i % ((long)part + 3);
    pthread_mutex_lock(&lock);
    total += sum;
    pthread_mutex_unlock(&lock);
    usleep(1000);
    return NULL;
}

int main(int count, char **arguments) {
    FILE *board = fopen(arguments[count - 1], "r");
    check(board != NULL, "board");
    char line[256];
    check(fgets(line, sizeof line, board) != NULL, "line");
    fseek(board, 0, SEEK_SET);
    fclose(board);

    pthread_t threads[4];
    for (long i = 0; i < 4; i++) check(pthread_create(&threads[i], NULL, work, (void *)i) == 0, "thread");
    for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);

    struct sigaction action = {.sa_handler = on_alarm};
    sigaction(SIGALRM, &action, NULL);
    struct itimerval soon = {.it_value = {.tv_usec = 1000}};
    check(setitimer(ITIMER_REAL, &soon, NULL) == 0, "timer");
    while (!alarms) nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    timer_t timer;
    check(timer_create(CLOCK_MONOTONIC, NULL, &timer) == 0, "timer");
    struct itimerspec later = {.it_value = {.tv_nsec = 1000000}};
    check(timer_settime(timer, 0, &later, NULL) == 0, "timer");
    while (alarms < 2) clock_nanosleep(CLOCK_MONOTONIC, 0, &(struct timespec){.tv_nsec = 1000000}, NULL);
    timer_delete(timer);

    int events = epoll_create1(EPOLL_CLOEXEC), event = eventfd(0, EFD_CLOEXEC), clock = timerfd_create(CLOCK_MONOTONIC, 0);
    check(events >= 0 && event >= 0 && clock >= 0, "events");
    timerfd_settime(clock, 0, &later, NULL);
    struct epoll_event wanted = {.events = EPOLLIN, .data.fd = clock}, got;
    check(epoll_ctl(events, EPOLL_CTL_ADD, clock, &wanted) == 0, "epoll");
    check(epoll_wait(events, &got, 1, 1000) == 1, "epoll");

    /* Memory that a child shares, and memory that grows and goes. */
    long *shared = mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    check(shared != MAP_FAILED, "mmap");
    char *grown = mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    grown = mremap(grown, 1 << 20, 1 << 21, MREMAP_MAYMOVE);
    check(grown != MAP_FAILED, "mremap");
    madvise(grown, 1 << 21, MADV_DONTNEED);
    mprotect(grown, 1 << 20, PROT_READ);
    munmap(grown, 1 << 21);
    char *heap = malloc(64 << 20);
    memset(heap, 1, 64 << 20);
    free(heap);

    int pipes[2];
    check(pipe(pipes) == 0, "pipe");
    pid_t child = fork();
    check(child >= 0, "fork");
    if (child == 0) {
        shared[0] = 42;
        dup2(pipes[1], 1);
        execlp("echo", "echo", "child", NULL);
        _exit(1);
    }
    close(pipes[1]);
    struct pollfd readable = {.fd = pipes[0], .events = POLLIN};
    poll(&readable, 1, 1000);
    check(read(pipes[0], line, sizeof line) > 0, "read");
    int status;
    struct rusage used;
    check(wait4(child, &status, 0, &used) == child && status == 0 && shared[0] == 42, "child");
    FILE *piped = popen("true", "r");
    check(piped != NULL && pclose(piped) == 0, "popen");

    char name[4096];
    snprintf(name, sizeof name, "%s/busy-XXXXXX", getenv("TMPDIR"));
    int file = mkstemp(name);
    check(file >= 0, "mkstemp");
    check(ftruncate(file, 4096) == 0 && pwrite(file, "x", 1, 10) == 1, "file");
    struct stat information;
    check(stat(name, &information) == 0 && information.st_size == 4096, "stat");
    posix_fallocate(file, 0, 8192);
    posix_fadvise(file, 0, 0, POSIX_FADV_SEQUENTIAL);
    fsync(file);
    unlink(name);
    close(file);

    cpu_set_t processors;
    check(sched_getaffinity(0, sizeof processors, &processors) == 0, "processors");
    struct rlimit limit;
    getrlimit(RLIMIT_STACK, &limit);
    limit.rlim_cur = limit.rlim_max;
    check(setrlimit(RLIMIT_STACK, &limit) == 0, "setrlimit");
    getrusage(RUSAGE_SELF, &used);
    struct sysinfo machine;
    sysinfo(&machine);
    nice(1);
    unsigned char random[16];
    check(getentropy(random, sizeof random) == 0, "random");
    check(total != 0, "work");
    puts("lluu");
    return 0;
}
