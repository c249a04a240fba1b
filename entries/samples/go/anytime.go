// An anytime sample entry for Loyd's Dilemma in Go: it has an answer at once and improves it while there is time.
//
// Called as `anytime BOARD_FILE`; prints its moves on one line. Build: go build -o anytime anytime.go
//
// The judge stops the clock when the program exits, and an answer counts only if it exits before the limit. So:
//  1. find any answer;
//  2. look for a shorter one, again and again, until the time is nearly up;
//  3. print the best one, and exit.
//
// A contest with a grace period sends SIGTERM at the limit; then 3 follows as well.
// A contest that takes a stream of answers sets JUDGE_STREAM. Then each better answer is printed at once, and the
// last one counts even if the limit ends the program.
//
// An answer places one tile after the other, each by the fewest moves that disturb no placed tile. Step 2 changes the
// order at random and keeps a change that does not make the answer longer.
package main

import (
	"bytes"
	"fmt"
	"math/rand"
	"os"
	"os/signal"
	"sort"
	"strconv"
	"strings"
	"syscall"
	"time"
)

const (
	spots      = 25
	centre     = 12
	perfection = "ABCDEFGHIJKLMNOPQRSTUVWX+"
	pattern    = "ABCDEFGHIJKL+MNPQRSOUVWXT" // four moves before perfection
	closing    = "lluu"
	firstOrder = "AEUTBDFJOPVXCKNWGHILMQRS" // from the border inwards; walls no tile in
)

// source returns the spot of the tile that a move takes to the empty spot; -1 if the move is illegal.
func source(empty int, move byte) int {
	switch {
	case move == 'u' && empty < 20:
		return empty + 5
	case move == 'd' && empty > 4:
		return empty - 5
	case move == 'l' && empty%5 < 4:
		return empty + 1
	case move == 'r' && empty%5 > 0:
		return empty - 1
	case move == 't' && empty != centre:
		return centre
	}
	return -1
}

// shortest returns the fewest moves that take the tile from its spot to the goal and touch no fixed spot, by a
// breadth-first search over pairs of the tile's spot and the empty spot.
func shortest(tile, empty, goal int, fixed *[spots]bool) ([]byte, bool) {
	var before [spots * spots]int
	var by [spots * spots]byte
	start := tile*spots + empty
	by[start] = '.'
	queue := []int{start}
	for head := 0; head < len(queue); head++ {
		pair := queue[head]
		tile, empty = pair/spots, pair%spots
		if tile == goal {
			var moves []byte
			for at := pair; at != start; at = before[at] {
				moves = append(moves, by[at])
			}
			for i, j := 0, len(moves)-1; i < j; i, j = i+1, j-1 {
				moves[i], moves[j] = moves[j], moves[i]
			}
			return moves, true
		}
		for _, move := range []byte("udlrt") {
			from := source(empty, move)
			if from < 0 || fixed[from] {
				continue
			}
			after := tile*spots + from
			if from == tile {
				after = empty*spots + from
			}
			if by[after] == 0 {
				by[after], before[after] = move, pair
				queue = append(queue, after)
			}
		}
	}
	return nil, false
}

// solve returns the answer that places the tiles in this order; false if the order walls a tile in.
func solve(start string, order []byte) (string, bool) {
	board := []byte(start)
	var fixed [spots]bool
	var answer []byte
	for _, symbol := range order {
		empty := bytes.IndexByte(board, '+')
		goal := strings.IndexByte(pattern, symbol)
		moves, possible := shortest(bytes.IndexByte(board, symbol), empty, goal, &fixed)
		if !possible {
			return "", false
		}
		for _, move := range moves {
			from := source(empty, move)
			board[empty], board[from] = board[from], '+'
			empty = from
		}
		answer = append(answer, moves...)
		fixed[goal] = true
	}
	return string(answer) + closing, true
}

func sorted(text string) string {
	symbols := strings.Split(text, "")
	sort.Strings(symbols)
	return strings.Join(symbols, "")
}

func fail(message string) {
	fmt.Fprintln(os.Stderr, message)
	os.Exit(2)
}

func main() {
	begun := time.Now()
	if len(os.Args) != 2 {
		fail("give the path of a board file as the only argument")
	}
	text, err := os.ReadFile(os.Args[1])
	if err != nil {
		fail("cannot read the board: " + err.Error())
	}
	board := strings.Join(strings.Fields(string(text)), "")
	if sorted(board) != sorted(perfection) {
		fail("invalid board in " + os.Args[1] + ": use A to X and + once each")
	}

	// The limit counts from the start of the process to its end: leave time to start and to exit.
	limit, err := strconv.Atoi(os.Getenv("JUDGE_LIMIT_MS"))
	if err != nil {
		limit = 10000
	}
	margin := limit/10 + 100
	if margin > 2000 {
		margin = 2000
	}
	deadline := begun.Add(time.Duration(limit-margin) * time.Millisecond)

	warned := make(chan os.Signal, 1)
	signal.Notify(warned, syscall.SIGTERM)

	order := []byte(firstOrder)
	best, _ := solve(board, order)
	_, stream := os.LookupEnv("JUDGE_STREAM")
	if stream {
		fmt.Println(best)
	}
	random := rand.New(rand.NewSource(1)) // the same seed always, so that a run can be repeated
	for len(warned) == 0 && time.Now().Before(deadline) {
		changed := append([]byte(nil), order...)
		a, b := random.Intn(len(order)), random.Intn(len(order))
		changed[a], changed[b] = changed[b], changed[a]
		if answer, possible := solve(board, changed); possible && len(answer) <= len(best) {
			if stream && len(answer) < len(best) {
				fmt.Println(answer)
			}
			best, order = answer, changed
		}
	}
	fmt.Println(best)
}
