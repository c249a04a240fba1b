"use strict";

/** The token of an invitation stands behind the #, which browsers do not send: it fills the form and leaves the address. */
const asks = document.getElementById("enter") ?? document.getElementById("register");
if (asks && location.hash.length > 1) {
  asks.elements.token.value = decodeURIComponent(location.hash.slice(1));
  history.replaceState(null, "", location.pathname);
  if (asks.id === "enter") asks.requestSubmit();
}

/** The live board: all of it, or the rows that changed and the order of all rows. */
const board = document.querySelector("[data-live]");
if (board) {
  const events = new EventSource("live");
  const mark = () => {
    for (const row of board.querySelectorAll("tr[data-name]")) {
      row.classList.toggle("own", row.dataset.name === board.dataset.team);
    }
  };
  events.addEventListener("message", ({ data }) => {
    const { table, order, rows } = JSON.parse(data);
    if (table !== undefined) {
      board.innerHTML = table;
      mark();
      return;
    }
    const body = board.querySelector("tbody");
    const known = new Map([...body.rows].map((row) => [row.dataset.name, row]));
    const made = (html) => {
      const template = document.createElement("template");
      template.innerHTML = html;
      return template.content.firstElementChild;
    };
    body.replaceChildren(...order.map((name) => (name in rows ? made(rows[name]) : known.get(name))).filter(Boolean));
    mark();
  });
  addEventListener("pagehide", () => events.close());
}

/** The time that is left until a moment. */
const leftovers = () => document.querySelectorAll("[data-ends]");
function tick() {
  for (const place of leftovers()) {
    const seconds = Math.max(0, Math.floor(place.dataset.ends - Date.now() / 1000));
    const [minutes, rest] = [Math.floor(seconds / 60) % 60, seconds % 60].map((part) => String(part).padStart(2, "0"));
    place.textContent = seconds ? `, in ${Math.floor(seconds / 3600)}:${minutes}:${rest}` : ": it is over";
  }
}
setInterval(tick, 1000);
tick();

/** A page that changes is asked for again while it is seen, and only its content is replaced. */
const INTERVAL = 2000;
async function refresh() {
  const main = document.querySelector("main[data-fresh]");
  if (!main) return;
  const typing = main.contains(document.activeElement) && document.activeElement !== document.body;
  if (!document.hidden && !typing) {
    try {
      const answer = await fetch(location.href, { redirect: "error" });
      if (answer.ok) {
        const fresh = new DOMParser().parseFromString(await answer.text(), "text/html").querySelector("main");
        // What was written here is not in the page that comes.
        leftovers().forEach((place) => (place.textContent = ""));
        if (fresh && fresh.innerHTML !== main.innerHTML) main.replaceWith(document.adoptNode(fresh));
        else if (fresh && !fresh.hasAttribute("data-fresh")) return;
        tick();
      }
    } catch {
      // The site is away for a moment; the next time it may be there.
    }
  }
  setTimeout(refresh, INTERVAL);
}
setTimeout(refresh, INTERVAL);
