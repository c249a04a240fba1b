// ---
// The talk of a run with its referee

/** A time in microseconds as text. */
function timeText(us) {
  return us < 1e6 ? `${(us / 1000).toFixed(1)} ms` : `${(us / 1e6).toFixed(2)} s`;
}

/** The messages of a run and of its referee. With a replay it marks the message that led to the position shown, and a click on one
 * goes to its position. */
class Dialogue {
  constructor(found, replay) {
    this.found = found;
    this.replay = replay;
    const { lines, messages, took_us } = found.talk;
    const encoder = new TextEncoder();
    let [before, written] = [null, 0];
    this.items = lines.map((line) => {
      if (!Array.isArray(line)) {
        [before, written] = [null, NaN];
        const left = `… ${line.left_out} messages of ${line.bytes} bytes left out …`;
        const words = line.pass === undefined ? left : `pass ${line.pass}`;
        return { element: make("li", { class: "cut" }, words), text: "", end: NaN };
      }
      const [at, from, text, more = 0] = line;
      const took = before === null ? "" : `, +${timeText(at - before)}`;
      before = at;
      if (from === 1) written += encoder.encode(text).length + more;
      const who = ["referee", "entry"][from];
      const rest = more > 0 ? [make("small", {}, `… ${more} bytes more`)] : [];
      const head = make("small", {}, make("b", {}, who), ` ${timeText(at)}${took}`);
      const element = make("li", { class: `from-${who}` }, head, make("pre", {}, text.replace(/\n$/, "")), ...rest);
      const end = from === 1 ? written : NaN;
      const frame = replay ? replay.read.findIndex((read) => read >= end) : -1;
      if (frame > 0) {
        element.classList.add("moves");
        element.addEventListener("click", () => getSelection().isCollapsed && viewer.goTo(replay.movesAt(frame)));
      }
      return { element, text: text.toLowerCase(), end };
    });
    this.list = make("div", { class: "talk", tabindex: "0", role: "region", "aria-label": "Talk with the referee" }, make("ol", {}, ...this.items.map(({ element }) => element)));
    this.count = make("output", {});
    this.search = make("input", { type: "search", autocomplete: "off" });
    this.search.addEventListener("input", () => this.filter());
    const sides = ["Referee", "Entry"].map((who, side) => `${who}: ${messages[side]} ${messages[side] === 1 ? "message" : "messages"}, ${timeText(took_us[side])} of thinking`);
    this.elements = [
      make("h3", {}, "Talk with the referee"),
      make("p", { class: "about" }, `${sides.join("; ")}. After + is the time since the message before.`),
      make("div", { class: "search" }, make("label", {}, make("span", {}, "Search the talk"), this.search), this.count),
      this.list,
    ];
  }

  /** Shows the messages that contain the text of the search, or all. */
  filter() {
    const wanted = this.search.value.toLowerCase();
    const hits = this.items.filter(({ element, text }) => !(element.hidden = !text.includes(wanted)));
    const all = this.items.filter(({ element }) => !element.matches(".cut")).length;
    this.count.textContent = wanted === "" ? "" : `${hits.length} of ${all} messages`;
  }

  /** Marks the message of the entry that led to the position shown. */
  show() {
    if (!this.replay || this.replay.read.length === 0) return;
    const read = this.replay.read[this.replay.index];
    const now = read > 0 ? this.items.find(({ end }) => end >= read) : undefined;
    for (const { element } of this.items) element.classList.toggle("now", element === now?.element);
    // Scrolls the talk to the marked message, without scrolling the page.
    if (now) this.list.scrollTop = now.element.offsetTop - this.list.clientHeight / 2;
  }
}
