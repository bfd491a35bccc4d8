// One's last games, each with its score and what its moves cost; all of them are in the history.
import { html, useEffect, useState } from "../html.js";
import { get } from "../core/api.js";
import { exact2 } from "../core/format.js";
import { PAGES, link } from "../core/links.js";
import { isStatic, useOnline } from "../core/online.js";
import { Empty, Loading } from "../parts/notes.js";
import { told } from "../parts/scale.js";
import { shownDate } from "./summary.js";

const SHOWN = 8;
const KINDS = { solo: "Solo", daily: "Daily", duel: "Duel" };

/** The list. */
export function Recent() {
  const [games, show] = useState(null);
  const online = useOnline();
  useEffect(() => {
    if (isStatic) return undefined;
    const stop = new AbortController();
    get(`/me/history?finished=true&limit=${SHOWN}`, { signal: stop.signal }).then((answer) => show(answer.games), () => show((known) => known));
    return () => stop.abort();
  }, [online]);
  if (isStatic) return null;
  return html`<section class="stack" aria-labelledby="recent-title"><h2 id="recent-title">Your last games</h2>
    ${games === null && (online ? html`<${Loading} text="Fetching your games…" />` : html`<p class="note">Your games are on the service, which is away. A record can be reviewed without it.</p>`)}
    ${games?.length === 0 && html`<${Empty} lead="Your finished games come here, each with what was luck and what was you." action="Play a game" href=${link("play")} />`}
    ${games?.length > 0 && html`<ol class="picker">${games.map((game) => html`<${Game} key=${game.id} game=${game} />`)}</ol>
      ${PAGES.includes("history") && html`<p><a href=${link("history")}>All your games</a></p>`}`}
  </section>`;
}

function Game({ game: { id, kind, score, loss, created, finished, against } }) {
  const about = [KINDS[kind] ?? kind, against && `against ${against}`, shownDate(finished ?? created)].filter(Boolean).join(" · ");
  return html`<li><a href=${link("review", { id })}><b>${told(score)}</b> <span>${about}</span>
    ${loss !== null && html`<span class=${loss ? "cost" : "cost ok"}>${loss ? `−${exact2(loss)}` : "✓"}</span>`}</a></li>`;
}
