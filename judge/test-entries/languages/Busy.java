// Compiled code, a thread pool, garbage collection, a child process, files, timers.
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;

public class Busy {
    static long part(int number) {
        long sum = 0;
        for (int i = 0; i < 5_000_000; i++) sum += i % (number + 3);
        return sum;
    }

    static void check(boolean holds, String what) throws IOException {
        if (!holds) throw new IOException(what);
    }

    public static void main(String[] arguments) throws Exception {
        String board = Files.readString(Path.of(arguments[arguments.length - 1]));
        var pool = Executors.newFixedThreadPool(4);
        List<Callable<Long>> parts = new ArrayList<>();
        for (int number = 0; number < 8; number++) {
            int mine = number;
            parts.add(() -> part(mine));
        }
        for (var sum : pool.invokeAll(parts)) check(sum.get() > 0, "part");
        var timer = Executors.newScheduledThreadPool(1);
        timer.schedule(() -> part(1), 1, TimeUnit.MILLISECONDS).get();
        timer.shutdown();
        pool.shutdown();
        check(pool.awaitTermination(10, TimeUnit.SECONDS), "pool");
        check(LongStream.range(0, 1_000_000).parallel().sum() > 0, "stream");
        List<byte[]> garbage = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            garbage.add(new byte[1 << 18]);
            if (i % 50 == 49) garbage.clear();
        }
        System.gc();

        Process child = new ProcessBuilder("cat").start();
        try (var input = child.getOutputStream()) {
            input.write("child".getBytes());
        }
        check(new String(child.getInputStream().readAllBytes()).equals("child") && child.waitFor() == 0, "child");

        Path folder = Files.createTempDirectory(Path.of(System.getenv("TMPDIR")), "busy");
        Path file = folder.resolve("file");
        Files.writeString(file, board);
        try (var channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size()).get();
            channel.write(ByteBuffer.wrap("x".getBytes()), 0);
            channel.force(true);
        }
        Path moved = Files.move(file, folder.resolve("new"));
        try (var items = Files.list(folder)) {
            check(items.count() == 1 && Files.size(moved) > 0, "files");
        }
        Files.delete(moved);
        Files.delete(folder);
        check(new SecureRandom().nextLong() != 0 && Runtime.getRuntime().availableProcessors() > 0, "machine");
        System.out.println("lluu");
    }
}
