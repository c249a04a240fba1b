#!/usr/bin/env python3
"""The load of results/office.md: viewers, boards, submissions and feeds at `judge serve`, and what it costs an entry.

    load.py JUDGE                        ten minutes of load; prints what was seen beside each goal
    load.py JUDGE --minutes 1 --viewers 200 --boards 100 --submissions 60
    load.py JUDGE --entry                processor time of an entry with that load and without, in turn

Python 3.9 or later and Linux, no packages. The contest is made in a temporary folder, which is deleted.
"""

import argparse
import asyncio
import base64
import json
import os
import re
import resource
import signal
import statistics
import subprocess
import sys
import tempfile
import time

TEAMS = 20
FEEDS = 3
BOARD_CONNECTIONS = 32
OFFICE = '\n[office]\nlimit = { waiting = "unlimited" }\n'
# Counts in one thread without system calls, so that its processor time is that of its instructions.
COUNTING = "int puts(const char*);\nint main(void) { for (volatile unsigned long i = 0; i < %dUL; i++) {} puts(\"%s\"); }\n"


class Site:
    """A running judge serve with teams."""

    def __init__(self, judge, folder):
        self.judge, self.folder = judge, folder
        self.contest = os.path.join(folder, "club")

    def run(self, *arguments):
        return subprocess.run([self.judge, *arguments], cwd=self.folder, check=True, capture_output=True, text=True).stdout

    def start(self, options=("--proxy", "127.0.0.1"), before=()):
        """Begins a contest and its site. `before` are the words before the command."""
        self.run("init", "club")
        with open(os.path.join(self.contest, "contest.toml"), "a") as file:
            file.write(OFFICE)
        added = self.run("team", "add", "club", *[f"t{team}" for team in range(TEAMS)])
        # A line has the name of a team and its link, which ends with the token.
        self.teams = [(name, link.rsplit("#", 1)[1]) for name, link in map(str.split, added.splitlines())]
        self.log = open(os.path.join(self.folder, "access.log"), "w")
        # Behind a proxy, which may have any number of connections, unless the options say otherwise.
        command = [*before, self.judge, "serve", "club", "--listen", "127.0.0.1:0", *options]
        self.process = subprocess.Popen(command, cwd=self.folder, stdout=subprocess.PIPE, stderr=self.log, text=True)
        self.port = int(self.process.stdout.readline().rsplit(":", 1)[1])
        self.organiser = self.process.stdout.readline().strip().split("#", 1)[1]
        self.journal = os.path.join(self.contest, "results", "journal.jsonl")

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(60)

    def memory(self):
        """What is resident, and the most that was, in MB."""
        with open(f"/proc/{self.process.pid}/status") as file:
            text = file.read()
        return [int(re.search(rf"{name}:\s+(\d+)", text).group(1)) * 1024 / 1e6 for name in ("VmRSS", "VmHWM")]

    def processor_seconds(self):
        with open(f"/proc/{self.process.pid}/stat") as file:
            fields = file.read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    async def connect(self):
        return await asyncio.open_connection("127.0.0.1", self.port, limit=1 << 24)

    def head(self, method, path, headers="", length=None):
        body = "" if length is None else f"Content-Length: {length}\r\n"
        return f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\n{headers}{body}\r\n".encode()


def basic(name, token):
    return "Authorization: Basic " + base64.b64encode(f"{name}:{token}".encode()).decode() + "\r\n"


async def answer(reader):
    """The code, the head and the body of an answer with a length."""
    head = (await reader.readuntil(b"\r\n\r\n")).decode()
    length = re.search(r"(?im)^content-length: (\d+)", head)
    body = await reader.readexactly(int(length.group(1))) if length else b""
    return int(head.split(" ", 2)[1]), head, body


async def lines_of(reader):
    """The lines of an endless answer in chunks."""
    await reader.readuntil(b"\r\n\r\n")
    rest = b""
    while True:
        size = int(await reader.readline(), 16)
        if size == 0:
            return
        rest += await reader.readexactly(size)
        await reader.readexactly(2)
        *lines, rest = rest.split(b"\n")
        for line in lines:
            yield line


class Seen:
    """What was measured."""

    def __init__(self):
        self.boards, self.accepted, self.refused, self.numbers = [], [], 0, set()
        self.last, self.reconnected = {}, 0
        self.ended = [{} for _ in range(FEEDS)]
        self.verdicts, self.memory = {}, []


async def viewer(site, seen, number):
    reader, writer = await site.connect()
    writer.write(site.head("GET", "/live"))
    try:
        async for line in lines_of(reader):
            if line.startswith(b"id: "):
                seen.last[number] = line
    except (asyncio.IncompleteReadError, ConnectionError):
        seen.reconnected += 1


async def boards(site, seen, each, until, phase):
    """Asks at fixed moments, also if the answer before is late: waiting counts."""
    reader, writer = await site.connect()
    due = time.monotonic() + phase
    while due < until:
        await asyncio.sleep(max(0, due - time.monotonic()))
        writer.write(site.head("GET", "/board"))
        code, _, _ = await answer(reader)
        assert code == 200, code
        seen.boards.append(time.monotonic() - due)
        due += each
    writer.close()


def form(text):
    head = '--b\r\nContent-Disposition: form-data; name="code[]"; filename="solve.sh"\r\n\r\n'
    return f"{head}{text}\r\n--b--\r\n".encode()


async def submit(site, team, token, body):
    reader, writer = await site.connect()
    headers = basic(team, token) + "Content-Type: multipart/form-data; boundary=b\r\nConnection: close\r\n"
    writer.write(site.head("POST", "/api/contests/club/submissions", headers, len(body)) + body)
    code, _, body = await answer(reader)
    writer.close()
    return code, body


async def submissions(site, seen, each, until):
    number, due, waiting = 0, time.monotonic(), set()

    async def one(number):
        begun = time.monotonic()
        moves = "ABCDEFGHIJKLMNOPQRSTUVWX"[number % 24]
        code, body = await submit(site, *site.teams[number % TEAMS], form(f"#!/bin/sh\n# {number}\necho {moves}\n"))
        if code == 200:
            seen.accepted.append(time.monotonic() - begun)
            seen.numbers.add(json.loads(body)["id"])
        else:
            seen.refused += 1

    while due < until:
        await asyncio.sleep(max(0, due - time.monotonic()))
        task = asyncio.create_task(one(number))
        waiting.add(task)
        task.add_done_callback(waiting.discard)
        number, due = number + 1, due + each
    await asyncio.gather(*waiting)


async def feed(site, seen, which):
    reader, writer = await site.connect()
    writer.write(site.head("GET", "/api/contests/club/event-feed", basic("organiser", site.organiser)))
    async for line in lines_of(reader):
        if not line.strip():
            continue
        event = json.loads(line)
        if event["type"] == "judgements" and event["data"] and event["data"]["end_time"]:
            seen.ended[which].setdefault(event["data"]["submission_id"], time.monotonic())


async def watch(site, seen):
    """Notes when the last verdict of each submission is in the journal, and the memory."""
    position, rest = 0, b""
    while True:
        if os.path.exists(site.journal):
            with open(site.journal, "rb") as file:
                file.seek(position)
                new = file.read()
            position += len(new)
            *lines, rest = (rest + new).split(b"\n")
            for line in lines:
                if line.startswith(b'{"line":"run"'):
                    entry = json.loads(line)["entry"]
                    if "." in entry:
                        seen.verdicts[entry.rsplit(".", 1)[1]] = time.monotonic()
        seen.memory.append(site.memory()[0])
        await asyncio.sleep(0.05)


def percentile(values, part):
    values = sorted(values)
    return values[min(len(values) - 1, int(len(values) * part))] if values else float("nan")


def burdens(site, seen, options, until):
    """The tasks of the load without its submissions."""
    tasks = [viewer(site, seen, number) for number in range(options.viewers)]
    each = BOARD_CONNECTIONS / options.boards
    tasks += [boards(site, seen, each, until, each * one / BOARD_CONNECTIONS) for one in range(BOARD_CONNECTIONS)]
    return tasks


async def load(site, options):
    seen = Seen()
    until = time.monotonic() + options.minutes * 60
    tasks = [asyncio.create_task(task) for task in burdens(site, seen, options, until)]
    tasks += [asyncio.create_task(feed(site, seen, which)) for which in range(FEEDS)]
    tasks.append(asyncio.create_task(watch(site, seen)))
    before = site.processor_seconds()
    await submissions(site, seen, 60 / options.submissions, until)
    patience = time.monotonic() + 600
    while any(len(ended) < len(seen.numbers) for ended in seen.ended) and time.monotonic() < patience:
        await asyncio.sleep(0.2)
    # The last board reaches everybody within a second.
    await asyncio.sleep(3)
    spent = site.processor_seconds() - before
    for task in tasks:
        task.cancel()
    failed = [one for one in await asyncio.gather(*tasks, return_exceptions=True) if isinstance(one, Exception)]
    lags = [ended[number] - seen.verdicts[number] for ended in seen.ended for number in ended if number in seen.verdicts]
    ms = lambda seconds: f"{seconds * 1000:.0f} ms"
    rows = [
        ("board, 99 % within", "50 ms", ms(percentile(seen.boards, 0.99)), f"median {ms(percentile(seen.boards, 0.5))}"),
        ("accepted, 99 % within", "500 ms", ms(percentile(seen.accepted, 0.99)), f"median {ms(percentile(seen.accepted, 0.5))}"),
        ("event after the verdict, at most", "2 s", ms(max(lags, default=float("nan"))), f"median {ms(percentile(lags, 0.5))}"),
        ("memory, at most", "256 MB", f"{site.memory()[1]:.0f} MB", f"{seen.memory[-1]:.0f} MB at the end"),
        ("boards", "", str(len(seen.boards)), f"{len(seen.numbers)} submissions, {seen.refused} refused"),
        ("viewers with the same last board", str(options.viewers), str(len(seen.last)), f"{len(set(seen.last.values()))} board"),
        ("judgements in each feed", str(len(seen.numbers)), str([len(ended) for ended in seen.ended]), f"{seen.reconnected} viewers lost"),
        ("processor time of the site", "", f"{spent:.0f} s", f"load average {os.getloadavg()[0]:.0f}"),
    ]
    print("| what | goal | seen | |\n| --- | --- | --- | --- |")
    for row in rows:
        print("| " + " | ".join(row) + " |")
    for one in failed:
        print(f"failed: {one!r}", file=sys.stderr)
    return 1 if failed else 0


async def entry(site, options):
    """Processor time of an entry that counts, in blocks with the load and without it."""
    times = {False: [], True: []}
    suspect = {False: 0, True: 0}
    number = 0
    for block in range(2 * options.blocks):
        loaded = block % 2 == 1
        seen, tasks = Seen(), []
        if loaded:
            tasks = [asyncio.create_task(task) for task in burdens(site, seen, options, time.monotonic() + 3600)]
            await asyncio.sleep(3)
        for _ in range(options.runs):
            number += 1
            text = COUNTING % (options.count, "A" * (number % 7 + 1)) + f"/* {number} */\n"
            body = form(text).replace(b"solve.sh", b"solve.c")
            code, answered = await submit(site, *site.teams[0], body)
            assert code == 200, answered
            name = f"t0.{json.loads(answered)['id']}"
            while True:
                with open(site.journal) as file:
                    runs = [json.loads(line) for line in file if f'"entry":"{name}"' in line and '"line":"run"' in line]
                if len(runs) == 2:
                    break
                await asyncio.sleep(0.2)
            times[loaded] += [run["cpu_us"] / 1000 for run in runs]
            suspect[loaded] += sum("suspect" in run for run in runs)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    medians = {loaded: statistics.median(values) for loaded, values in times.items()}
    for loaded, values in times.items():
        kind = "with the load" if loaded else "without"
        print(f"{kind}: {len(values)} runs, median {medians[loaded]:.1f} ms, least {min(values):.1f} ms, {suspect[loaded]} suspect")
    print(f"apart: {abs(medians[True] / medians[False] - 1) * 100:.2f} % (goal: less than 1 %, none suspect)")
    return 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("judge")
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--viewers", type=int, default=1000)
    parser.add_argument("--boards", type=int, default=300, help="per second")
    parser.add_argument("--submissions", type=int, default=200, help="per minute")
    parser.add_argument("--entry", action="store_true")
    parser.add_argument("--blocks", type=int, default=6)
    parser.add_argument("--runs", type=int, default=4)
    parser.add_argument("--count", type=int, default=1_200_000_000)
    options = parser.parse_args()
    limit = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (limit, limit))
    with tempfile.TemporaryDirectory() as folder:
        site = Site(os.path.abspath(options.judge), folder)
        site.start()
        try:
            return asyncio.run((entry if options.entry else load)(site, options))
        finally:
            site.stop()


if __name__ == "__main__":
    sys.exit(main())
