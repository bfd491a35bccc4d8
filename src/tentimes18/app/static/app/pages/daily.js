// Daily: one game per day, the same rolls for everybody, one attempt. Then the results of the day, and past days to practise.
import { html, useEffect, useRef, useState } from "../html.js";
import { announce } from "../core/messages.js";
import { copyText } from "../core/copy.js";
import { expected, Problem, get, post } from "../core/api.js";
import { longDay, shortDay, timeOf } from "../core/dates.js";
import { count, exact2, percent, points } from "../core/format.js";
import { kept } from "../core/kept.js";
import { go, link, styleOf } from "../core/links.js";
import { useOnline } from "../core/online.js";
import { setting } from "../core/settings.js";
import { noteWaiting } from "../core/waiting.js";
import { gameOf } from "../game/game.js";
import { score, start } from "../game/position.js";
import { scoreDistribution } from "../game/scores.js";
import { aheadOf, dayBefore, daysBefore, diceOfDay, isDay, timeLeft, weekOf } from "./daily/days.js";
import { Rounds } from "./daily/placed.js";
import { shownCost, told } from "../parts/scale.js";
import { Histogram } from "../parts/charts.js";
import { Empty, Failed, Loading, OfflineNote } from "../parts/notes.js";
import { Shell } from "../parts/shell.js";
import { useSolo } from "../solo/keeper.js";
import { isOver, isSolo, positionOfSolo } from "../solo/rounds.js";
import { Table } from "../solo/table.js";
import { texts } from "../texts.js";

export const title = texts.daily.title;

/**
 * @param {{params: {day?: string}, game?: object}} props  game: a Game of the API, for /game/{id}
 */
export default function Page({ params, game = null }) {
  const [state, show] = useState({ status: "loading" });
  const wanted = game?.day ?? params.day ?? null;
  const load = async () => {
    show((now) => ({ ...now, status: now.today ? "ready" : "loading" }));
    try {
      show({ status: "ready", ...(await loadDay(wanted, game)) });
    } catch (error) {
      expected(error);
      show((now) => ({ ...now, status: "failed" }));
    }
  };
  useEffect(() => void load(), [wanted]);
  const online = useOnline();
  useEffect(() => {
    if (online && state.status === "failed") load();
  }, [online]);

  if (state.status === "ready" && state.table) {
    return html`<${DailyTable} key=${state.table.id} game=${state.table} name=${longDay(state.day)} takesFocus=${state.hasBegun} finish=${load} />`;
  }
  if (state.status === "failed" && !state.today && isKept()) {
    return html`<${DailyTable} game=${null} name=${texts.daily.title} finish=${load} />`;
  }
  const day = state.day ?? wanted ?? new Date().toISOString().slice(0, 10); // the server's day, once it has answered
  return html`<${Shell} page="daily" end=${isDay(day) && !state.isNone && html`<span class="date s muted">${longDay(day)}</span>`}>
    <div class="daily">${view(state, show, load)}</div>
  <//>`;
}

function view(state, show, load) {
  if (state.status === "loading") return html`<h1 class="vh">${texts.daily.title}</h1><section class="felt cloth blank"></section><div class="page"><${Loading} /></div>`;
  if (state.status === "failed" && (state.table || !state.today)) return html`<${NotLoaded} again=${load} />`;
  if (state.isNone) return html`<${NoDay} />`;
  const { today, own, name, number, result, day } = state;
  const isToday = day === today.day;
  const scores = new Map(own.days.map((one) => [one.day, one.score]));
  return html`
    <section class="felt cloth" aria-label=${texts.daily.theDay}>
      <h1 class=${result ? "vh" : "hero-name"} tabindex="-1">${texts.daily.heading(number)}</h1>
      ${result && html`<${Reached} result=${result} />`}
      ${!result && isToday && html`<p>${texts.daily.rules}</p>`}
      <div class="days"><${Week} day=${today.day} scores=${scores} streak=${own.streak} />
        <p class="s muted">${own.streak > 1 ? `${texts.daily.streak(own.streak)}. ` : ""}${isToday && result ? `${texts.daily.played} ` : ""}${isToday && !result ? texts.daily.endsIn : texts.daily.nextIn} <${Countdown} until=${today.next} done=${load} />.</p></div>
    </section>
    <div class="page">
      <${OfflineNote} text=${texts.daily.offlineScores} />
      ${result && html`<${Result} result=${result} name=${name} isToday=${isToday} />`}
      <div class="result">
        <div class="stack wide-gap">
          ${!result && isToday && html`<${Invitation} today=${today} begin=${(game) => show({ ...state, table: game, hasBegun: true })} />`}
          ${!result && !isToday && html`<${NotPlayed} day=${day} />`}
          ${result && !isToday && html`<div class="row"><a class="btn" href=${link("daily")}>${texts.daily.toToday}</a><${Practise} day=${day} isAgain /></div>`}
          ${own.days.length > 0 && html`<${OwnDays} own=${own} />`}
        </div>
        <${Archive} next=${today.next} />
      </div>
    </div>`;
}

/** The seven days up to today. */
function Week({ day, scores, streak }) {
  return html`<ol class="week" aria-label=${texts.daily.week(texts.daily.streak(streak))}>
    ${weekOf(day, scores).map(({ day: one, letter, name, score, isLast }) => html`<li key=${one}>
      <i class=${[isLast && "today", score !== undefined && "on"].filter(Boolean).join(" ")} aria-hidden="true">${score === undefined ? "" : told(score)}</i>
      <span aria-hidden="true">${letter}</span><span class="vh">${score === undefined ? texts.daily.dayNotPlayed(name) : texts.daily.dayPlayed(name, told(score))}</span></li>`)}
  </ol>`;
}

/** Before the game: what it is, and one button. */
function Invitation({ today, begin }) {
  const [state, show] = useState("");
  const start = async () => {
    show("busy");
    try {
      begin(await post("/daily"));
    } catch (error) {
      show(expected(error) instanceof Problem ? error.detail : texts.daily.notBegun);
    }
  };
  return html`<section class="stack invitation">
    <p class="lead">${texts.daily.drawn}</p>
    <p class="muted">${texts.daily.begun(today.players, count(today.players))} ${texts.daily.howItGoes}</p>
    <button type="button" class="btn" disabled=${state === "busy"} onClick=${start}>${texts.daily.play}</button>
    ${state && state !== "busy" && html`<p class="wrong" role="alert">${state}</p>`}
    <p class="s muted">${texts.daily.sealed} <a href="/commitments">${texts.daily.commitments}</a>.</p>
  </section>`;
}

const NotPlayed = ({ day }) => html`<section class="card stack"><p class="lead">${texts.daily.notPlayed(longDay(day))}</p>
  <p class="muted">${texts.daily.notPlayedText}</p>
  <div class="row"><${Practise} day=${day} label=${texts.daily.practise} /><a class="btn quiet" href=${link("daily")}>${texts.daily.toToday}</a></div></section>`;

const NoDay = () => html`<div class="page"><h1 class="vh">${texts.daily.title}</h1><${Empty} lead=${texts.daily.noDay} text=${texts.daily.noDayText}
  action=${texts.daily.toToday} href=${link("daily")} /></div>`;

function NotLoaded({ again }) {
  const online = useOnline();
  return html`<div class="page"><h1 class="vh">${texts.daily.title}</h1>
    <${OfflineNote} text=${texts.daily.offlineGame} again=${again}><a class="btn quiet" href=${link("play")}>${texts.daily.playAlone}</a><//>
    ${online && html`<${Failed} what=${texts.daily.loadFailed} safe=${texts.shell.nothingLost} again=${again} />`}</div>`;
}

/** A day, today's if none is named: the game to go on with, or the results. */
async function loadDay(wanted, game) {
  const [today, own, { shown: name }] = await Promise.all([get("/daily"), get("/me/daily"), get("/me")]);
  noteWaiting({ day: today.day, isPlayed: own.days.some((one) => one.day === today.day) });
  const day = wanted ?? today.day;
  const number = isDay(day) ? today.number - daysBefore(day, today.day) : NaN;
  const common = { today, own, name, day, number };
  if (!(number >= 1 && number <= today.number)) return { ...common, isNone: true };
  const id = game?.id ?? (day === today.day ? today.game : null);
  const table = id && (await get(`/games/${id}`));
  if (table && !table.finished) return { ...common, table };
  const isPlayed = table ? true : day < today.day && (await wasPlayed(day));
  return { ...common, result: isPlayed ? await get(`/daily/${day}`) : null };
}

/** Whether the player has finished a past day, and may see its results. */
async function wasPlayed(day) {
  const { days } = await get(`/daily/archive?limit=1&before=${dayBefore(day, -1)}`);
  return days[0]?.day === day && days[0].own !== null;
}

/** Whether this device holds a daily game in play, to go on with while the server is away. */
function isKept() {
  const solo = kept.get(KEY, null);
  return isSolo(solo) && !isOver(solo);
}

// A finished day: the score on felt, the text to share, the dice, the other players, the player's own days.

/** The score and the rank. @param {{result: object}} props  of GET /daily/{day} */
function Reached({ result: { number, own, players, histogram } }) {
  const isDaily = own.kind === "daily";
  const ahead = aheadOf(histogram, own.score);
  const place = players < 2 ? texts.daily.firstToFinish : ahead > 0 ? texts.daily.aheadOf(percent(ahead, 0)) : "";
  return html`<div class="row between">
    <div class="hero"><p class="muted">${isDaily ? texts.daily.heading(number) : texts.daily.inPractice(number)}</p><p class="num">${told(own.score)}</p></div>
    <p class="lead right reached">${isDaily ? html`<b>${texts.daily.rank(own.rank)}</b> ${texts.daily.ofPlayers(count(players))}` : html`${texts.daily.wouldBe} <b>${texts.daily.rank(own.rank)}</b>`}
      <br /><span class="s muted">${place}</span></p>
  </div>`;
}

/**
 * Share text, dice, scores, where each roll went, and the link to the review.
 * @param {{result: object, name: string, isToday: boolean}} props  name: the player's, in lists
 */
export function Result({ result, name, isToday }) {
  return html`<div class="result">
    <div class="stack wide-gap">
      ${result.share && html`<${Ticket} text=${texts.daily.shareText(result.share)} day=${result.day} />`}
      <${DiceOfDay} result=${result} isToday=${isToday} />
    </div>
    <div class="stack wide-gap">
      <${Scores} result=${result} name=${name} />
      <a class="btn quiet" href=${link("review", { id: result.own.game })}>${texts.daily.review}</a>
    </div>
    ${result.players > 0 && html`<${Rounds} rounds=${result.rounds} own=${placements(result.own.game)} />`}
  </div>`;
}

/** The slots of the player's own game in the order of play, if this device still has that game. @param {string} id */
function placements(id) {
  const solo = kept.get(KEY, null);
  return isSolo(solo) && solo.id === id && solo.ordered ? solo.rounds.map(({ slot }) => slot) : [];
}

/** Kind, fair or harsh: the perfect player's score among all that are possible, and everybody's scores as bars. */
function DiceOfDay({ result: { optimal, best, players, histogram, own, day }, isToday }) {
  const distribution = useClassicDistribution();
  if (distribution === null) return html`<section class="stack dice-of-day"><h2>${texts.daily.diceOfDay}</h2></section>`;
  const { kind, below } = diceOfDay(distribution, optimal);
  return html`<section class="stack dice-of-day"><h2>${texts.daily.dice[kind](isToday)}</h2>
    <p>${texts.daily.perfect(told(optimal), percent(below, 0), told(best))}</p>
    <${Histogram} counts=${histogram} distribution=${distribution} own=${own.score} label=${texts.daily.histogram(players, longDay(day), told(own.score))} />
    <p class="s muted">${texts.daily.histogramKey}</p>
  </section>`;
}

/** The player's own days beside the perfect player. @param {{own: object}} props  of GET /me/daily */
function OwnDays({ own: { days, histogram, best_streak: longest } }) {
  const distribution = useClassicDistribution();
  const mean = days.reduce((sum, { score }) => sum + score, 0) / days.length;
  const lost = days.reduce((sum, { loss }) => sum + loss, 0) / days.length;
  const par = distribution && distribution.scores.reduce((sum, score, place) => sum + score * distribution.chances[place], 0);
  return html`<section class="stack"><h2>${texts.daily.ownDays}</h2>
    <dl class="facts">
      <div><dt>${texts.daily.daysPlayed}</dt><dd>${count(days.length)}</dd></div>
      <div><dt>${texts.daily.longestStreak}</dt><dd>${count(longest)}</dd></div>
      <div><dt>${texts.daily.meanScore}</dt><dd>${points(mean)}</dd></div>
      <div><dt>${texts.daily.meanMistakes}</dt><dd>${lost ? `−${points(lost)}` : texts.daily.none}</dd></div>
    </dl>
    ${distribution && html`<${Histogram} counts=${histogram} distribution=${distribution} unit="days" label=${texts.daily.ownHistogram(days.length)} />
      <p class="s muted">${texts.daily.ownHistogramKey(exact2(par))}</p>`}
  </section>`;
}

// The scores of a day: the best, and the player's own, always in sight.

const FIRST_SCORES = 8;
const MORE_SCORES = 100;

/**
 * @param {object} props
 * @param {object} props.result  of GET /daily/{day}
 * @param {string} props.name  what the player is called in the list
 */
export function Scores({ result, name }) {
  const [shown, setShown] = useState(FIRST_SCORES);
  const { scores, own, players } = result;
  const isOwn = (row) => own.kind === "daily" && row.name === name && row.score === own.score && row.loss === own.loss;
  const ownPlace = scores.findIndex(isOwn);
  const listed = scores.slice(0, shown);
  const isPinned = ownPlace < 0 || ownPlace >= shown;
  return html`<section class="stack"><h2>${texts.daily.scores}</h2>
    ${players === 0 ? html`<p class="muted">${texts.daily.nobodyFinished}</p>` : null}
    <table class="names"><caption class="vh">${texts.daily.scoresCaption}</caption>
      <thead><tr><th scope="col">${texts.daily.rankHead}</th><th scope="col">${texts.daily.player}</th><th scope="col">${texts.daily.score}</th><th scope="col">${texts.daily.mistakes}</th></tr></thead>
      <tbody>${listed.map((row, place) => html`<${Row} key=${place} row=${row} isYou=${place === ownPlace} />`)}
        ${isPinned && listed.length > 0 && html`<tr class="gap" aria-hidden="true"><td colspan="4">⋯</td></tr>`}
        ${isPinned && html`<${Row} row=${{ ...own, name: own.kind === "daily" ? name : texts.daily.youInPractice }} isYou />`}</tbody>
    </table>
    <p class="s muted">${texts.daily.scoresKey}</p>
    ${shown < scores.length && html`<button type="button" class="btn quiet small" onClick=${() => setShown(shown + MORE_SCORES)}>
      ${scores.length - shown > MORE_SCORES ? texts.daily.showMore(MORE_SCORES) : texts.daily.showAll(count(scores.length))}</button>`}
  </section>`;
}

function Row({ row, isYou }) {
  return html`<tr class=${isYou ? "is-you" : ""}><td>${count(row.rank)}</td><td><span class="name">${row.name}</span>${isYou && html` <span class="you-mark">${texts.daily.you}</span>`}</td>
    <td><b>${told(row.score)}</b></td><td><b class=${row.loss ? "cost" : "cost ok"}>${row.loss ? `−${shownCost(row.loss)}` : texts.daily.none}</b></td></tr>`;
}

// The text that a player can share: copied, or handed to the phone's share sheet. It shows no roll and no slot.

const MARKS = ["🟩", "🟨", "⬛"]; // a best move, one that cost less than a point, one that cost more
const SHOWN = 2500; // ms for which a button says what it has done

/** @param {{text: string, day: string}} props  text: as the server wrote it. The link to the day is added here */
function Ticket({ text, day }) {
  const url = new URL(link("daily", { day }), location.href).href;
  const lines = [...text.split("\n"), url];
  const place = lines.findIndex((line) => /^[🟩🟨⬛]+$/u.test(line));
  const source = useRef(null);
  const [done, setDone] = useState("");
  useEffect(() => {
    if (!done) return undefined;
    const timer = setTimeout(() => setDone(""), SHOWN);
    return () => clearTimeout(timer);
  }, [done]);
  const copy = async () => {
    const isCopied = await copyText(lines.join("\n"), source.current);
    setDone(isCopied ? texts.daily.copied : texts.daily.copyByHand);
    announce(isCopied ? texts.daily.copied : texts.daily.copyFailed);
  };
  const canShare = typeof navigator.share === "function" && matchMedia("(pointer: coarse)").matches;
  const share = async () => {
    try {
      await navigator.share({ text, url });
    } catch (error) {
      if (error.name !== "AbortError") await copy(); // closed by the player: nothing to do
    }
  };
  return html`<section class="ticket" aria-label=${texts.daily.ticket}>
    <pre ref=${source}>${lines.map((line, at) => (at === place
      ? html`<span class="dots" role="img" aria-label=${texts.daily.marks(...MARKS.map((mark) => [...line].filter((one) => one === mark).length))}>${line}</span>`
      : line + (at < lines.length - 1 && at + 1 !== place ? "\n" : "")))}</pre>
    <p class="xs muted"><span aria-hidden="true">${texts.daily.marksKey(...MARKS)} </span>${texts.daily.noSpoilers}</p>
    <div class=${canShare ? "pair" : "stack"}>
      <button type="button" class=${canShare ? "btn quiet" : "btn"} onClick=${copy}>${done || texts.daily.copy}</button>
      ${canShare && html`<button type="button" class="btn" onClick=${share}>${texts.daily.share}</button>`}
    </div>
  </section>`;
}

// Past days: the player's scores, and their rolls to practise.

const FIRST = 7;
const MORE = 30;

/** @param {{next: string}} props  when the next daily game begins */
function Archive({ next: begins }) {
  const [{ days, next, isBusy, failed }, show] = useState({ days: [], next: null, isBusy: true, failed: false });
  const load = async (before, limit) => {
    show((now) => ({ ...now, isBusy: true, failed: false }));
    try {
      const page = await get(`/daily/archive?limit=${limit}${before ? `&before=${before}` : ""}`);
      show((now) => ({ days: [...(before ? now.days : []), ...page.days], next: page.next, isBusy: false, failed: false }));
    } catch (error) {
      expected(error);
      show((now) => ({ ...now, isBusy: false, failed: true }));
    }
  };
  useEffect(() => void load(null, FIRST), []);
  return html`<section class="stack"><h2>${texts.daily.pastDays}</h2>
    <p class="s muted">${texts.daily.pastDaysText(timeOf(begins))}</p>
    ${days.length > 0 && html`<table class="archive"><caption class="vh">${texts.daily.pastDaysCaption}</caption>
      <thead><tr><th scope="col">${texts.daily.day}</th><th scope="col">${texts.daily.youHead}</th><th scope="col">${texts.daily.perfectHead}</th><th scope="col"><span class="vh">${texts.daily.action}</span></th></tr></thead>
      <tbody>${days.map((day) => html`<${Day} key=${day.day} found=${day} />`)}</tbody></table>`}
    ${failed && html`<p class="note" role="status"><b>${texts.daily.pastDaysFailed}</b> ${texts.shell.nothingLost}</p>`}
    ${!isBusy && (next || failed) && html`<button type="button" class="btn quiet small" onClick=${() => load(days.at(-1)?.day ?? null, days.length ? MORE : FIRST)}>
      ${failed ? texts.shell.tryAgain : texts.daily.earlierDays}</button>`}
  </section>`;
}

function Day({ found }) {
  const { day, number, own, open, optimal } = found;
  const name = html`<b>${shortDay(day)}</b> <span class="muted">${texts.daily.heading(number)}</span>`;
  return html`<tr><td>${own ? html`<a class="day" href=${link("daily", { day })}>${name}</a>` : html`<span class="day">${name}</span>`}</td>
    <td>${own ? html`${told(own.score)}${own.kind === "solo" && html`<span class="vh"> ${texts.daily.practice}</span><span class="muted" aria-hidden="true">*</span>`}` : ""}</td>
    <td>${optimal === null ? "" : told(optimal)}</td>
    <td>${open ? html`<a class="btn quiet small" href=${link("game", { id: open })}>${texts.daily.goOn}</a>` : html`<${Practise} day=${day} isAgain=${own !== null} />`}</td></tr>`;
}

/**
 * The button that begins practice on a day.
 * @param {{day: string, isAgain?: boolean, label?: string}} props
 */
export function Practise({ day, isAgain = false, label }) {
  const [state, show] = useState("");
  const begin = async () => {
    show("busy");
    try {
      const game = await post(`/daily/${day}`, { coach: setting("coach") });
      go(link("game", { id: game.id }));
    } catch (error) {
      show(expected(error) instanceof Problem ? error.detail : texts.shell.serviceAway);
    }
  };
  return html`<button type="button" class=${label ? "btn" : "btn quiet small"} disabled=${state === "busy"} aria-label=${label ? undefined : (isAgain ? texts.daily.playAgainOn : texts.daily.practiseOn)(shortDay(day))}
      onClick=${begin}>${label ?? (isAgain ? texts.daily.again : texts.daily.practise)}</button>${state && state !== "busy" && html`<p class="wrong" role="alert">${state}</p>`}`;
}

// The daily game on the table: the board of Play without a coach, and the results when it is over.

/** The key of the game on this device. */
const KEY = "daily";

/**
 * @param {object} props
 * @param {object | null} props.game  the Game of the API; null: the one on this device, while the server is away
 * @param {any} props.name  shown at the end of the header
 * @param {() => void} props.finish  called when every roll is placed and the server has it, or there is no game
 */
function DailyTable({ game, name, takesFocus = false, finish }) {
  const keeper = useSolo(game, KEY);
  const { solo } = keeper;
  const isDone = solo === null || isOver(solo);
  useEffect(() => {
    if (!isDone) return;
    if (solo) announce(texts.daily.saidOver(told(score(positionOfSolo(solo)))));
    Promise.resolve(finish()).then(() => document.activeElement === document.body && document.querySelector("main h1")?.focus());
  }, [isDone]);
  useEffect(() => void styleOf("play"), []);
  if (isDone) {
    return html`<${Shell} page="daily"><div class="daily"><h1 class="vh">${texts.daily.game}</h1><section class="felt cloth blank"></section>
      <div class="page"><${Loading} text=${texts.daily.loadingScores} /></div></div><//>`;
  }
  return html`<${Shell} page="daily" hasActions end=${html`<span class="date s muted">${name}</span>`}>
    <h1 class="vh">${texts.daily.game}</h1>
    <${Table} keeper=${keeper} coach="off" takesFocus=${takesFocus} begin=${finish} />
  <//>`;
}

/**
 * The time to the next daily game, counted down.
 * @param {{until: string, done?: () => void}} props  until: an instant, ISO. done: called once when the time is up
 */
function Countdown({ until, done }) {
  const end = Date.parse(until);
  const [now, setNow] = useState(Date.now);
  const isCalled = useRef(false);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  const left = end - now;
  useEffect(() => {
    if (left > 0 || isCalled.current) return;
    isCalled.current = true;
    done?.();
  }, [left > 0]);
  return html`<time class="countdown" datetime=${until}>${left > 0 ? timeLeft(left) : texts.daily.moment}</time>`;
}

// The exact distribution of the perfect player's score in the classic game, computed once, after the page is drawn.

let classic = null;

/** @returns {?import("../game/scores.js").ScoreDistribution} null for a moment */
function useClassicDistribution() {
  const [distribution, show] = useState(classic);
  useEffect(() => {
    if (distribution) return undefined;
    const timer = setTimeout(() => {
      classic ??= scoreDistribution(start(gameOf()));
      show(classic);
    });
    return () => clearTimeout(timer);
  }, []);
  return distribution;
}
