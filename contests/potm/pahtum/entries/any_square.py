"""Any free square, always the same one of the same grid."""

import random

from next_free import choices, play

if __name__ == "__main__":
    play(lambda rows: random.Random("".join(rows)).choice(choices(rows)))
