import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;

class Helper {
    static long end(long difference) {
        return difference + 1;
    }
}

public class Apart {
    public static void main(String[] args) throws IOException {
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in));
        System.out.print("1 ");
        System.out.println(Helper.end(Long.parseLong(input.readLine().trim())));
    }
}
