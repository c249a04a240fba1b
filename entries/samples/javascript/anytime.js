#!/usr/bin/env node
// An anytime sample entry for Loyd's Dilemma for Node.js: it has an answer at once and improves it while there is time.
//
// Called as `anytime.js BOARD_FILE`; prints its moves on one line. It needs only Node.js.
//
// The judge stops the clock when the program exits, and an answer counts only if it exits before the limit. So:
//   1. find any answer;
//   2. look for a shorter one, again and again, until the time is nearly up;
//   3. print the best one, and exit.
// A contest with a grace period sends SIGTERM at the limit; then 3 follows as well. Node.js runs a signal's handler only
// between two tasks, so step 2 is cut into short tasks.
// A contest that takes a stream of answers sets JUDGE_STREAM. Then each better answer is printed at once, and the
// last one counts even if the limit ends the program.
//
// An answer places one tile after the other, each by the fewest moves that disturb no placed tile. Step 2 changes the
// order at random and keeps a change that does not make the answer longer.
"use strict";

const fs = require("fs");

const PERFECTION = "ABCDEFGHIJKLMNOPQRSTUVWX+";
const PATTERN = "ABCDEFGHIJKL+MNPQRSOUVWXT"; // four moves before perfection
const CLOSING = "lluu";
const ORDER = "AEUTBDFJOPVXCKNWGHILMQRS"; // from the border inwards; walls no tile in
const CENTRE = 12;

/** The spot of the tile that a move takes to the empty spot; -1 if the move is illegal. */
function source(empty, move) {
  switch (move) {
    case "u": return empty < 20 ? empty + 5 : -1;
    case "d": return empty > 4 ? empty - 5 : -1;
    case "l": return empty % 5 < 4 ? empty + 1 : -1;
    case "r": return empty % 5 > 0 ? empty - 1 : -1;
    default: return empty !== CENTRE ? CENTRE : -1; // t
  }
}

/**
 * The fewest moves that take the tile from its spot to the goal and touch no fixed spot; null if there are none.
 * A breadth-first search over pairs of the tile's spot and the empty spot.
 */
function shortest(tile, empty, goal, fixed) {
  const start = tile * 25 + empty;
  const reached = new Map([[start, null]]);
  const queue = [start];
  for (const pair of queue) {
    tile = Math.floor(pair / 25);
    empty = pair % 25;
    if (tile === goal) {
      let moves = "";
      for (let step = reached.get(pair); step; step = reached.get(step.before)) moves = step.move + moves;
      return moves;
    }
    for (const move of "udlrt") {
      const from = source(empty, move);
      if (from < 0 || fixed.has(from)) continue;
      const after = (from === tile ? empty : tile) * 25 + from;
      if (reached.has(after)) continue;
      reached.set(after, { before: pair, move });
      queue.push(after);
    }
  }
  return null;
}

/** The answer that places the tiles in this order; null if the order walls a tile in. */
function solve(start, order) {
  const board = [...start];
  const fixed = new Set();
  let answer = "";
  for (const symbol of order) {
    let empty = board.indexOf("+");
    const goal = PATTERN.indexOf(symbol);
    const moves = shortest(board.indexOf(symbol), empty, goal, fixed);
    if (moves === null) return null;
    for (const move of moves) {
      const from = source(empty, move);
      board[empty] = board[from];
      board[from] = "+";
      empty = from;
    }
    answer += moves;
    fixed.add(goal);
  }
  return answer + CLOSING;
}

/** Random numbers from a seed, by xorshift: Math.random has no seed. */
function randomNumbers(state) {
  return (bound) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % bound;
  };
}

function fail(message) {
  process.stderr.write(message + "\n");
  process.exit(2);
}

function main() {
  if (process.argv.length !== 3) fail("give the path of a board file as the only argument");
  const path = process.argv[2];
  let board;
  try {
    board = fs.readFileSync(path, "utf8").replace(/\s/g, "");
  } catch (error) {
    fail(`cannot read ${path}: ${error.message}`);
  }
  if ([...board].sort().join("") !== [...PERFECTION].sort().join("")) {
    fail(`invalid board in ${path}: use A to X and + once each`);
  }

  // The limit counts from the start of the process to its end: leave time to start and to exit.
  const limit = Number(process.env.JUDGE_LIMIT_MS || 10000);
  const deadline = limit - Math.min(limit / 10 + 100, 2000);

  let order = [...ORDER];
  let best = solve(board, order);
  const stream = "JUDGE_STREAM" in process.env;
  if (stream) fs.writeSync(1, best + "\n");
  const below = randomNumbers(1); // the same seed always, so that a run can be repeated
  let warned = false;
  process.on("SIGTERM", () => { warned = true; });

  function improve() {
    for (let turn = 0; turn < 10; turn++) {
      const changed = order.slice();
      const [a, b] = [below(order.length), below(order.length)];
      [changed[a], changed[b]] = [changed[b], changed[a]];
      const answer = solve(board, changed);
      if (answer === null || answer.length > best.length) continue;
      if (stream && answer.length < best.length) fs.writeSync(1, answer + "\n");
      [best, order] = [answer, changed];
    }
    // performance.now() counts from the start of the process.
    if (warned || performance.now() > deadline) {
      process.stdout.write(best + "\n", () => process.exit(0));
    } else {
      setImmediate(improve);
    }
  }
  improve();
}

main();
