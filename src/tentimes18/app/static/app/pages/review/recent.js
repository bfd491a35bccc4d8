// One's last games, each with its score and what its moves cost; all of them are in the history. Without the service those
// that are kept on this device.
import { html, useEffect, useState } from "../../html.js";
import { get } from "../../core/api.js";
import { exact2 } from "../../core/format.js";
import { PAGES, link } from "../../core/links.js";
import { useOnline } from "../../core/online.js";
import { score } from "../../game/position.js";
import { Empty, Loading } from "../../parts/notes.js";
import { told } from "../../parts/scale.js";
import { finishedHere } from "../../solo/finished.js";
import { recordPath } from "./links.js";
import { shownDate } from "./summary.js";

const SHOWN = 8;
const KINDS = { solo: "Solo", daily: "Daily", duel: "Duel" };

/** The list. */
export function Recent() {
  const [games, show] = useState(null);
  const online = useOnline();
  useEffect(() => {
    const stop = new AbortController();
    const found = online ? get(`/me/history?finished=true&limit=${SHOWN}`, { signal: stop.signal }).then((answer) => answer.games.map(ofService)) : ofDevice();
    found.catch(ofDevice).then((rows) => !stop.signal.aborted && show(rows));
    return () => stop.abort();
  }, [online]);
  return html`<section class="stack" aria-labelledby="recent-title"><h2 id="recent-title">Your last games</h2>
    ${games === null && html`<${Loading} text="Fetching your games…" />`}
    ${games?.length === 0 && html`<${Empty} lead="Your finished games come here, each with what was luck and what was you." action="Play a game" href=${link("play")} />`}
    ${games?.length > 0 && html`<ol class="picker">${games.map((game) => html`<${Game} key=${game.href} ...${game} />`)}</ol>
      ${PAGES.includes("history") && html`<p><a class="link" href=${link("history")}>All your games</a></p>`}`}
  </section>`;
}

function Game({ href, points, about, cost }) {
  return html`<li><a href=${href}><b>${told(points)}</b> <span>${about.filter(Boolean).join(" · ")}</span>
    ${cost !== null && html`<span class=${cost ? "cost" : "cost ok"}>${cost ? `−${exact2(cost)}` : html`<span aria-hidden="true">✓</span><span class="vh">nothing given up</span>`}</span>`}</a></li>`;
}

function ofService({ id, kind, score: points, loss, created, finished, against }) {
  return { href: link("review", { id }), points, cost: loss, about: [KINDS[kind] ?? kind, against && `against ${against}`, shownDate(finished ?? created)] };
}

async function ofDevice() {
  const records = await finishedHere();
  return records.slice(0, SHOWN).map((record) => ({
    href: recordPath(record), points: score(record.position), cost: null, about: ["Solo", shownDate(record.tags.date)],
  }));
}
