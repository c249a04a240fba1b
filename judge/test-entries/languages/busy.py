"""Threads, processes, an event loop, child programs, files, random numbers, extension modules."""

import array
import asyncio
import ctypes
import decimal
import glob
import hashlib
import json
import mmap
import multiprocessing
import os
import random
import resource
import secrets
import select
import signal
import subprocess
import sys
import tempfile
import threading
import time
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor


def part(number):
    return sum(i % (number + 3) for i in range(100_000))


def locks(fork):
    with ProcessPoolExecutor(2, mp_context=fork) as pool:
        assert len(list(pool.map(part, range(2)))) == 2
    with fork.Pool(2) as pool:
        assert len(pool.map(part, range(4))) == 4
    assert list(fork.Array("i", 10)) == [0] * 10


async def later():
    await asyncio.sleep(0.001)
    process = await asyncio.create_subprocess_exec("echo", "child", stdout=subprocess.PIPE)
    out, _ = await process.communicate()
    return await asyncio.get_running_loop().run_in_executor(None, lambda: out)


def main():
    with open(sys.argv[-1]) as board:
        text = board.read()
    threads = [threading.Thread(target=part, args=(number,)) for number in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with ThreadPoolExecutor(2) as pool:
        assert len(list(pool.map(part, range(2)))) == 2
    fork = multiprocessing.get_context("fork")
    here, there = fork.Pipe()
    child = fork.Process(target=there.send, args=([0] * 10,))
    child.start()
    assert here.recv() == [0] * 10
    child.join()
    try:
        locks(fork)
    except PermissionError:
        # Without a file system of its own an entry has no /dev/shm, where locks between processes are.
        pass
    assert asyncio.run(later()) == b"child\n"
    assert subprocess.run(["sh", "-c", "cat >/dev/null; exit 3"], input=b"x").returncode == 3
    assert os.popen("echo word").read() == "word\n"

    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "file")
        with open(path, "w") as file:
            json.dump({"board": text}, file)
        with open(path, "r+b") as file, mmap.mmap(file.fileno(), 0) as view:
            assert view[:1] == b"{"
        os.replace(path, path + ".new")
        assert glob.glob(folder + "/*") == [path + ".new"] and os.stat(folder).st_nlink
    with mmap.mmap(-1, 1 << 20) as view:
        view[0] = 1
    with tempfile.TemporaryFile() as file:
        file.write(b"x" * 100_000)
    signal.signal(signal.SIGALRM, lambda *_: None)
    signal.setitimer(signal.ITIMER_REAL, 0.001)
    time.sleep(0.005)
    select.select([], [], [], 0.001)
    resource.setrlimit(resource.RLIMIT_STACK, resource.getrlimit(resource.RLIMIT_STACK))
    random.seed()
    assert hashlib.sha256(secrets.token_bytes(8)).digest() and decimal.Decimal(2).sqrt()
    assert ctypes.CDLL(None).getpid() == os.getpid() and len(array.array("q", range(100_000))) == 100_000
    assert os.cpu_count() and os.sched_getaffinity(0) and os.getloadavg()
    print("lluu")


if __name__ == "__main__":
    main()
