// What waits for the player: today's daily game and the streak, duels with a move to make, and the last games. The dots on the tabs, the left
// column of a wide Play page, and the end of a game show it.
import { html, useEffect, useState } from "../html.js";
import { expected, get } from "../core/api.js";
import { kept } from "../core/kept.js";
import { link } from "../core/links.js";
import { useOnline } from "../core/online.js";
import { useWaiting } from "../core/waiting.js";
import { shownCost, told } from "../parts/scale.js";
import { texts } from "../texts.js";

const GAMES = 3; // last ones that are shown

/** Ask the server, once it knows the player: a first visitor has nothing there, and is not asked for anything. */
export function useToday() {
  const online = useOnline();
  const [today, show] = useState(null);
  const [, note] = useWaiting();
  useEffect(() => {
    if (!online || kept.get("last-game", null) === null) return undefined;
    let isGone = false;
    load().then((found) => {
      if (isGone || !found) return;
      show(found);
      note({ day: found.day, isPlayed: found.isPlayed, turns: found.turns });
    });
    return () => { isGone = true; };
  }, [online]);
  return today;
}

async function load() {
  try {
    const daily = await get("/daily"); // alone: where the cookie is gone, two answers would name two players
    const [own, { games: duels }, { games }] = await Promise.all([get("/me/daily"), get("/me/history?kind=duel&finished=false&limit=20"), get(`/me/history?kind=solo&finished=true&limit=${GAMES}`)]);
    const turns = duels.filter(({ turn, against }) => turn === "you" && against !== null).length;
    return { day: daily.day, players: daily.players, isPlayed: own.days.some(({ day }) => day === daily.day), isBegun: daily.game !== null, streak: own.streak, turns, games };
  } catch (error) {
    expected(error);
    return null;
  }
}

/** The left column of a wide page between games. */
export function Today() {
  const today = useToday();
  if (!today) return html`<section class="today only-desk"></section>`;
  const { isPlayed, isBegun, streak, players, turns, games } = today;
  return html`<section class="today only-desk" aria-label=${texts.today.name}>
    <div class="card today-card"><h2>${texts.today.daily}</h2>
      <p class="s muted">${isPlayed ? texts.today.played : texts.today.begun(players)}${streak > 0 ? ` ${texts.today.streak(streak)}` : ""}</p>
      <a class="btn quiet small" href=${link("daily")}>${isPlayed ? texts.today.scores : isBegun ? texts.today.goOn : texts.today.playDaily}</a></div>
    ${turns > 0 && html`<div class="card today-card"><h2>${texts.today.duels}</h2><p class="s muted">${texts.today.turns(turns)}</p><a class="btn quiet small" href=${link("duel")}>${texts.today.toDuels}</a></div>`}
    ${games.length > 0 && html`<div class="stack tight"><h3>${texts.today.games}</h3><ul class="last-games">${games.map(({ id, score, loss }) => html`<li key=${id}><a href=${link("review", { id })}><b>${told(score)}</b>
      ${loss !== null && html`<span class=${loss ? "cost" : "cost ok"}>${loss ? `−${shownCost(loss)}` : texts.today.noCost}</span>`}</a></li>`)}</ul></div>`}
  </section>`;
}
