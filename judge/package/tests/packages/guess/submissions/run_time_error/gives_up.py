print(500, flush=True)
if input() != "correct":
    raise SystemExit(3)
