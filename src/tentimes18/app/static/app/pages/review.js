// Review: what was luck and what was choice. A finished game of the player's, a shared one, or any record.
import { html, useCallback, useEffect, useState } from "../html.js";
import { Problem, expected, get, post } from "../core/api.js";
import { dateOfTag } from "../core/dates.js";
import { count, exact2 } from "../core/format.js";
import { PAGES, go, link } from "../core/links.js";
import { useOnline } from "../core/online.js";
import { gameOf } from "../game/game.js";
import { isFinished, replay, score, start } from "../game/position.js";
import { formatRecord, parseMoves, parseRecord, readPasted, recordFromJson, recordOf } from "../game/record.js";
import { review } from "../game/review.js";
import { atMost, isQuick, scoreDistribution } from "../game/scores.js";
import { Wrong } from "../game/wrong.js";
import { recordPath, shortText } from "./review/links.js";
import { Review } from "./review/reviewed.js";
import { Empty, Failed, Loading } from "../parts/notes.js";
import { titleOf } from "../parts/titles.js";
import { told } from "../parts/scale.js";
import { Shell } from "../parts/shell.js";
import { finishedHere } from "../solo/finished.js";
import { texts } from "../texts.js";

const CODE_LENGTH = 10; // of a shared game; the id of a game is longer

export const title = texts.review.title;

/** @param {{params: {id?: string, record?: string}, query: Record<string, string>}} props */
export default function Page({ params: { id, record } }) {
  const [{ reviewed, error }, show] = useState({});
  const load = useCallback(async () => {
    show({});
    try {
      if (id) show({ reviewed: await (id.length === CODE_LENGTH ? reviewOfShare(id) : reviewOfGame(id)) });
      else if (record) show({ reviewed: await reviewOfRecord(parseRecord(record), (early) => show({ reviewed: early })) });
    } catch (problem) {
      show({ error: problem });
    }
  }, [id, record]);
  useEffect(() => void load(), [load]);
  if (reviewed) return html`<${Shell} page="review"><${Review} reviewed=${reviewed} /><//>`;
  if (error instanceof Wrong || !(id || record)) return html`<${Shell} page="review"><${Begin} text=${record} problem=${error?.message} /><//>`;
  return html`<${Shell} page="review"><div class="page"><h1 class="vh">${texts.review.title}</h1>${error ? html`<${NotLoaded} id=${id} error=${error} again=${load} />` : html`<${Loading} text=${texts.review.loading} />`}</div><//>`;
}

/** Without a game in the address: the player's last games, and a field for any other. */
function Begin({ text, problem }) {
  return html`<div class="page begin">
    <section class="stack tight span"><h1>${texts.review.title}</h1><p class="lead muted">${texts.review.lead}</p></section>
    <${Recent} />
    <${Paste} text=${text} problem=${problem} />
  </div>`;
}

function NotLoaded({ id, error, again }) {
  const status = error instanceof Problem ? error.status : 0;
  if (status === 403) {
    return html`<${Empty} lead=${texts.review.playFirst} text=${texts.review.playFirstText}
      action=${texts.review.toGame} href=${error.day ? link("daily", { day: error.day }) : link("play")} />`;
  }
  if (status === 404) {
    return html`<${Empty} lead=${texts.review.missing} text=${id.length === CODE_LENGTH ? texts.review.missingShare : texts.review.missingText}
      action=${texts.review.reviewAnother} href=${link("review")} />`;
  }
  if (status === 409) {
    return html`<${Empty} lead=${texts.review.notOver} text=${texts.review.notOverText} action=${texts.review.goOn} href=${link("game", { id })} />`;
  }
  return html`<${Failed} what=${texts.review.loadFailed} safe=${texts.review.gameSafe} again=${again} />`;
}

// Any game, pasted or from a file: a line of text, a JSON record, or many of them, one per line, to pick from.

const MOST_SHOWN = 200; // records to pick from
const MOST_BYTES = 2_000_000; // of a file
const PAPERS = "8@5,4@1,16@10,13@9,8@2,12@6,8@4,11@7,18@8,12@3"; // a game as the paper's first figure has it

/**
 * The field for a game: when its text is a game, the review opens.
 * @param {{text?: string, problem?: string}} props  the record of the address, and what is wrong with it
 */
function Paste({ text: first = "", problem: known = "" }) {
  const [text, write] = useState(first);
  const [problem, setProblem] = useState(known);
  const [games, offer] = useState(null);
  const read = (source) => {
    const { records, bad } = recordsIn(source);
    offer(null);
    if (!records.length) setProblem(bad[0]?.reason ?? texts.review.nothingPasted);
    else if (records.length === 1 && !bad.length) go(recordPath(records[0].record));
    else {
      setProblem("");
      offer({ records, bad });
    }
  };
  const open = async ({ target }) => {
    const [file] = target.files;
    if (!file) return;
    if (file.size > MOST_BYTES) {
      setProblem(texts.review.fileTooLarge(file.name, count(file.size), count(MOST_BYTES)));
      return;
    }
    const content = await file.text();
    write(content);
    read(content);
  };
  const submit = (event) => {
    event.preventDefault();
    read(text);
  };
  return html`<details class="stack paste" open=${Boolean(first || known)}>
    <summary><h2>${texts.review.anyGame}</h2></summary>
    <form class="stack" onSubmit=${submit}>
      <div class="field"><label for="pasted">${texts.review.recordLabel}</label>
        <textarea class="in" id="pasted" rows="4" spellcheck="false" autocomplete="off" placeholder="3d6 1-10: 8@5 4@1 16@10 13@9" value=${text}
          aria-invalid=${problem ? "true" : null} aria-describedby=${problem ? "paste-problem" : null} onInput=${({ target }) => write(target.value)}></textarea></div>
      ${problem && html`<p class="wrong" id="paste-problem" role="alert">${problem}</p>`}
      <div class="row"><button class="btn" type="submit">${texts.review.submit}</button>
        <label class="btn quiet file">${texts.review.chooseFile}<input class="vh" type="file" accept=".txt,.json,.ndjson,text/plain,application/json" onChange=${open} /></label></div>
    </form>
    ${games && html`<${Picker} games=${games} />`}
    ${!games && html`<p class="s muted">${texts.review.notStored} <a href=${`#${PAPERS}`}>${texts.review.example}</a>.</p>`}
  </details>`;
}

function Picker({ games: { records, bad } }) {
  const shown = records.slice(0, MOST_SHOWN);
  return html`<div class="stack" role="group" aria-label=${texts.review.pickOne}>
    <p><b>${texts.review.games(records.length)}</b> ${bad.length > 0 && html`<span class="c-loss">${texts.review.badLines(bad.length, bad[0].line, bad[0].reason)}</span>`}
      ${records.length > MOST_SHOWN && texts.review.firstShown(MOST_SHOWN)}</p>
    <ol class="picker">${shown.map(({ record, line }) => html`<li key=${line}><a href=${recordPath(record)}>
      <b>${told(score(record.position))}</b> <span>${aboutOf(record)}</span></a></li>`)}</ol>
  </div>`;
}

function aboutOf({ position, opponent, tags }) {
  const { game, placements } = position;
  const parts = [dateOfTag(tags.date), tags.name, opponent && texts.review.against(tags.against ?? texts.review.anOpponent), texts.review.game(game.dice, game.slots)];
  if (placements.length < game.size) parts.push(texts.review.roundsPlayed(placements.length, game.size));
  return parts.filter(Boolean).join(" · ");
}

/** The games of a text, and the lines that are not games. @param {string} text */
function recordsIn(text) {
  const records = [];
  const bad = [];
  for (const found of readPasted(text)) {
    try {
      records.push({ line: found.line, record: "value" in found ? recordFromJson(found.value) : parseRecord(found.text) });
    } catch (error) {
      if (!(error instanceof Wrong)) throw error;
      bad.push({ line: found.line, reason: error.message });
    }
  }
  return { records, bad };
}

// The player's last games with score and cost; without the server, those on this device.

const SHOWN = 8;

/** The list. */
function Recent() {
  const [games, show] = useState(null);
  const online = useOnline();
  useEffect(() => {
    const stop = new AbortController();
    const found = online ? get(`/me/history?finished=true&limit=${SHOWN}`, { signal: stop.signal }).then((answer) => answer.games.map(ofService)) : ofDevice();
    found.catch(ofDevice).then((rows) => !stop.signal.aborted && show(rows));
    return () => stop.abort();
  }, [online]);
  return html`<section class="stack" aria-labelledby="recent-title"><h2 id="recent-title">${texts.review.recent}</h2>
    ${games === null && html`<${Loading} text=${texts.review.loadingGames} />`}
    ${games?.length === 0 && html`<${Empty} lead=${texts.review.noGames} action=${texts.shell.playGame} href=${link("play")} />`}
    ${games?.length > 0 && html`<ol class="picker">${games.map((game) => html`<${Game} key=${game.href} ...${game} />`)}</ol>
      ${PAGES.includes("history") && html`<p><a class="link" href=${link("history")}>${texts.review.allGames}</a></p>`}`}
  </section>`;
}

function Game({ href, points, about, cost }) {
  return html`<li><a href=${href}><b>${told(points)}</b> <span>${about.filter(Boolean).join(" · ")}</span>
    ${cost !== null && html`<span class=${cost ? "cost" : "cost ok"}>${cost ? `−${exact2(cost)}` : html`<span aria-hidden="true">✓</span><span class="vh">${texts.review.noCost}</span>`}</span>`}</a></li>`;
}

function ofService(game) {
  const { id, score: points, loss, created, finished } = game;
  return { href: link("review", { id }), points, cost: loss, about: [titleOf(game), dateOfTag(finished ?? created)] };
}

async function ofDevice() {
  const records = await finishedHere();
  return records.slice(0, SHOWN).map((record) => ({
    href: recordPath(record), points: score(record.position), cost: null, about: [titleOf({ kind: "solo", dice: record.position.game.dice, slots: record.position.game.slots, coach: record.tags.coach ?? "off" }), dateOfTag(record.tags.date)],
  }));
}

// A reviewed game: the player's by its id, a shared one by its code, or any record. The server measures it. Without the
// server the browser does, with the same numbers.

const ASKED = ["name", "date", "comment", "aim", "takebacks"]; // the tags that a review needs or shows
const TOO_MANY = 429;

/**
 * @typedef {object} Reviewed
 * @property {import("../game/record.js").GameRecord} record
 * @property {object} found  the fields of `ten18 review --json`
 * @property {boolean} isChance  measured by a chance (of a target, to win a duel) and not in points
 * @property {?object} source  the Game of the server, if it is the player's
 * @property {?string} code  of a shared game
 * @property {boolean} isShared  somebody else's game, as far as is known
 * @property {boolean} isHere  measured in the browser
 */

/** A finished game of the player's. @param {string} id @returns {Promise<Reviewed>} */
async function reviewOfGame(id) {
  const path = `/games/${encodeURIComponent(id)}`;
  const [found, source] = await Promise.all([get(`${path}/review`), get(path)]);
  return measured(recordOf(...boardsOf(found, tagsOf(found, source))), found, { source });
}

/** A game that somebody shares. @param {string} code @returns {Promise<Reviewed>} */
async function reviewOfShare(code) {
  const path = `/shares/${encodeURIComponent(code)}`;
  const { day, kind } = await get(path);
  try {
    const found = await get(`${path}/review`);
    return measured(recordOf(...boardsOf(found, { kind, day, aim: found.aim })), found, { code, isShared: true });
  } catch (error) {
    throw Object.assign(error, { day });
  }
}

function boardsOf(found, tags) {
  const game = gameOf(found.dice, found.slots);
  const position = replay(game, found.moves.map(({ roll, slot }) => [roll, slot]));
  const opponent = found.opponent === null ? null : replay(game, parseMoves(found.opponent));
  return [position, { opponent, tags }];
}

/**
 * Any record.
 * @param {import("../game/record.js").GameRecord} record
 * @param {(reviewed: Reviewed) => void} [early]  called at once if the browser has the same numbers: for a game that was played for points
 * @returns {Promise<Reviewed>}
 */
async function reviewOfRecord(record, early = () => {}) {
  const tags = Object.fromEntries(Object.entries(record.tags).filter(([name]) => ASKED.includes(name)));
  const text = shortText({ ...record, tags: {} });
  const isShared = !(await finishedHere()).some((own) => shortText({ ...own, tags: {} }) === text);
  if ((tags.aim ?? "mean") === "mean") early(measured(record, reviewHere(record), { isHere: true, isShared }));
  try {
    return measured(record, await post("/lab/review", formatRecord({ ...record, roll: null, tags }), { type: "text/plain" }), { isShared });
  } catch (error) {
    if (expected(error) instanceof Problem && error.status !== TOO_MANY) throw new Wrong(error.detail, error.field);
    return measured(record, reviewHere(record), { isHere: true, isShared });
  }
}

/** The same without the server: by points, whatever the game was played for. @param {import("../game/record.js").GameRecord} record */
export function reviewHere({ position, opponent, tags }) {
  const found = review(position, tags);
  const isCompared = isFinished(position) && isQuick(start(position.game));
  return {
    ...found,
    moves: found.moves.map((move) => ({ ...move, gift: 0 })),
    aim: "mean",
    gift: 0,
    percentile: isCompared ? atMost(scoreDistribution(start(position.game)), found.score) : null,
    played_for: typeof tags.aim === "string" ? tags.aim : "mean",
    takebacks: Number.isInteger(tags.takebacks) && tags.takebacks > 0 ? tags.takebacks : 0,
    opponent_score: opponent && review(opponent).score,
  };
}

function measured(record, found, { source = null, code = null, isHere = false, isShared = false } = {}) {
  return { record, found, isChance: found.aim !== "mean", source, code, isHere, isShared };
}

/** The tags of the record of the player's own game; with them the rolls can be checked. */
function tagsOf(found, { id, kind, coach, day, opponent, ended_by: endedBy, result, commitments, opened }) {
  const tags = {
    id, kind, coach, day, aim: found.aim, against: opponent?.name, ended_by: endedBy, result,
    name: found.name, date: found.date, comment: found.comment,
    commitments, nonces: opened.map(({ nonce }) => nonce),
  };
  return Object.fromEntries(Object.entries(tags).filter(([, value]) => value !== undefined && value !== null));
}
