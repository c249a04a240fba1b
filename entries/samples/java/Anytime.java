import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Random;

/**
 * An anytime sample entry for Loyd's Dilemma in Java 11 or later: it has an answer at once and improves it while there is
 * time.
 *
 * <p>Called as {@code java Anytime.java BOARD_FILE}, or built with {@code javac Anytime.java} and called as {@code java -cp
 * {dir} Anytime BOARD_FILE}; prints its moves on one line.
 *
 * <p>The judge stops the clock when the program exits, and an answer counts only if it exits before the limit. So:
 * <ol>
 *   <li>find any answer;
 *   <li>look for a shorter one, again and again, until the time is nearly up;
 *   <li>print the best one, and exit.
 * </ol>
 * This program is ready before the limit. One that uses the grace period of a contest notices its warning, SIGTERM, in a
 * shutdown hook; but Java then exits with code 143, which is a crash, unless the hook itself ends with {@code
 * Runtime.getRuntime().halt(0)}, as here.
 * A contest that takes a stream of answers sets JUDGE_STREAM. Then each better answer is printed at once, and the
 * last one counts even if the limit ends the program.
 *
 * <p>An answer places one tile after the other, each by the fewest moves that disturb no placed tile. Step 2 changes the
 * order at random and keeps a change that does not make the answer longer.
 */
public final class Anytime {
    static final String PERFECTION = "ABCDEFGHIJKLMNOPQRSTUVWX+";
    /** Four moves before perfection. */
    static final String PATTERN = "ABCDEFGHIJKL+MNPQRSOUVWXT";
    static final String CLOSING = "lluu";
    /** From the border inwards; walls no tile in. */
    static final String ORDER = "AEUTBDFJOPVXCKNWGHILMQRS";
    static final String MOVES = "udlrt";
    static final int SPOTS = 25;
    static final int CENTRE = 12;

    static volatile String best;

    /** The spot of the tile that a move takes to the empty spot; -1 if the move is illegal. */
    static int source(int empty, char move) {
        switch (move) {
            case 'u': return empty < 20 ? empty + 5 : -1;
            case 'd': return empty > 4 ? empty - 5 : -1;
            case 'l': return empty % 5 < 4 ? empty + 1 : -1;
            case 'r': return empty % 5 > 0 ? empty - 1 : -1;
            default: return empty != CENTRE ? CENTRE : -1; // t
        }
    }

    /**
     * The fewest moves that take the tile from its spot to the goal and touch no fixed spot; null if there are none. A
     * breadth-first search over pairs of the tile's spot and the empty spot.
     */
    static String shortest(int tile, int empty, int goal, boolean[] fixed) {
        int start = tile * SPOTS + empty;
        int[] before = new int[SPOTS * SPOTS];
        char[] by = new char[SPOTS * SPOTS];
        by[start] = '.';
        ArrayDeque<Integer> queue = new ArrayDeque<>();
        queue.add(start);
        while (!queue.isEmpty()) {
            int pair = queue.poll();
            tile = pair / SPOTS;
            empty = pair % SPOTS;
            if (tile == goal) {
                StringBuilder moves = new StringBuilder();
                for (int at = pair; at != start; at = before[at]) {
                    moves.append(by[at]);
                }
                return moves.reverse().toString();
            }
            for (char move : MOVES.toCharArray()) {
                int from = source(empty, move);
                if (from < 0 || fixed[from]) {
                    continue;
                }
                int after = (from == tile ? empty : tile) * SPOTS + from;
                if (by[after] == 0) {
                    by[after] = move;
                    before[after] = pair;
                    queue.add(after);
                }
            }
        }
        return null;
    }

    /** The answer that places the tiles in this order; null if the order walls a tile in. */
    static String solve(String start, char[] order) {
        StringBuilder board = new StringBuilder(start);
        StringBuilder answer = new StringBuilder();
        boolean[] fixed = new boolean[SPOTS];
        for (char symbol : order) {
            int empty = board.indexOf("+");
            int goal = PATTERN.indexOf(symbol);
            String moves = shortest(board.indexOf(String.valueOf(symbol)), empty, goal, fixed);
            if (moves == null) {
                return null;
            }
            for (char move : moves.toCharArray()) {
                int from = source(empty, move);
                board.setCharAt(empty, board.charAt(from));
                board.setCharAt(from, '+');
                empty = from;
            }
            answer.append(moves);
            fixed[goal] = true;
        }
        return answer.append(CLOSING).toString();
    }

    static String readBoard(String path) {
        try {
            return Files.readString(Path.of(path)).replaceAll("\\s", "");
        } catch (IOException error) {
            throw fail("cannot read " + path + ": " + error);
        }
    }

    static RuntimeException fail(String message) {
        System.err.println(message);
        System.exit(2);
        return new IllegalStateException(message);
    }

    static String sorted(String text) {
        char[] symbols = text.toCharArray();
        Arrays.sort(symbols);
        return new String(symbols);
    }

    public static void main(String[] arguments) {
        if (arguments.length != 1) {
            throw fail("give the path of a board file as the only argument");
        }
        String board = readBoard(arguments[0]);
        if (!sorted(board).equals(sorted(PERFECTION))) {
            throw fail("invalid board in " + arguments[0] + ": use A to X and + once each");
        }

        // The limit counts from the start of the process, which for Java is well before main, to its end.
        String variable = System.getenv("JUDGE_LIMIT_MS");
        long limit = variable == null ? 10_000 : Long.parseLong(variable);
        long begun = ManagementFactory.getRuntimeMXBean().getStartTime();
        long deadline = begun + limit - Math.min(limit / 10 + 100, 2_000);

        char[] order = ORDER.toCharArray();
        best = solve(board, order);
        boolean stream = System.getenv("JUDGE_STREAM") != null;
        if (stream) {
            System.out.println(best);
        }
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            System.out.println(best);
            System.out.flush();
            Runtime.getRuntime().halt(0);
        }));
        Random random = new Random(1); // the same seed always, so that a run can be repeated
        while (System.currentTimeMillis() < deadline) {
            char[] changed = order.clone();
            int a = random.nextInt(order.length);
            int b = random.nextInt(order.length);
            changed[a] = order[b];
            changed[b] = order[a];
            String answer = solve(board, changed);
            if (answer != null && answer.length() <= best.length()) {
                boolean shorter = answer.length() < best.length();
                best = answer;
                order = changed;
                if (stream && shorter) {
                    System.out.println(answer);
                }
            }
        }
        System.exit(0); // the hook prints
    }
}
