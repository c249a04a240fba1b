// ---
// The first screen: two answers to one board, played side by side. They run while they are seen, unless the reader wants
// no movement.

/** The time of a whole duel in milliseconds, and that of one frame: at least, at most. */
const DUEL = { whole: 20000, least: 40, most: 160 };

class Duel {
  constructor(element) {
    this.element = element;
    this.keys = [element.dataset.first, element.dataset.second];
    this.replays = [];
    this.at = 0;
    this.timer = null;
    this.seen = false;
    /** True if it runs as soon as it is seen. */
    this.wanted = !stillness.matches;
    this.stage = make("div", { class: "versus" });
    this.play = make("button", { type: "button", class: "play" }, "Play");
    this.choices = ["First entry", "Second entry", "Board"].map((label) => make("select", { "aria-label": label }));
    const [first, second, board] = this.choices;
    this.why = make("p", { class: "about", role: "status" });
    element.append(
      make("div", { class: "choose" }, first, "against", second, "on", board, this.play),
      this.why,
      this.stage,
    );
    this.play.addEventListener("click", () => this.toggle());
    board.addEventListener("change", () => this.choose(true));
    for (const choice of [first, second]) choice.addEventListener("change", () => this.choose(false));
    stillness.addEventListener("change", () => {
      this.wanted = !stillness.matches;
      this.run();
    });
    document.addEventListener("visibilitychange", () => this.run());
    viewer.dialog.addEventListener("toggle", () => this.run());
  }

  /** Prepares the boards, and runs once half of them is seen. */
  async begin() {
    this.element.hidden = false;
    await this.load();
    const observer = new IntersectionObserver((entries) => {
      this.seen = entries[entries.length - 1].isIntersecting;
      this.run();
    }, { threshold: 0.5 });
    observer.observe(this.element);
  }

  /** Takes the choice of the reader. On another board, entries without a replay give way to those that have one. */
  async choose(other) {
    const [first, second, board] = this.choices.map((choice) => choice.value);
    const entries = [first, second];
    if (other) {
      const films = await this.films(Number(board));
      const has = (entry) => films.some((film) => film.key === `0-${entry}-${board}`);
      const spare = films.map((film) => film.key.split("-")[1]).filter((entry) => !entries.includes(entry));
      entries.forEach((entry, side) => has(entry) || (entries[side] = spare.shift() ?? entry));
    }
    this.keys = entries.map((entry) => `0-${entry}-${board}`);
    await this.load();
    this.wanted = !stillness.matches;
    this.run();
  }

  /** The runs of the first results on a board that have a replay. */
  async films(board) {
    const all = await filmed(contest().sources[0].boards[board].group);
    return all.filter(({ key }) => key.startsWith("0-") && key.endsWith(`-${board}`));
  }

  async load() {
    const { keys } = this;
    const found = await Promise.all(keys.map((key) => find(key)));
    const [, , board] = indices(keys[0]);
    const films = await this.films(board);
    // Another choice may have been made meanwhile.
    if (keys !== this.keys) return;
    const [first, second, boards] = this.choices;
    for (const [side, choice] of [first, second].entries()) {
      choice.replaceChildren(...films.map(({ key, entry }) => make("option", { value: key.split("-")[1] }, entry)));
      choice.value = keys[side].split("-")[1];
    }
    if (boards.options.length === 0) {
      boards.append(...contest().sources[0].boards.map((one, index) => make("option", { value: index }, one.name)));
    }
    boards.value = board;
    const shown = found.filter((one) => one.film);
    this.why.textContent = shown.length < 2 ? "This board has no two replays." : "";
    this.replays = shown.map((one, side) => new Racer(one, side));
    this.stage.replaceChildren(...this.replays.map((racer) => racer.element));
    // A reader who wants no movement sees the middle, where the answers differ.
    this.show(stillness.matches ? Math.floor(this.last / 2) : 0);
  }

  get last() {
    return Math.max(0, ...this.replays.map((racer) => racer.replay.moves));
  }

  get stride() {
    return Math.max(1, ...this.replays.map((racer) => racer.replay.film.stride));
  }

  show(move) {
    this.at = Math.min(move, this.last);
    for (const racer of this.replays) racer.show(this.at);
    this.element.dataset.at = this.at;
    if (this.at === this.last) this.wanted = false;
  }

  toggle() {
    this.wanted = this.timer === null;
    if (this.wanted && this.at === this.last) {
      this.show(0);
      this.wanted = true;
    }
    this.run();
  }

  /** Starts or stops the clock as the reader wants and sees. */
  run() {
    const runs = this.wanted && this.seen && !document.hidden && !viewer.dialog.open && this.at < this.last;
    clearInterval(this.timer);
    const interval = Math.min(Math.max((DUEL.whole * this.stride) / Math.max(this.last, 1), DUEL.least), DUEL.most);
    this.timer = runs ? setInterval(() => {
      this.show(this.at + this.stride);
      if (!this.wanted) this.run();
    }, interval) : null;
    this.play.textContent = runs ? "Pause" : "Play";
  }
}

/** One side of the duel: a replay's board, which opens the game, and its progress. */
class Racer {
  constructor(found, side) {
    this.replay = new Replay(found);
    const { entry, board, key } = found;
    this.bar = make("span", { class: "filled" });
    this.gauge = make("div", { class: "gauge", role: "progressbar", "aria-valuemin": 0, "aria-label": `Progress of ${entry}` }, this.bar);
    this.status = make("p", { class: "about" });
    // The position changes too fast to be read aloud; the link is named by what it does.
    [this.replay.board, this.replay.image].forEach((drawn) => drawn.setAttribute("aria-hidden", "true"));
    const open = make("a", { class: "cell", href: `#cell-${key}`, title: `Open the game of ${entry} on ${board.name}` }, this.replay.board, this.replay.image);
    this.element = make("div", { class: `racer side-${side + 1}` }, make("h2", {}, make("bdi", {}, entry)), make("div", { class: "table" }, open), this.gauge, this.status);
  }

  show(move) {
    const { replay } = this;
    const { film, found } = replay;
    replay.show(move);
    const index = replay.frameAt(move);
    const at = replay.movesAt(index);
    // Without a known goal the bar is the part of the answer that was played.
    const counted = replay.progress.length > 0 && !film.open;
    const [value, most] = counted ? [replay.progress[index], film.of] : [at, film.moves];
    this.gauge.setAttribute("aria-valuemax", most);
    this.gauge.setAttribute("aria-valuenow", Math.min(value, most));
    this.bar.style.inlineSize = `${(100 * Math.min(value, most)) / Math.max(most, 1)}%`;
    this.status.textContent = (replay.progress.length > 0 ? `${replay.progress[index]}${replay.ofGoal()} ${found.source.progress} · ` : "") + `move ${at} of ${film.moves}`;
    this.element.classList.toggle("ended", at === film.moves);
  }
}

if (typeof DecompressionStream !== "undefined" && typeof IntersectionObserver !== "undefined") {
  for (const element of $$(".duel")) new Duel(element).begin();
}
