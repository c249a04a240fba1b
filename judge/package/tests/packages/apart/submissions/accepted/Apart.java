import java.util.Scanner;

class Helper {
    static long end(long difference) {
        return difference + 1;
    }
}

public class Apart {
    public static void main(String[] args) {
        System.out.println("1 " + Helper.end(new Scanner(System.in).nextLong()));
    }
}
