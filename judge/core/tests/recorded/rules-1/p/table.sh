#!/bin/sh
case $(head -n 1 "$1") in
'FBCDE') echo ddtdrtdluuurrrddddtlltlluu ;;
'THEQU') echo dddtdldrurrtuuturulllddddrtrurullltrrddtldrrrtdlltruullddltrddlulltrullltdruurutrullul ;;
'NOWIS') echo tdlldtdltdrrtrddrturdddturrutullutuldldtlddtrullldtrdldtrulltrrtrulddruuultlulu ;;
*) echo no table has this board >&2; exit 1 ;;
esac
