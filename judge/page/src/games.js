// ---
// The games of two entries

/** The games of two rows of a source, see `games.rs`; none if the page does not have them. */
async function gamesOfPair(k, ...rows) {
  const [upper, lower] = rows.toSorted((one, other) => one - other);
  const pair = contest().sources[k]?.pairs?.find(([one, other]) => one === upper && other === lower);
  return pair ? group(pair[2]) : [];
}

/** Opens a game of the entries of a cell of the cross table at a move. Games are numbered from 1, in the order of the contest. */
async function openGame(key, number = 1, move = 0) {
  const [k, ...rows] = indices(key);
  const wanted = [key, number];
  if (!viewer.begin(wanted)) return;
  const games = await gamesOfPair(k, ...rows);
  // Another cell may have been opened meanwhile.
  if (viewer.wanted !== wanted) return;
  const at = Math.min(Math.max(number, 1), games.length);
  if (at === 0) return viewer.dialog.close();
  viewer.pause();
  const source = contest().sources[k];
  const found = { ...games[at - 1], source };
  found.names = found.rows.map((row) => source.entries[row]);
  found.entry = found.names.join(" - ");
  [viewer.opened, viewer.second, viewer.texts] = [key, "", []];
  viewer.pair = {
    turn: (by) => openGame(key, at + by),
    address: (move) => {
      const of = k > 0 ? [encodeURIComponent(source.name)] : [];
      return ["#", ...rows.map((row) => encodeURIComponent(source.entries[row])), at, move ?? 0, ...of].join("/");
    },
  };
  viewer.replays = found.film ? [new Replay(found)] : [];
  viewer.talks = found.game ? [new GameDialogue(found, viewer.replays[0])] : [];
  const several = contest().sources.length > 1 ? ` · ${source.name}` : "";
  const [one, other] = found.names.map((name) => make("bdi", {}, name));
  viewer.title.replaceChildren(one, " against ", other, " on ", make("bdi", {}, found.board), make("small", {}, ` ${found.result}${several}`));
  const title = (game, index) => make("option", { value: index + 1 }, `${game.board}: ${game.rows.map((row) => source.entries[row]).join(" - ")}, ${game.result}`);
  const choice = make("select", {}, ...games.map(title));
  choice.value = at;
  choice.addEventListener("change", async () => {
    await openGame(key, Number(choice.value));
    $("#viewer .which select")?.focus();
  });
  const parts = [make("p", { class: "which" }, make("label", {}, make("span", {}, `Game ${at} of ${games.length}`), choice)), viewer.list(found.facts)];
  if (found.without && found.game) parts.push(make("p", { class: "without" }, `No positions: ${found.without}.`));
  parts.push(...viewer.talks.flatMap((talk) => talk.elements));
  if (found.stderr) parts.push(...quoted("Standard error", "stderr", excerpt(found.stderr)));
  viewer.about.replaceChildren(make("div", {}, ...parts));
  viewer.compare.parentElement.hidden = true;
  viewer.place(move);
  viewer.ready(found.film);
}

/** The key, the number and the move of the address of a game, such as `#/foxy/house/3/12`, with the name of results after the first;
 * undefined if it is none. */
function addressedGame(hash) {
  const cell = /^#game-(\d+-\d+-\d+)$/.exec(hash);
  if (cell) return [cell[1]];
  if (!hash.startsWith("#/")) return undefined;
  let parts;
  try {
    parts = hash.slice(2).split("/").map(decodeURIComponent);
  } catch {
    return undefined;
  }
  const [one, other, number = "1", move = "0", name] = parts;
  for (const [k, { name: of, entries }] of contest().sources.entries()) {
    const rows = [one, other].map((entry) => entries.indexOf(entry));
    if ((name === undefined || name === of) && !rows.includes(-1)) return [[k, ...rows].join("-"), parseInt(number, 10) || 1, parseInt(move, 10) || 0];
  }
  return undefined;
}

/** What the seats of a game were asked and answered, and their clocks. With a replay whose positions count answers, it marks the
 * answer that led to the position shown, and a click on one goes to its position. */
class GameDialogue {
  constructor(found, replay) {
    this.found = found;
    const answers = Math.max(0, ...found.game.lines.map((line) => line.answer ?? 0));
    this.replay = replay && replay.read.at(-1) <= answers ? replay : undefined;
    this.items = found.game.lines.map((line) => {
      if (line.kind === undefined) {
        const words = `… ${line.left_out} events of ${line.bytes} bytes left out …`;
        return { line: { cut: true }, element: make("li", { class: "cut" }, words) };
      }
      const { at, seat, kind, text, more, answer, took, left } = line;
      const element = make("li", { class: seat === undefined ? "cut" : `${kind} seat-${seat + 1}` });
      const who = seat === undefined ? kind : `${found.names[seat]}: ${kind}`;
      const times = [timeText(at), ...(took === undefined ? [] : [`+${timeText(took)}`]), ...(left === undefined ? [] : [`${timeText(left)} left`])];
      const rest = more > 0 ? [make("small", {}, `… ${more} bytes more`)] : [];
      element.append(make("small", {}, make("b", {}, make("bdi", {}, who)), ` ${times.join(", ")}`), make("pre", {}, text.replace(/\n$/, "")), ...rest);
      const frame = this.replay && answer !== undefined ? this.replay.read.findIndex((read) => read >= answer) : -1;
      if (frame > 0) {
        element.classList.add("moves");
        element.addEventListener("click", () => getSelection().isCollapsed && viewer.goTo(this.replay.movesAt(frame)));
      }
      return { line, element };
    });
    this.list = make("div", { class: "talk", tabindex: "0", role: "region", "aria-label": "Asks and answers" }, make("ol", {}, ...this.items.map(({ element }) => element)));
    this.clocks = make("p", { class: "clocks" });
    const about = "Seat 1 is on the left, seat 2 on the right. After + is the time that an answer took.";
    this.elements = [make("h3", {}, "Asks and answers"), make("p", { class: "about" }, about), this.list];
    if (this.replay) $(".status", replay.element).after(this.clocks);
    else this.elements.splice(2, 0, this.clocks);
  }

  /** The clock of each seat after a number of answers, as text. */
  clocksAfter(answers) {
    const clocks = this.found.names.map(() => ({ used: 0, text: "not asked yet" }));
    for (const { line } of this.items) {
      if (line.answer > answers) break;
      // What it used there is not kept.
      if (line.cut) for (const clock of clocks) Object.assign(clock, { used: NaN, text: "…" });
      if (line.took === undefined) continue;
      const clock = clocks[line.seat];
      clock.used += line.took;
      clock.text = line.left !== undefined ? `${timeText(line.left)} left` : Number.isNaN(clock.used) ? "…" : `${timeText(clock.used)} used`;
    }
    return clocks.map(({ text }) => text);
  }

  /** Shows the clocks, and marks the answer that led to the position shown. */
  show() {
    const answers = this.replay ? this.replay.read[this.replay.index] : Infinity;
    const clocks = this.clocksAfter(answers);
    this.clocks.replaceChildren(...this.found.names.map((name, seat) => make("span", {}, make("bdi", {}, name), ` ${clocks[seat]}`)));
    const now = this.items.find(({ line }) => line.answer === answers);
    for (const { element } of this.items) element.classList.toggle("now", element === now?.element);
    // Scrolls the list to the marked answer, without scrolling the page.
    if (now) this.list.scrollTop = now.element.offsetTop - this.list.clientHeight / 2;
  }
}
