// Daily: one game a day, the same rolls for everybody, one attempt; then the scores of the day, and past days to practise on.
import { html, useEffect, useState } from "../html.js";
import { Away, Problem, get, post } from "../core/api.js";
import { kept } from "../core/kept.js";
import { link } from "../core/links.js";
import { useOnline } from "../core/online.js";
import { Empty, Failed, Loading, OfflineNote } from "../parts/notes.js";
import { Shell } from "../parts/shell.js";
import { isOver, isSolo } from "../solo/rounds.js";
import { Archive, Practise } from "./daily/archive.js";
import { Countdown } from "./daily/countdown.js";
import { longDay, streakWords, weekOf } from "./daily/days.js";
import { OwnDays, Reached, Result } from "./daily/result.js";
import { DailyTable, KEY } from "./daily/table.js";

export const title = "Daily";

const DAY = 86_400_000; // ms

/**
 * @param {{params: {day?: string}, game?: object}} props  game: a Game of the API, as of /game/{id}
 */
export default function Page({ params, game = null }) {
  const [state, show] = useState({ status: "loading" });
  const wanted = game?.day ?? params.day ?? null;
  const load = async () => {
    show((now) => ({ ...now, status: now.today ? "ready" : "loading" }));
    try {
      show({ status: "ready", ...(await found(wanted, game)) });
    } catch (error) {
      if (!(error instanceof Away || error instanceof Problem)) throw error;
      show((now) => ({ ...now, status: "failed" }));
    }
  };
  useEffect(() => void load(), [wanted]);
  const online = useOnline();
  useEffect(() => {
    if (online && state.status === "failed") load();
  }, [online]);

  if (state.status === "ready" && state.table) {
    return html`<${DailyTable} key=${state.table.id} game=${state.table} name=${longDay(state.day)} finish=${load} />`;
  }
  if (state.status === "failed" && !state.today && isKept()) {
    return html`<${DailyTable} game=${null} name="Daily" finish=${load} />`;
  }
  const day = state.day ?? wanted ?? new Date().toISOString().slice(0, 10); // the service's, when it has answered
  return html`<${Shell} page="daily" end=${isDay(day) && !state.isNone && html`<span class="date s muted">${longDay(day)}</span>`}>
    <div class="daily">${view(state, show, load)}</div>
  <//>`;
}

function view(state, show, load) {
  if (state.status === "loading") return html`<h1 class="vh">Daily</h1><section class="felt cloth blank"></section><div class="page"><${Loading} /></div>`;
  if (state.status === "failed" && (state.table || !state.today)) return html`<${NotThere} again=${load} />`;
  if (state.isNone) return html`<${NoDay} />`;
  const { today, own, name, number, result, day } = state;
  const isToday = day === today.day;
  const played = new Set(own.days.map((one) => one.day));
  return html`
    <section class="felt cloth" aria-label="The day">
      <h1 class=${result ? "vh" : "hero-name"}>Daily ${number}</h1>
      ${result && html`<${Reached} result=${result} />`}
      ${!result && isToday && html`<p>The same ten rolls for everybody, one attempt, no coach.</p>`}
      <div class="days"><${Week} day=${today.day} played=${played} streak=${own.streak} />
        <p class="s muted">${own.streak > 1 ? `${streakWords(own.streak)}. ` : ""}${lead(isToday, result)} <${Countdown} until=${today.next} come=${load} />.</p></div>
    </section>
    <div class="page">
      <${OfflineNote} text="The scores are as they were." />
      ${result && html`<${Result} result=${result} name=${name} isToday=${isToday} />`}
      <div class="result">
        <div class="stack wide-gap">
          ${!result && isToday && html`<${Invitation} today=${today} begin=${(game) => show({ ...state, table: game })} />`}
          ${!result && !isToday && html`<${NotPlayed} day=${day} />`}
          ${result && !isToday && html`<div class="row"><a class="btn" href=${link("daily")}>Today’s game</a><${Practise} day=${day} isAgain /></div>`}
          ${own.days.length > 0 && html`<${OwnDays} own=${own} />`}
        </div>
        <${Archive} />
      </div>
    </div>`;
}

/** What the countdown is for; the one attempt is spent when there is a result. */
function lead(isToday, result) {
  if (!isToday) return "The next daily begins in";
  return result ? "You have played today’s game, and there is one attempt a day. The next begins in" : "It ends in";
}

/** The seven days up to today. */
function Week({ day, played, streak }) {
  const days = weekOf(day, played);
  return html`<ol class="week" aria-label=${`The last seven days. ${streakWords(streak)}.`}>
    ${days.map((one) => html`<li key=${one.day}><i class=${one.isLast ? (one.isPlayed ? "today on" : "today") : one.isPlayed ? "on" : ""} aria-hidden="true">${one.isPlayed ? "✓" : ""}</i>
      <span aria-hidden="true">${one.letter}</span><span class="vh">${one.name}: ${one.isPlayed ? "played" : "not played"}</span></li>`)}
  </ol>`;
}

/** Before the game: what is to come, and one button. */
function Invitation({ today, begin }) {
  const [state, show] = useState("");
  const start = async () => {
    show("busy");
    try {
      begin(await post("/daily"));
    } catch (error) {
      if (!(error instanceof Away || error instanceof Problem)) throw error;
      show(error instanceof Problem ? error.detail : "The service is away. Nothing was begun.");
    }
  };
  const others = today.players === 0 ? "Nobody has begun it yet." : today.players === 1 ? "One player has begun it." : `${today.players} players have begun it.`;
  return html`<section class="stack invitation">
    <p class="lead">Today’s rolls are drawn and sealed.</p>
    <p class="muted">${others} The first roll is shown when you begin; you may leave and come back. The day’s scores are yours to see when your last roll is placed.</p>
    <button type="button" class="btn" disabled=${state === "busy"} onClick=${start}>Play today’s game</button>
    ${state && state !== "busy" && html`<p class="wrong" role="alert">${state}</p>`}
    <p class="s muted">Nobody can change them any more: <a href="/commitments">the commitments</a> let you check that later.</p>
  </section>`;
}

const NotPlayed = ({ day }) => html`<section class="card stack"><p class="lead">You have not played ${longDay(day)}.</p>
  <p class="muted">Its rolls are there to practise on. That counts nowhere; afterwards you see what the others made of them.</p>
  <div class="row"><${Practise} day=${day} label="Practise" /><a class="btn quiet" href=${link("daily")}>Today’s game</a></div></section>`;

const NoDay = () => html`<div class="page"><h1 class="vh">Daily</h1><${Empty} lead="There is no such day." text="It has not come yet, or it was before the first daily game."
  action="Today’s game" href=${link("daily")} /></div>`;

function NotThere({ again }) {
  const online = useOnline();
  return html`<div class="page"><h1 class="vh">Daily</h1>
    <${OfflineNote} text="The daily game needs the service. Solo, Drill and Lab work as usual." again=${again}><a class="btn quiet" href=${link("play")}>Play solo</a><//>
    ${online && html`<${Failed} what="The day did not come." safe="Nothing is lost." again=${again} />`}</div>`;
}

/** What there is of a day, today's where none is named; the game to go on with, or the scores. */
async function found(wanted, game) {
  const [today, own, { shown: name }] = await Promise.all([get("/daily"), get("/me/daily"), get("/me")]);
  const day = wanted ?? today.day;
  const common = { today, own, name, day, number: numberOf(day, today) };
  if (common.number < 1 || !(common.number <= today.number)) return { ...common, isNone: true };
  const id = game?.id ?? (day === today.day ? today.game : null);
  const table = id && (await get(`/games/${id}`));
  if (table && !table.finished) return { ...common, table };
  const isPlayed = table ? true : day < today.day && (await wasPlayed(day));
  return { ...common, result: isPlayed ? await get(`/daily/${day}`) : null };
}

/** Whether the player has finished a past day: then its scores are theirs to see. */
async function wasPlayed(day) {
  const after = new Date(Date.parse(`${day}T00:00:00Z`) + DAY).toISOString().slice(0, 10);
  const { days } = await get(`/daily/archive?limit=1&before=${after}`);
  return days[0]?.day === day && days[0].own !== null;
}

/** The number of a day; not a number where it is none. */
function numberOf(day, today) {
  return isDay(day) ? today.number - Math.round((Date.parse(today.day) - Date.parse(day)) / DAY) : NaN;
}

const isDay = (day) => /^\d{4}-\d\d-\d\d$/.test(day) && !Number.isNaN(Date.parse(`${day}T00:00:00Z`));

/** Whether a daily game in play is kept here, to go on with while the service is away. */
function isKept() {
  const solo = kept.get(KEY, null);
  return isSolo(solo) && !isOver(solo);
}
