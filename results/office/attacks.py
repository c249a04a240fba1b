#!/usr/bin/env python3
"""The attacks of results/office.md on `judge serve`: each on a contest of its own in a temporary folder.

    attacks.py JUDGE                 all of them, as a table
    attacks.py JUDGE flood disk      some of them: disk, half, descriptors, flood

`disk` mounts a file system of 200 MiB, so it needs root. Python 3.9 or later and Linux, no packages.
"""

import http.client
import json
import os
import resource
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time

from load import COUNTING, Site, basic

PATIENCE = 120


def request(site, method, path, headers=None, body=None):
    """The code and the text of an answer."""
    connection = http.client.HTTPConnection("127.0.0.1", site.port, timeout=PATIENCE)
    try:
        connection.request(method, path, body, headers or {})
        answer = connection.getresponse()
        return answer.status, answer.read().decode(errors="replace")
    finally:
        connection.close()


def authorised(name, token):
    key, value = basic(name, token).strip().split(": ", 1)
    return {key: value}


def submit(site, team, text, name="main.c"):
    """Hands a program in by the Contest API; the code and the answer."""
    form = f'--b\r\nContent-Disposition: form-data; name="code[]"; filename="{name}"\r\n\r\n{text}\r\n--b--\r\n'
    headers = {**authorised(*site.teams[team]), "Content-Type": "multipart/form-data; boundary=b"}
    return request(site, "POST", "/api/contests/club/submissions", headers, form.encode())


def judgements(site):
    """The judgements by the number of the submission, as the organiser sees them."""
    _, text = request(site, "GET", "/api/contests/club/judgements", authorised("organiser", site.organiser))
    return {one["submission_id"]: one for one in json.loads(text)}


def until(condition, what):
    begun = time.monotonic()
    while not condition():
        if time.monotonic() - begun > PATIENCE:
            sys.exit(f"{what} did not happen in {PATIENCE} s")
        time.sleep(0.1)
    return time.monotonic() - begun


def judged(site, number):
    return lambda: judgements(site).get(str(number), {}).get("end_time") is not None


def number_of(answer):
    code, text = answer
    assert code == 200, f"{code}: {text}"
    return int(json.loads(text)["id"])


def boards(site, times):
    """How long boards took, the slowest of 100 left out, in milliseconds."""
    took = []
    for _ in range(times):
        begun = time.monotonic()
        assert request(site, "GET", "/board")[0] == 200
        took.append(1000 * (time.monotonic() - begun))
    return sorted(took)[int(0.99 * (times - 1))]


def program(number):
    """A program that no other one equals."""
    return COUNTING % (1000, f"u{number}")


def disk(judge, folder):
    """Fills the disk to the last byte."""
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=200m", "attacks", folder], check=True)
    site = Site(judge, folder)
    try:
        site.start()
        until(judged(site, number_of(submit(site, 0, program(0)))), "the first judgement")
        filler = os.path.join(folder, "filler")
        subprocess.run(["dd", "if=/dev/zero", f"of={filler}", "bs=1M"], capture_output=True)
        refused, why = submit(site, 1, program(1))
        ready, reason = request(site, "GET", "/readyz")
        shown, _ = request(site, "GET", "/board")
        os.remove(filler)
        last = number_of(submit(site, 1, program(2)))
        until(judged(site, last), "the judgement after the disk has room")
        site.stop()
        verified = subprocess.run([judge, "verify", "club/results"], cwd=folder, capture_output=True, text=True)
        yield f"a submission: {refused}, `{json.loads(why)['message']}`"
        yield f"`/readyz`: {ready}, `{reason.strip()}`; `/board`: {shown}"
        yield f"with room again, submission {last} is judged; `judge verify`: exit {verified.returncode}"
    finally:
        site.process.kill()
        site.log.close()
        subprocess.run(["umount", "--lazy", folder], check=True)


def half(judge, folder):
    """500 connections with half a request each, from ten addresses."""
    site = Site(judge, folder)
    site.start(options=())
    try:
        quiet = boards(site, 200)
        waiting = []
        for number in range(500):
            connection = socket.socket()
            connection.bind((f"127.0.0.{2 + number % 10}", 0))
            connection.connect(("127.0.0.1", site.port))
            connection.sendall(b"GET / HTTP/1.1\r\nHost: 127")
            connection.setblocking(False)
            waiting.append(connection)
        begun = time.monotonic()
        loaded = boards(site, 200)
        until(judged(site, number_of(submit(site, 0, program(0)))), "a judgement meanwhile")

        def is_closed(connection):
            try:
                return connection.recv(1 << 16) == b""
            except BlockingIOError:
                return False
            except ConnectionError:
                return True

        def ended():
            waiting[:] = [connection for connection in waiting if not is_closed(connection)]
            return not waiting

        until(ended, "the end of the connections")
        closed = time.monotonic() - begun
        yield f"boards, 99 % within {loaded:.0f} ms, before {quiet:.0f} ms; a submission is judged meanwhile"
        yield f"all 500 are closed after {closed:.0f} s"
    finally:
        site.stop()


def descriptors(judge, folder):
    """At most 256 descriptors, and 350 connections that do nothing."""
    site = Site(judge, folder)
    site.start(before=("prlimit", "--nofile=256:256"))
    try:
        open_ones, refused = [], 0
        for _ in range(350):
            connection = socket.create_connection(("127.0.0.1", site.port), timeout=PATIENCE)
            open_ones.append(connection)
        time.sleep(1)
        for connection in open_ones:
            connection.setblocking(False)
            try:
                refused += connection.recv(1) == b""
            except ConnectionError:
                refused += 1
            except BlockingIOError:
                pass
        # The site closes what sends no head in time, and a submission gets in then.
        while True:
            try:
                last = number_of(submit(site, 0, program(0)))
                break
            except (ConnectionError, http.client.HTTPException):
                time.sleep(0.5)
        until(judged(site, last), "the judgement")
        yield f"{refused} of 350 connections are refused; a submission gets in and is judged"
        yield f"the site runs on: `/readyz` is {request(site, 'GET', '/readyz')[0]}"
    finally:
        site.stop()
    verified = subprocess.run([judge, "verify", "club/results"], cwd=folder, capture_output=True, text=True)
    yield f"`judge verify`: exit {verified.returncode}"


# Waits without a processor, so that many run at a time on few processors.
WAITING = "#!/bin/sh\n# %s\nsleep 0.3\necho\n"


class Journal(threading.Thread):
    """Follows the journal: when each line was seen."""

    def __init__(self, path):
        super().__init__(daemon=True)
        self.path, self.seen, self.goes_on = path, [], True

    def run(self):
        rest = ""
        while self.goes_on:
            if os.path.exists(self.path):
                break
            time.sleep(0.002)
        with open(self.path) as file:
            while self.goes_on:
                text = file.read()
                if not text:
                    time.sleep(0.002)
                    continue
                *lines, rest = (rest + text).split("\n")
                now = time.monotonic()
                self.seen += [(now, json.loads(line)) for line in lines]


def starts(judge, folder, floods, jobs, text, name):
    """Nine teams hand in one program each, after one team has handed in so many. Of each of the nine: the seconds from its arrival to
    the start of its first run, and its own cost, which is that of its build and its runs; and the runs of the flood between the arrival of the
    first and the start of the last."""
    os.makedirs(folder)
    site = Site(judge, folder)
    site.start(options=("--jobs", str(jobs)))
    try:
        journal = Journal(site.journal)
        journal.start()
        flood = {number_of(submit(site, 0, text(f"u{number}"), name)) for number in range(floods)}
        arrived = {}
        for team in range(1, 10):
            begun = time.monotonic()
            arrived[number_of(submit(site, team, text(f"d{team}"), name))] = begun
        until(lambda: all(judged(site, number)() for number in arrived), "the judgements of the nine")
        journal.goes_on = False
        journal.join()
    finally:
        site.stop()
    started, cost, others = {}, dict.fromkeys(arrived, 0.0), []
    for seen, line in journal.seen:
        entries = [line["entry"]] if line.get("line", "run") == "run" and "wall_us" in line else line.get("entries", [])
        wall = (line.get("wall_us") or 0) / 1e6
        for entry in entries:
            number = int(entry.rsplit(".", 1)[1]) if "." in entry else 0
            if number in arrived:
                cost[number] += wall
                if "entry" in line:
                    started.setdefault(number, seen - wall)
            elif number in flood and "entry" in line:
                others.append(seen - wall)
    between = sum(min(arrived.values()) < moment < max(started.values()) for moment in others)
    return [(started[number] - arrived[number], cost[number]) for number in arrived], between


def flood(judge, folder):
    """One team hands in 40 programs of 0.3 s for two boards, then nine teams one each."""
    long = 150_000_000
    programs = {}

    def counting(mark):
        return COUNTING % (long + programs.setdefault(mark, len(programs)), "d")

    for jobs, text, name in ((1, counting, "main.c"), (10, lambda mark: WAITING % mark, "solve.sh")):
        alone, _ = starts(judge, os.path.join(folder, f"{jobs}-alone"), 0, jobs, text, name)
        flooded, between = starts(judge, os.path.join(folder, f"{jobs}-flooded"), 40, jobs, text, name)
        latest = [max(start for start, _ in one) for one in (alone, flooded)]
        ratio = max(start / cost for start, cost in flooded)
        later = max((late - early) / cost for (early, _), (late, cost) in zip(alone, flooded))
        cost = statistics.median(cost for _, cost in flooded)
        yield (f"{jobs} at a time: each of the nine costs {cost:.2f} s (median), and starts at most {latest[1]:.2f} s after it came, "
               f"without the flood {latest[0]:.2f} s; that is at most {ratio:.2f} times its own cost, and at most {later:.2f} times later than "
               f"without the flood; {between} runs of the flood start meanwhile")


ATTACKS = {attack.__name__: attack for attack in (disk, half, descriptors, flood)}


def main():
    judge, wanted = os.path.abspath(sys.argv[1]), sys.argv[2:] or list(ATTACKS)
    # 350 or 500 connections, and those of Python.
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(4096, hard), hard))
    print("| attack | seen |\n| --- | --- |")
    for name in wanted:
        with tempfile.TemporaryDirectory() as folder:
            seen = list(ATTACKS[name](judge, folder))
        text = ATTACKS[name].__doc__.rstrip(".")
        print(f"| `{name}`: {text[0].lower()}{text[1:]} | {'; '.join(seen)} |", flush=True)


if __name__ == "__main__":
    main()
