// History: the player's games, the course of score and skill, the players by skill, and the player's data.
import { html, useEffect, useRef, useState } from "../html.js";
import { announce } from "../core/messages.js";
import { Away, Problem, apiAddress, del, get, patch, post } from "../core/api.js";
import { dateOf, timeOf } from "../core/dates.js";
import { count, decimal, exact2, points } from "../core/format.js";
import { kept } from "../core/kept.js";
import { go, link } from "../core/links.js";
import { useOnline } from "../core/online.js";
import { outbox } from "../core/outbox.js";
import { SETTINGS } from "../core/settings.js";
import { allSlots, gameOf } from "../game/game.js";
import { score } from "../game/position.js";
import { isFinishedRecord, parseRecord, readPasted, recordFromJson, recordToJson } from "../game/record.js";
import { valueOf } from "../game/thresholds.js";
import { recordPath } from "./review/links.js";
import { shownCost, told } from "../parts/scale.js";
import { Empty, Failed, Loading, OfflineNote } from "../parts/notes.js";
import { Shell } from "../parts/shell.js";
import { titleOf } from "../parts/titles.js";
import { texts } from "../texts.js";

export const title = texts.history.title;

/** @param {{params: {record?: string}}} props  record: a code that makes this device a player, from the fragment */
export default function Page({ params }) {
  const [{ status, me, games, skill, board, brought }, show] = useState({ status: "loading" });
  const online = useOnline();
  const load = async () => {
    try {
      const me = await get("/me");
      const [games, skill, board, brought] = await Promise.all([get(firstPath()), get("/me/skill"), get("/skill"), broughtGames()]);
      show({ status: "ready", me, games, skill, board, brought });
    } catch (error) {
      if (!(error instanceof Away || error instanceof Problem)) throw error;
      show((now) => ({ ...now, status: "failed" }));
    }
  };
  useEffect(() => {
    load();
    return outbox.watch(({ kind }) => void (kind === "records" && load()));
  }, []);
  useEffect(() => {
    if (online && status === "failed") load();
  }, [online]);
  const isThere = me !== undefined;
  return html`<${Shell} page="history"><div class="page history">
    <header class="stack tight whole"><h1>${texts.history.title}</h1>${isThere && html`<p class="muted">${whoWords(me)}</p>`}<${OfflineNote} text=${isThere ? texts.history.offlineOld : texts.history.offline} again=${status === "failed" ? load : undefined}><a class="btn quiet" href=${link("play")}>${texts.history.playAlone}</a><//></header>
    ${isThere && params.record && html`<div class="whole"><${TakeOver} code=${params.record} me=${me} /></div>`}
    ${!isThere && status === "loading" && html`<${Loading} text=${texts.history.loading} />`}
    ${!isThere && online && status === "failed" && html`<div class="whole"><${Failed} what=${texts.history.failed} safe=${texts.history.safe} again=${load}><a class="btn quiet" href=${link("play")}>${texts.history.playAlone}</a><//></div>`}
    ${isThere && html`<div class="stack wide-gap"><${Games} key=${me.games} first=${games} hasOthers=${brought.length > 0} /><${Brought} games=${brought} /></div>
      <div class="stack wide-gap">
        ${skill.course.length > 0 && html`<${Course} skill=${skill} par=${par()} />`}
        <${Players} board=${board} />
      </div>
      <div class="account whole"><${Name} key=${me.shown} me=${me} change=${(found) => { show((now) => ({ ...now, me: found })); load(); }} />
        <${AnotherDevice} />
        <${Records} games=${me.games} change=${load} />
        <${Leaving} me=${me} /></div>`}
  </div><//>`;
}

/** Par of the classic game. */
function par() {
  const game = gameOf();
  return valueOf(game, allSlots(game));
}

function whoWords({ shown, games, finished }) {
  return texts.history.who(shown, games && texts.history.finishedOf(count(finished), count(games)));
}

// The board of players by skill: whose moves lose least, and this player.

const SHOWN = 10;

/** @param {{board: object}} props  of GET /skill */
export function Players({ board: { players, own } }) {
  const listed = players.slice(0, SHOWN);
  const place = own ? players.findIndex((row) => row.rank === own.rank && row.name === own.name && row.cost === own.cost) : -1;
  const isPinned = own && (place < 0 || place >= SHOWN);
  return html`<section class="stack"><h2>${texts.history.players}</h2>
    ${players.length ? html`<table class="names skill-board"><caption class="vh">${texts.history.playersCaption}</caption>
      <thead><tr>${texts.history.playersHead.map((head) => html`<th key=${head} scope="col">${head}</th>`)}</tr></thead>
      <tbody>${listed.map((row, at) => html`<${Row} key=${at} row=${row} isYou=${at === place} />`)}
        ${isPinned && html`<tr class="gap" aria-hidden="true"><td colspan="4">⋯</td></tr><${Row} row=${own} isYou />`}</tbody></table>`
      : html`<p class="muted">${texts.history.nobody}</p>`}
    ${players.length > 0 && html`<p class="s muted">${texts.history.playersKey}</p>`}
  </section>`;
}

function Row({ row, isYou }) {
  return html`<tr class=${isYou ? "is-you" : ""}><td>${row.rank}</td><td>${row.name}${isYou && html` <span class="you-mark">${texts.history.you}</span>`}</td>
    <td>${row.games}</td><td><b>${exact2(row.cost)}</b> <span class="band">± ${exact2(row.error)}</span></td></tr>`;
}

// The player's games, the latest first: what was played, its score and cost, and a link to go on or to review it.

const FIRST = 12; // games
const MORE = 200;
const KINDS = ["", "solo", "daily", "duel"];

/** Where the service has the latest games. */
const firstPath = () => historyPath(FIRST);

function historyPath(limit, kind = "", before = null) {
  return `/me/history?${new URLSearchParams({ limit: String(limit), ...(kind && { kind }), ...(before && { before }) })}`;
}

/**
 * The list.
 * @param {{first: {games: object[], next: string | null}, hasOthers: boolean}} props  first: the latest, of GET /me/history, which
 *   come with the page, so that nothing moves; hasOthers: whether there are games that came as records
 */
export function Games({ first, hasOthers }) {
  const [kind, setKind] = useState("");
  const [{ games, next, status }, show] = useState({ ...first, status: "ready" });
  const asked = useRef(0); // counts what was asked for: the last one is shown
  const load = async (wanted, before, limit) => {
    const time = (asked.current += 1);
    show((now) => ({ ...now, status: "loading" }));
    try {
      const page = await get(historyPath(limit, wanted, before));
      if (time === asked.current) show((now) => ({ games: before ? [...now.games, ...page.games] : page.games, next: page.next, status: "ready" }));
    } catch (error) {
      if (!(error instanceof Away || error instanceof Problem)) throw error;
      if (time === asked.current) show((now) => ({ games: before ? now.games : [], next: before, status: "failed" }));
    }
  };
  const pick = (wanted) => {
    setKind(wanted);
    load(wanted, null, FIRST);
  };
  return html`<section class="stack own-games"><div class="row between"><h2>${texts.history.games}</h2>
      <div class="seg" role="group" aria-label=${texts.history.which}>${KINDS.map((name) => html`<button type="button" key=${name} aria-pressed=${String(kind === name)} onClick=${() => pick(name)}>${texts.history.kinds[name || "all"]}</button>`)}</div></div>
    ${games.length > 0 && html`<p class="s muted">${texts.history.gamesKey}</p>
      <ul class="games" aria-busy=${String(status === "loading")} aria-label=${texts.history.gamesList}>${games.map((game) => html`<${Game} key=${game.id} game=${game} />`)}</ul>`}
    ${status === "ready" && !games.length && html`<${Empty} lead=${kind || hasOthers ? texts.history.noneOfThese : texts.history.none} text=${texts.history.noneText}
      action=${texts.history.playGame} href=${link(kind === "daily" || kind === "duel" ? kind : "play")} />`}
    ${status === "loading" && !games.length && html`<${Loading} text=${texts.history.loading} />`}
    ${status === "failed" && html`<${Failed} what=${texts.history.gamesFailed} safe=${texts.history.safe} again=${() => load(kind, next, next ? MORE : FIRST)} />`}
    ${status !== "failed" && next && html`<button type="button" class="btn quiet small" disabled=${status === "loading"} onClick=${() => load(kind, next, MORE)}>${texts.history.older}</button>`}
  </section>`;
}

function Game({ game }) {
  const { id, kind, finished, score, loss } = game;
  const href = finished && kind !== "duel" ? link("review", { id }) : link("game", { id });
  const state = stateWords(game);
  return html`<li><a href=${href}>
    <span class="what"><b>${titleOf(game)}</b><span class="s muted">${whenWords(finished ?? game.created)}${state && `, ${state}`}</span></span>
    ${finished ? html`<span class="made"><b>${score === null ? "" : told(score)}</b>${loss !== null && html`<span class=${loss ? "cost" : "cost ok"}>${loss ? `−${shownCost(loss)}` : texts.history.noMistake}</span>`}</span>`
      : html`<span class="made go">${texts.history.goOn}</span>`}
  </a></li>`;
}

// The course of score and of skill over the games that count, as two small charts with tables; one point per game.

const HEIGHT = 170;
const SIDE = { left: 36, right: 8, top: 14, bottom: 22 };
const FEW = 10; // games from which a player is rated
const WINDOW = 30; // games that a rating, and a running mean, is of
const DOTTED = 200; // games that are shown one by one

/**
 * @param {{skill: object, par: number}} props  skill: of GET /me/skill. par: what the perfect player makes on average
 */
function Course({ skill: { course, own, players }, par }) {
  const last = course.at(-1);
  const scored = course.filter(({ score }) => score !== null); // a game that was left has none
  const mean = scored.reduce((sum, { score }) => sum + score, 0) / scored.length;
  const rest = FEW - course.length;
  return html`<section class="stack"><h2>${texts.history.skill}</h2>
    <dl class="facts">
      <div><dt>${texts.history.choiceCosts}</dt><dd>${exact2(last.cost)} ${last.error !== null && html`<span class="band">± ${exact2(last.error)}</span>`}</dd></div>
      <div><dt>${texts.history.rank}</dt><dd>${own ? html`${own.rank} <span class="band">${texts.history.ofPlayers(players)}</span>` : "–"}</dd></div>
    </dl>
    <p class="s muted">${texts.history.skillText(last.games, last.error !== null)} ${rest > 0 && texts.history.toRating(rest)}</p>
    <${Chart} label=${texts.history.skillChart(course.length, exact2(last.cost))} kind="of-skill"
      values=${course.map(({ cost }) => cost)} bands=${course.map(({ cost, error }) => (error === null ? [cost, cost] : [Math.max(0, cost - error), cost + error]))} from=${0}
      head=${texts.history.choiceCost} write=${exact2} dates=${course.map(({ finished }) => finished)} />
    ${scored.length > 0 && html`<h3>${texts.history.score}</h3>
    <p class="s muted">${texts.history.scoreText(points(mean), scored.length, exact2(par), WINDOW)}</p>
    <${Chart} label=${texts.history.scoreChart(scored.length, exact2(par))} kind="of-scores" values=${scored.map(({ score }) => score)}
      drawn=${runningMeans(scored.map(({ score }) => score))} line=${par} lineName=${texts.history.par} head=${texts.history.score} write=${told} dates=${scored.map(({ finished }) => finished)} />`}
  </section>`;
}

/** The mean of the last games up to each. */
function runningMeans(values) {
  return values.map((_, place) => {
    const last = values.slice(Math.max(0, place + 1 - WINDOW), place + 1);
    return last.reduce((sum, value) => sum + value, 0) / last.length;
  });
}

/** Points in their order, the line that is drawn for them, a band around it, another line across. */
function Chart({ label, kind, values, drawn = values, bands = null, line = null, lineName = "", from = null, head, write, dates }) {
  const [frame, width] = useWidth(340);
  const all = [...values, ...(bands ?? []).flat(), ...(line === null ? [] : [line])];
  const low = from ?? Math.min(...all);
  const high = Math.max(...all);
  const ticks = ticksOf(low, high);
  const [bottom, top] = [Math.min(low, ticks[0]), Math.max(high, ticks.at(-1))];
  const x = (place) => round(SIDE.left + (values.length > 1 ? place / (values.length - 1) : 0.5) * (width - SIDE.left - SIDE.right));
  const y = (value) => round(SIDE.top + ((top - value) / (top - bottom || 1)) * (HEIGHT - SIDE.top - SIDE.bottom));
  const path = drawn.map((value, place) => `${place ? "L" : "M"}${x(place)} ${y(value)}`).join("");
  const band = bands && `M${bands.map(([, most], place) => `${x(place)} ${y(most)}`).join("L")}L${bands.map(([least], place) => `${x(place)} ${y(least)}`).reverse().join("L")}Z`;
  const isDotted = values.length <= DOTTED;
  return html`<figure class=${`course ${kind}`} ref=${frame}>
    <svg width=${width} height=${HEIGHT} viewBox=${`0 0 ${width} ${HEIGHT}`} role="img" aria-label=${label}>
      ${ticks.map((tick) => html`<g key=${tick}><path class="rule" d=${`M${SIDE.left} ${y(tick)}H${width - SIDE.right}`} /><text x=${SIDE.left - 6} y=${y(tick) + 4} text-anchor="end">${shortTick(tick)}</text></g>`)}
      ${band && html`<path class="band-fill" d=${band} />`}
      ${line !== null && html`<path class="par-line" d=${`M${SIDE.left} ${y(line)}H${width - SIDE.right}`} /><text class="par-word" x=${width - SIDE.right} y=${y(line) - 5} text-anchor="end">${lineName}</text>`}
      <path class="course-line" d=${path} />
      ${isDotted && values.map((value, place) => html`<circle key=${place} class="course-dot" cx=${x(place)} cy=${y(value)} r="2.5" />`)}
      <circle class="course-last" cx=${x(values.length - 1)} cy=${y(drawn.at(-1))} r="4.5" />
      <text x=${SIDE.left} y=${HEIGHT - 4}>${dateOf(dates[0])}</text>
      ${dateOf(dates[0]) !== dateOf(dates.at(-1)) && html`<text x=${width - SIDE.right} y=${HEIGHT - 4} text-anchor="end">${dateOf(dates.at(-1))}</text>`}
    </svg>
    <div class="vh"><table><caption>${label}</caption><thead><tr><th scope="col">${texts.history.game}</th><th scope="col">${texts.history.date}</th><th scope="col">${head}</th></tr></thead>
      <tbody>${values.map((value, place) => html`<tr key=${place}><th scope="row">${place + 1}</th><td>${dateOf(dates[place])}</td><td>${write(value)}</td></tr>`)}</tbody></table></div>
  </figure>`;
}

const round = (pixels) => Math.round(pixels * 10) / 10;
const shortTick = (tick) => decimal(String(Number(tick.toFixed(4))));

/** Three to five round numbers between two. */
function ticksOf(low, high) {
  const reach = Math.max(high - low, 1e-6);
  const power = 10 ** Math.floor(Math.log10(reach / 3));
  const step = [1, 2, 5, 10].map((part) => part * power).find((part) => reach / part <= 4.5);
  const ticks = [];
  for (let tick = Math.ceil(low / step - 1e-9) * step; tick <= high + 1e-9; tick += step) ticks.push(tick);
  return ticks.length ? ticks : [low];
}

/** The width of an element, kept up to date. */
function useWidth(first) {
  const frame = useRef(null);
  const [width, setWidth] = useState(first);
  useEffect(() => {
    const watcher = new ResizeObserver(([{ contentRect }]) => contentRect.width && setWidth(Math.round(contentRect.width)));
    watcher.observe(frame.current);
    return () => watcher.disconnect();
  }, []);
  return [frame, width];
}

// What others see in lists: a name, or "Guest" and four digits.

const LONGEST = 30;

/** @param {{me: object, change: (me: object) => void}} props  me: of GET /me */
function Name({ me, change }) {
  const [text, setText] = useState(me.name ?? "");
  const [{ wrong, isBusy, said }, show] = useState({ wrong: "", isBusy: false, said: "" });
  const isSame = text.trim() === (me.name ?? "");
  const keep = async (event) => {
    event.preventDefault();
    show({ wrong: "", isBusy: true, said: "" });
    try {
      const found = await patch("/me", { name: text.trim() || null });
      change(found);
      setText(found.name ?? "");
      show({ wrong: "", isBusy: false, said: texts.history.seenAs(found.shown) });
      announce(texts.history.seenAs(found.shown));
    } catch (error) {
      if (!(error instanceof Away || error instanceof Problem)) throw error;
      show({ wrong: error instanceof Problem ? error.detail : texts.history.nameFailed, isBusy: false, said: "" });
    }
  };
  return html`<form class="stack" onSubmit=${keep}><h2>${texts.history.name}</h2>
    <div class="field"><label for="name">${texts.history.nameLabel[0]}<b>${me.shown}</b>${texts.history.nameLabel[1]}</label>
      <div class="in-line"><input id="name" class="in" type="text" value=${text} maxlength=${LONGEST * 2} autocomplete="nickname" placeholder=${me.shown}
          aria-invalid=${wrong ? "true" : undefined} aria-describedby="name-said" onInput=${(event) => setText(event.currentTarget.value)} />
        <button type="submit" class="btn small" disabled=${isBusy || isSame}>${text.trim() || !me.name ? texts.history.saveName : texts.history.removeName}</button></div>
      <p id="name-said" class=${wrong ? "wrong" : "s muted"} role=${wrong ? "alert" : undefined}>${wrong || said || texts.history.nameRule(LONGEST)}</p></div>
  </form>`;
}

// All games as records: export to a file, import from a file or from pasted text.

const MOST_BYTES = 1_500_000; // of a request; the service takes a little more
const MOST_LINES = 10_000;
const TOLD = 20; // rejected lines that are shown

/** @param {{games: number, change: () => void}} props  games: how many there are. change: called when some came */
export function Records({ games, change }) {
  const [text, setText] = useState("");
  const [{ wrong, isBusy, found }, show] = useState({ wrong: "", isBusy: false, found: null });
  const bring = async (whole) => {
    show({ wrong: "", isBusy: true, found: null });
    try {
      const result = await brought(whole);
      show({ wrong: "", isBusy: false, found: result });
      announce(texts.history.imported(result));
      if (result.imported) change();
      if (!result.bad) setText("");
    } catch (error) {
      if (!(error instanceof Away || error instanceof Problem)) throw error;
      show({ wrong: error instanceof Problem ? error.detail : texts.history.importFailed, isBusy: false, found: null });
    }
  };
  const choose = async (event) => {
    const [file] = event.currentTarget.files;
    event.currentTarget.value = "";
    if (file) await bring(await file.text());
  };
  return html`<section class="stack"><h2>${texts.history.records}</h2>
    <p class="muted">${texts.history.recordsText[0]}<code>ten18 review</code>${texts.history.recordsText[1]}</p>
    <div class="row">
      ${games > 0 ? html`<a class="btn quiet small" href=${apiAddress("/me/games")} download="games.ndjson">${texts.history.download}</a>` : html`<p class="s muted">${texts.history.noDownload}</p>`}
      <label class="btn quiet small file">${texts.history.chooseFile}<input type="file" accept=".ndjson,.jsonl,.json,.txt,application/x-ndjson,text/plain" disabled=${isBusy} onChange=${choose} /></label>
    </div>
    <div class="field"><label for="pasted">${texts.history.paste}</label>
      <textarea id="pasted" class="in" rows="3" spellcheck="false" autocapitalize="off" autocomplete="off" value=${text} onInput=${(event) => setText(event.currentTarget.value)}></textarea></div>
    <div class="row"><button type="button" class="btn small" disabled=${isBusy || !text.trim()} onClick=${() => bring(text)}>${texts.history.importButton}</button></div>
    ${wrong && html`<p class="wrong" role="alert">${wrong}</p>`}
    ${found && html`<${Taken} found=${found} />`}
  </section>`;
}

function Taken({ found }) {
  const { bad, bad_lines: lines } = found;
  return html`<div class=${bad ? "note bad" : "note"}><p><b>${texts.history.imported(found)}</b> ${texts.history.importedText}</p>
    ${bad > 0 && html`<ul class="rejected s">${lines.slice(0, TOLD).map(({ line, reason }) => html`<li key=${line}>${texts.history.line(line)} ${reason}</li>`)}
      ${bad > TOLD && html`<li>${texts.history.more(bad - TOLD)}</li>`}</ul>`}</div>`;
}

/** Send records in parts that the service takes, and add up what it says. */
async function brought(whole) {
  const sum = { imported: 0, known: 0, bad: 0, bad_lines: [] };
  let first = 0; // lines before the part
  const lines = whole.split(/\r?\n/);
  for (const part of parts(lines.map(asJson))) {
    const found = await post("/me/games", part.join("\n"), { type: "application/x-ndjson" });
    sum.imported += found.imported;
    sum.known += found.known;
    sum.bad += found.bad;
    const before = first;
    sum.bad_lines.push(...found.bad_lines.map(({ line, reason }) => ({ line: line + before, reason: reasonOf(lines[line + before - 1]) ?? reason })));
    first += part.length;
  }
  return sum;
}

/** A line of text notation as a record in JSON; anything else as it is, for the service to judge. */
function asJson(line) {
  if (!line.trim() || line.trim().startsWith("{")) return line;
  try {
    return JSON.stringify(recordToJson(parseRecord(line)));
  } catch {
    return line;
  }
}

/** Why a line of text notation is no game; null for JSON, which the server judges. */
function reasonOf(line) {
  if (line.trim().startsWith("{")) return null;
  try {
    parseRecord(line);
    return null;
  } catch (error) {
    return error.message;
  }
}

function* parts(lines) {
  const encoder = new TextEncoder();
  let [part, bytes] = [[], 0];
  for (const line of lines) {
    const size = encoder.encode(line).length + 1;
    if (part.length && (bytes + size > MOST_BYTES || part.length >= MOST_LINES)) {
      yield part;
      [part, bytes] = [[], 0];
    }
    part.push(line);
    bytes += size;
  }
  if (part.some((line) => line.trim())) yield part;
}

// Games that the service has as records alone: played without the network and sent later, or imported.

const MOST = 50;

/** The latest of them, the latest first. @returns {Promise<import("../game/record.js").GameRecord[]>} */
async function broughtGames() {
  const lines = readPasted(String(await get(`/me/games?source=imported&limit=${MOST}`)));
  return lines.flatMap(({ value }) => readable(value)).sort((one, other) => String(other.tags.date ?? "").localeCompare(String(one.tags.date ?? "")));
}

function readable(value) {
  try {
    const record = recordFromJson(value);
    return isFinishedRecord(record) ? [record] : [];
  } catch {
    return []; // larger than this browser plays
  }
}

/** The list; nothing where there are none. @param {{games: import("../game/record.js").GameRecord[]}} props */
function Brought({ games }) {
  if (!games.length) return null;
  return html`<section class="stack own-games"><h2>${texts.history.others}</h2>
    <ul class="games" aria-label=${texts.history.othersList}>${games.map((game) => html`<${ImportedGame} key=${recordPath(game)} game=${game} />`)}</ul></section>`;
}

function ImportedGame({ game }) {
  const { position, opponent, tags } = game;
  const { dice, slots } = position.game;
  const what = opponent ? texts.history.duel : titleOf({ kind: "solo", dice, slots, coach: tags.coach ?? "off" });
  const date = Number.isNaN(Date.parse(tags.date)) ? "" : dateOf(tags.date);
  return html`<li><a href=${recordPath(game)}>
    <span class="what"><b>${what}</b><span class="s muted">${date}</span></span>
    <span class="made"><b>${told(score(position))}</b></span>
  </a></li>`;
}

// The same player on another device: a link that is good once, and what the other device sees when it is opened there.

/** Makes the link. */
function AnotherDevice() {
  const [{ address, until, wrong, isBusy }, show] = useState({ address: "", until: "", wrong: "", isBusy: false });
  const field = useRef(null);
  const make = async () => {
    show({ address: "", until: "", wrong: "", isBusy: true });
    try {
      const { code, expires } = await post("/me/link");
      show({ address: new URL(link("history", { record: code }), location.href).href, until: timeOf(expires), wrong: "", isBusy: false });
    } catch (error) {
      if (!(error instanceof Away || error instanceof Problem)) throw error;
      show({ address: "", until: "", wrong: texts.history.linkFailed, isBusy: false });
    }
  };
  const copy = async () => {
    field.current.select();
    try {
      await navigator.clipboard.writeText(address);
    } catch {
      document.execCommand("copy");
    }
    announce(texts.history.copied);
  };
  return html`<section class="stack"><h2>${texts.history.device}</h2>
    <p class="muted">${texts.history.deviceText}</p>
    ${address ? html`<div class="field"><label for="address">${texts.history.linkLabel(until)}</label>
        <div class="in-line"><input id="address" class="in" type="text" readonly ref=${field} value=${address} onFocus=${(event) => event.currentTarget.select()} />
          <button type="button" class="btn small" onClick=${copy}>${texts.history.copyLink}</button></div>
        <p class="s muted">${texts.history.linkSecret}</p></div>`
      : html`<div class="row"><button type="button" class="btn quiet small" disabled=${isBusy} onClick=${make}>${texts.history.makeLink}</button></div>`}
    ${wrong && html`<p class="wrong" role="alert">${wrong}</p>`}
  </section>`;
}

/**
 * What the other device is asked.
 * @param {{code: string, me: object}} props  me: the player of this device so far
 */
function TakeOver({ code, me }) {
  const [{ wrong, isBusy }, show] = useState({ wrong: "", isBusy: false });
  const take = async () => {
    show({ wrong: "", isBusy: true });
    try {
      await post("/link", { code });
      go(link("history"), { replace: true });
    } catch (error) {
      if (!(error instanceof Away || error instanceof Problem)) throw error;
      const isGone = error instanceof Problem;
      show({ wrong: isGone ? texts.history.linkGone : texts.history.linkAway, isBusy: false });
    }
  };
  return html`<section class="card stack"><p class="lead">${texts.history.takeOver}</p>
    <p class="muted">${texts.history.takeOverText} ${me.games > 0 && texts.history.takeOverLoss(me.games, me.shown)}</p>
    ${wrong && html`<p class="wrong" role="alert">${wrong}</p>`}
    <div class="row"><button type="button" class="btn" disabled=${isBusy} onClick=${take}>${texts.history.takeOverYes}</button>
      <a class="btn quiet" href=${link("history")}>${texts.history.takeOverNo(me.shown)}</a></div>
  </section>`;
}

// Delete everything: asked once what that means, and once more for a word to be typed.

/** @param {{me: object}} props  of GET /me */
function Leaving({ me }) {
  const [isOpen, open] = useState(false);
  return html`<section class="stack"><h2>${texts.history.leave}</h2>
    <p class="muted">${texts.history.leaveText}</p>
    <div class="row"><button type="button" class="btn quiet small" aria-haspopup="dialog" onClick=${() => open(true)}>${texts.history.leaveButton}</button></div>
    ${isOpen && html`<${Asked} me=${me} close=${() => open(false)} />`}
  </section>`;
}

function Asked({ me, close }) {
  const dialog = useRef(null);
  const field = useRef(null);
  const [isSure, setSure] = useState(false);
  const [typed, setTyped] = useState("");
  const [{ wrong, isBusy }, show] = useState({ wrong: "", isBusy: false });
  useEffect(() => dialog.current.showModal(), []);
  useEffect(() => {
    if (isSure) field.current.focus();
  }, [isSure]);
  const leave = async (event) => {
    event.preventDefault();
    if (typed.trim().toLowerCase() !== texts.history.leaveWord) {
      show({ wrong: texts.history.leaveWrong, isBusy: false });
      return;
    }
    show({ wrong: "", isBusy: true });
    try {
      await del("/me");
      await kept.clear(Object.keys(SETTINGS));
      location.assign(link("history"));
    } catch (error) {
      if (!(error instanceof Away || error instanceof Problem)) throw error;
      show({ wrong: texts.history.leaveFailed, isBusy: false });
    }
  };
  const what = texts.history.gamesOf(me.games, me.shown);
  return html`<dialog class="sheet-up stack" ref=${dialog} aria-labelledby="leave-title" onClose=${close}>
    <h2 id="leave-title">${isSure ? texts.history.leaveType : texts.history.leaveAsk}</h2>
    ${!isSure && html`<p>${texts.history.leaveAskText(what)}</p>
      <div class="pair"><button type="button" class="btn quiet" onClick=${() => setSure(true)}>${texts.history.leaveYes}</button><button type="button" class="btn" onClick=${() => dialog.current.close()}>${texts.history.leaveNo}</button></div>`}
    ${isSure && html`<form class="stack" onSubmit=${leave}>
      <div class="field"><label for="word">${texts.history.leaveLabel(what)}<b>${texts.history.leaveWord}</b>${texts.history.leaveLabelEnd}</label>
        <input id="word" class="in" type="text" ref=${field} value=${typed} autocomplete="off" autocapitalize="off" spellcheck="false" onInput=${(event) => setTyped(event.currentTarget.value)} /></div>
      ${wrong && html`<p class="wrong" role="alert">${wrong}</p>`}
      <div class="pair"><button type="submit" class="btn quiet" disabled=${isBusy}>${texts.history.leaveForGood}</button><button type="button" class="btn" onClick=${() => dialog.current.close()}>${texts.history.leaveNo}</button></div>
    </form>`}
  </dialog>`;
}

// A game of the list in words: what was played, when, how it ended. No DOM.

/** When something was, where the reader is: "today, 14:05", "16 Nov", with its year where that is another. @param {string} instant ISO */
function whenWords(instant) {
  return new Date(instant).toDateString() === new Date().toDateString() ? texts.history.today(timeOf(instant)) : dateOf(instant);
}

/** Its state: "round 4 of 10", "won". @param {object} game */
function stateWords({ finished, placed, slots, result, ended_by: endedBy }) {
  if (!finished) return texts.history.roundOf(Math.min(placed + 1, slots.length), slots.length);
  const won = texts.history.results[result] ?? "";
  const end = texts.history.ends[endedBy];
  return end ? `${won || texts.history.ended}, ${end}` : won;
}
