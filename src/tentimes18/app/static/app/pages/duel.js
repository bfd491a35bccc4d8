// Duel: the list of duels with the ladder of bots, an invite, or a duel in play.
import { html, useEffect, useState } from "../html.js";
import { Away, Problem, get, post } from "../core/api.js";
import { percent } from "../core/format.js";
import { go, link } from "../core/links.js";
import { useOnline } from "../core/online.js";
import { noteWaiting } from "../core/waiting.js";
import { Emblem } from "../duel/emblems.js";
import { Table } from "../duel/table.js";
import { botNames } from "../duel/words.js";
import { Empty, Failed, Loading, OfflineNote } from "../parts/notes.js";
import { Shell } from "../parts/shell.js";
import { texts } from "../texts.js";

export const title = texts.duel.title;

/** @param {{params: {code?: string, id?: string}, query?: {rematch?: string}, game?: object}} props  game: a Game of the API, as of /game/{id} */
export default function Page({ params, query = {}, game = null }) {
  if (game) return html`<${Table} key=${game.id} game=${game} rematch=${query.rematch} />`;
  if (params.code) return html`<${Shell} page="duel"><div class="page lobby"><h1>${texts.duel.inviteHeading}</h1><${Join} code=${params.code} /></div><//>`;
  return html`<${Shell} page="duel"><${Lobby} /><//>`;
}

// Where duels begin: those in play, rematches that friends ask for, the ladder of bots, and an invite for a friend.

const LOOK = 3000; // ms between two looks at a table that is being computed
const WINS = 3; // that make a level the player's

function Lobby() {
  const [{ bots, open, offers }, show] = useState({ bots: null, open: [], offers: [] });
  const [error, setError] = useState(null);
  const [beginning, begin] = useState(null);
  const online = useOnline();
  const isLocked = !online || beginning !== null;

  const load = async () => {
    setError(null);
    try {
      const [bots, going, over] = await Promise.all([get("/duels/bots"), get("/me/history?kind=duel&finished=false&limit=20"), get("/me/history?kind=duel&finished=true&limit=20")]);
      noteWaiting({ turns: going.games.filter(isYourTurn).length });
      show({ bots, open: going.games, offers: over.games.filter(({ rematch }) => rematch?.by === "them" && rematch.game === null) });
    } catch (problem) {
      if (!(problem instanceof Away || problem instanceof Problem)) throw problem;
      setError({ what: texts.duel.lobbyFailed, again: load });
    }
  };
  useEffect(() => void load(), [online]);
  useEffect(() => {
    if (!bots || bots.every(({ ready }) => ready)) return undefined;
    const timer = setTimeout(async () => {
      const seen = await get("/duels/bots", { retries: 0 }).catch(() => [...bots]); // the next look tries again
      show((now) => ({ ...now, bots: seen }));
    }, LOOK);
    return () => clearTimeout(timer);
  }, [bots]);

  /** Begin a duel, whose Game the request answers. @param {string} what  of which button */
  const start = async (what, path, body) => {
    begin(what);
    setError(null);
    try {
      go(link("game", { id: (await post(path, body)).id }));
    } catch (problem) {
      if (!(problem instanceof Away || problem instanceof Problem)) throw problem;
      begin(null);
      setError({ what: problem instanceof Problem ? problem.detail : texts.duel.beginFailed, again: () => start(what, path, body) });
    }
  };
  const challenge = (against) => start(against, "/duels", { against });

  return html`<div class="page lobby">
    <section class="stack">
      <h1>${texts.duel.heading}</h1>
      <p class="lead">${texts.duel.lead}</p>
      <${OfflineNote} text=${texts.duel.offline} again=${error?.again}><a class="btn quiet" href=${link("play")}>${texts.duel.playAlone}</a><//>
      ${error && online && html`<${Failed} what=${error.what} safe=${texts.duel.nothingLost} again=${error.again} />`}
    </section>
    ${open.length > 0 && html`<section class="stack"><h2>${texts.duel.open}</h2><ul class="going">${open.map((one) => html`<${Going} key=${one.id} one=${one} />`)}</ul></section>`}
    ${offers.length > 0 && html`<section class="stack"><h2>${texts.duel.rematchOffers}</h2><ul class="going">${offers.map((one) => html`<li key=${one.id} class="offer"><b>${one.against}</b>
      <span class="muted">${texts.duel.offersRematch}</span><button type="button" class="btn small" disabled=${isLocked} onClick=${() => start(one.id, `/games/${one.id}/rematch`)}>${texts.duel.acceptRematch}</button></li>`)}</ul></section>`}
    <section class="friend card stack">
      <h2>${texts.duel.friend}</h2>
      <p>${texts.duel.friendText}</p>
      <div class="row"><button class="btn" type="button" disabled=${isLocked} onClick=${() => challenge("friend")}>${beginning === "friend" ? texts.duel.makingLink : texts.duel.inviteFriend}</button><a class="link" href=${link("group")}>${texts.duel.moreThanTwo}</a></div>
    </section>
    <section class="stack" aria-labelledby="ladder-title">
      <h2 id="ladder-title">${texts.duel.ladder}</h2>
      <div class="stack tight"><p>${texts.duel.ladderLead}</p><p class="s muted">${texts.duel.ladderText}</p></div>
      ${bots === null && !error && html`<${Loading} text=${texts.duel.findingBots} />`}
      ${bots && html`<${Ladder} bots=${bots} isLocked=${isLocked} beginning=${beginning} challenge=${challenge} />`}
    </section>
    ${bots && html`<${Odds} bots=${bots} />`}
  </div>`;
}

/** Whether a duel of the list waits for the player. */
const isYourTurn = ({ turn, against }) => turn === "you" && against !== null;

/** A duel in play. */
function Going({ one }) {
  const rival = one.bot ? botNames(one.against).title : one.against;
  const isTurn = isYourTurn(one);
  const state = one.against === null ? texts.duel.waitingForFriend : isTurn ? texts.duel.yourMove : texts.duel.waitingFor(one.bot ? botNames(one.against).within : rival);
  return html`<li><a href=${link("game", { id: one.id })}><b>${rival ?? texts.duel.invite}</b><span class=${isTurn ? "now" : "muted"}>${state}</span>
    <span class="muted">${texts.duel.round(Math.min(one.slots.length, one.placed + (one.turn === "you" ? 1 : 0)), one.slots.length)}</span></a></li>`;
}

// The ladder: a card per bot with its level, its emblem, and the player's own record against it; the bots beside it below.

/** Whether a bot can be challenged: a table that is missing is computed when somebody first asks for the duel. */
const mayAsk = ({ ready, progress }) => ready || progress === null;
const isBeaten = ({ record }) => record.won >= WINS;

function Ladder({ bots, isLocked, beginning, challenge }) {
  const rungs = bots.filter(({ level }) => level !== null).sort((one, other) => one.level - other.level);
  const next = rungs.find((bot) => !isBeaten(bot)) ?? null;
  const name = next && botNames(next.name).name;
  const card = (bot) => html`<${Rung} key=${bot.name} bot=${bot} isNext=${bot === next} isLocked=${isLocked} isBeginning=${beginning === bot.name} challenge=${challenge} />`;
  return html`<ol class="rungs">${rungs.map(card)}</ol>
    <div class="row">${next && html`<button type="button" class="btn" disabled=${isLocked || !mayAsk(next)} onClick=${() => challenge(next.name)}>${texts.duel.playBot(name)}</button>`}
      <p class="s muted">${next ? texts.duel.winsToGo(name, WINS - next.record.won) : texts.duel.allBeaten}</p></div>
    <h3>${texts.duel.beyond}</h3>
    <ul class="rungs beside">${bots.filter(({ level }) => level === null).map(card)}</ul>`;
}

function Rung({ bot, isNext, isLocked, isBeginning, challenge }) {
  const { name, title, what } = botNames(bot.name);
  const { won, drawn, lost } = bot.record;
  const state = isBeaten(bot) ? " is-beaten" : isNext ? " is-next" : "";
  return html`<li class=${`rung${state}`} style=${{ "--level": bot.level ?? 1 }}>
    <${Emblem} name=${bot.name} />
    ${bot.level !== null && (isBeaten(bot) ? html`<span class="tag">✓ ${texts.duel.beaten}</span>` : isNext && html`<span class="tag next">${texts.duel.next}</span>`)}
    <h3>${bot.level !== null && html`<span class="vh">${texts.duel.level(bot.level)}: </span>`}${name}</h3>
    <p class="s muted">${what}</p>
    <p class="rec s">${bot.level !== null && html`<span class="won" role="img" aria-label=${texts.duel.wins(won)}>${Array.from({ length: WINS }, (_, place) => html`<i key=${place} class=${place < won ? "on" : ""}></i>`)}</span>`}
      <span>${won + drawn + lost ? texts.duel.record(won, drawn, lost) : texts.duel.notMet}</span></p>
    ${!bot.ready && html`<p class="xs notyet"><b>${texts.duel.notReady}</b> ${bot.progress === null ? texts.duel.tableToMake : texts.duel.tableInMaking(percent(bot.progress, 0))}
      ${bot.progress !== null && html`<progress max="1" value=${bot.progress} aria-label=${texts.duel.tableOf(title)}></progress>`}</p>`}
    ${mayAsk(bot) && html`<button class="rung-go" type="button" disabled=${isLocked} onClick=${() => challenge(bot.name)} aria-label=${texts.duel.playAgainst(title)}>${isBeginning ? texts.duel.beginning : ""}</button>`}
    ${bot.level !== null && html`<span class="step" aria-hidden="true">${bot.level}</span>`}
  </li>`;
}

/** How each bot fares against the perfect player. */
function Odds({ bots }) {
  const known = bots.filter(({ against_optimal: chances }) => chances !== null);
  if (!known.length) return null;
  return html`<details class="fold odds"><summary>${texts.duel.odds}</summary><div class="stack"><p class="s muted">${texts.duel.oddsText}</p>
    <table><thead><tr><th scope="col">${texts.duel.oddsBot}</th><th scope="col">${texts.duel.oddsWins}</th><th scope="col">${texts.duel.oddsDraws}</th><th scope="col">${texts.duel.oddsLosses}</th></tr></thead>
      <tbody>${known.map(({ name, against_optimal: { win, draw, loss } }) => html`<tr key=${name}><th scope="row">${botNames(name).name}</th><td>${percent(win)}</td><td>${percent(draw)}</td><td>${percent(loss)}</td></tr>`)}</tbody></table></div></details>`;
}

// An invite that somebody was sent: who invites, and the button that takes the seat. Looking takes nothing.

const isOver = (state) => state === "taken" || state === "over" || state === "missing";

/** @param {{code: string}} props */
export function Join({ code }) {
  const [{ invite, error, isJoining }, show] = useState({});
  const path = `/duels/${encodeURIComponent(code)}`;
  const load = async () => {
    show({});
    try {
      const invite = await get(path);
      if (invite.state === "joined") go(link("game", { id: invite.game }), { replace: true });
      else show({ invite });
    } catch (problem) {
      show({ error: problem });
    }
  };
  useEffect(() => void load(), [code]);
  const join = async () => {
    show({ invite, isJoining: true });
    try {
      const game = await post(`${path}/join`);
      go(link("game", { id: game.id }), { replace: true });
    } catch (problem) {
      if (problem instanceof Problem && problem.status === 409) await load();
      else show({ invite, error: problem });
    }
  };
  const state = error instanceof Problem && error.status === 404 ? "missing" : invite?.state;
  if (!state && !error) return html`<${Loading} text=${texts.duel.openingInvite} />`;
  if (isOver(state)) {
    const { lead, text } = { taken: texts.duel.taken, over: texts.duel.over, missing: texts.duel.missing }[state];
    return html`<${Empty} lead=${lead} text=${text} action=${texts.duel.toDuels} href=${link("duel")} />`;
  }
  if (state === "own") return html`<${Empty} lead=${texts.duel.ownInvite} text=${texts.duel.ownInviteText} action=${texts.duel.toDuel} href=${link("game", { id: invite.game })} />`;
  return html`<section class="card stack welcome">
    ${invite && html`<p class="lead"><b>${invite.by}</b> ${texts.duel.invites}</p>
      <p class="muted">${texts.duel.invitesText}</p>
      <div class="row"><button class="btn" type="button" onClick=${join} disabled=${isJoining}>${isJoining ? texts.duel.joining : texts.duel.join}</button></div>`}
    ${error && html`<${Failed} what=${error instanceof Problem ? error.detail : texts.duel.noAnswer} safe=${texts.duel.inviteSafe} again=${invite ? join : load} />`}
    <${OfflineNote} text=${texts.duel.offlineShort} />
  </section>`;
}
