// About: the rules, why thresholds work, whether the rolls are fair, results about the duel, and the keys.
import { html, useEffect, useRef, useState } from "../html.js";
import { announce } from "../core/messages.js";
import { apiAddress, get } from "../core/api.js";
import { count, exact2, percent, points } from "../core/format.js";
import { fileAt, link } from "../core/links.js";
import { isStatic, useOnline } from "../core/online.js";
import { rankName } from "../game/card.js";
import { drawId, drawRoll } from "../game/distribution.js";
import { expectedScores } from "../game/expected.js";
import { facesOf } from "../game/faces.js";
import { gameOf } from "../game/game.js";
import { boardOf, isFinished, place, pointsOf, score, start } from "../game/position.js";
import { readPasted } from "../game/record.js";
import { rowsOf } from "../game/thresholds.js";
import { checkPasted } from "../game/verify.js";
import { Board } from "../parts/board.js";
import { Dice } from "../parts/dice.js";
import { told } from "../parts/scale.js";
import { Shell } from "../parts/shell.js";
import { texts } from "../texts.js";

export const title = texts.about.title;

const KEYS = [
  [["1", "…", "9", "0"], texts.about.keysPick],
  [["↑", "↓"], texts.about.keysMove],
  [["Enter"], texts.about.keysPlace],
  [["Esc"], texts.about.keysBack],
  [["N"], texts.about.keysNext],
];

/** The page. */
export default function Page() {
  const { random, optimal, hindsight } = expectedScores(gameOf());
  const [before, check, between, commitments, after] = texts.about.fairPlain;
  return html`<${Shell}><div class="page about">
    <section class="stack rules"><h1>${texts.about.heading}</h1>
      <p class="lead">${texts.about.lead}</p>
      <div class="row"><a class="btn" href=${link("play")}>${texts.about.play}</a>${!isStatic && html`<a class="btn quiet" href=${link("daily")}>${texts.about.daily}</a>`}</div></section>
    <section class="stack" aria-labelledby="about-try"><h2 id="about-try">${texts.about.tryIt}</h2><${TryIt} />
      <p class="s muted">${texts.about.area}</p></section>
    <section class="stack" aria-labelledby="about-why"><h2 id="about-why">${texts.about.why}</h2>
      <p>${texts.about.whyText}</p>
      <${Thresholds} />
      <p class="s muted">${texts.about.whyOthers}<a href=${link("lab")}>${texts.about.lab}</a>.</p></section>
    <section class="stack" aria-labelledby="about-fair"><h2 id="about-fair">${texts.about.fair}</h2>
      <p>${texts.about.fairText}</p>
      <${FairnessCheck} />
      ${!isStatic && html`<p class="s muted">${before}<a href=${plainCheck()}>${check}</a>${between}<a href=${plainCheck().replace("verify", "commitments")}>${commitments}</a>${after}</p>`}</section>
    <section class="stack about-duel" aria-labelledby="about-duel"><h2 id="about-duel">${texts.about.duel}</h2><${Findings} /></section>
    <section class="stack" aria-labelledby="about-paper"><h2 id="about-paper">${texts.about.paper}</h2>
      <p>${texts.about.paperText[0]}<cite>${texts.about.paperName}</cite>${texts.about.paperText[1]} ${texts.about.paperScores(exact2(random), exact2(optimal), exact2(hindsight))}</p>
      ${!isStatic && html`<p class="s muted">${texts.about.docs[0]}<a href=${plainCheck().replace("verify", "docs")}>${texts.about.docs[1]}</a>${texts.about.docs[2]}</p>
        <p class="s muted">${texts.about.teach[0]}<a href=${plainCheck().replace("verify", texts.about.teachPlace)}>${texts.about.teach[1]}</a>${texts.about.teach[2]}</p>`}</section>
    <section class="stack" aria-labelledby="about-keys"><h2 id="about-keys">${texts.about.keys}</h2>
      <dl class="keys">${KEYS.map(([keys, what]) => html`<div key=${what}><dt>${keys.map((key) => (key === "…" ? " … " : html`<kbd>${key}</kbd> `))}</dt><dd>${what}</dd></div>`)}</dl></section>
  </div><//>`;
}

// The rules to try at once: roll, place, see the area grow. Three rolls, three slots, nothing is kept.

const GAME = { dice: "3d6", slots: "2,6,10" };

/** A game of three rows. */
function TryIt() {
  const game = gameOf(GAME.dice, GAME.slots);
  const [state, setState] = useState(() => ({ position: start(game), roll: null, seed: drawId(), fresh: null }));
  const button = useRef(null);
  const { position, roll, seed, fresh } = state;
  const round = position.placements.length + 1;
  const isOver = isFinished(position);
  const throwDice = () => {
    const shown = drawRoll(game.distribution);
    const next = isOver ? { position: start(game), seed: drawId(), fresh: null } : state;
    setState({ ...next, roll: shown });
    announce(texts.about.trySaidRoll(shown));
  };
  const put = (slot) => {
    const next = place(position, roll, slot);
    setState({ ...state, position: next, roll: null, fresh: slot });
    const made = texts.about.trySaidPlaced(roll, game.labels[slot - 1], told(pointsOf(game, roll, slot)));
    announce(isFinished(next) ? `${made} ${texts.about.trySaidScore(told(score(next)))}` : made);
    button.current?.focus({ preventScroll: true });
  };
  const [head, rest] = isOver ? texts.about.tryOver(told(score(position)))
    : roll !== null ? texts.about.tryPick(told(roll))
      : position.placements.length ? texts.about.tryAgain(told(score(position))) : texts.about.tryFirst;
  return html`<div class="try">
    <div class="felt try-felt"><${Dice} roll=${roll} faces=${roll === null ? [] : facesOf(GAME.dice, roll, `${seed} ${round}`)} turn=${`${seed} ${round}`} />
      ${roll !== null && html`<p class="sum" aria-hidden="true">${told(roll)}</p>`}</div>
    <${Board} game=${game} board=${boardOf(position)} roll=${roll} fresh=${fresh} locked=${roll === null} raised=${!isOver} pick=${put} />
    <div class="row between try-act"><p class="s"><b>${head}</b> ${rest}</p>
      <button type="button" class="btn" ref=${button} aria-disabled=${roll === null ? undefined : "true"} onClick=${() => roll === null && throwDice()}>${isOver ? texts.about.tryOnceMore : texts.about.tryRoll}</button></div>
  </div>`;
}

// Why thresholds work, as a figure that moves: the expectations of the other free slots, in order, and the place of a roll
// among them, which is its slot.

const HEIGHT = 240;
const TOP = 26;
const FOOT = 44;
const SIDE = 28;

/** The figure, with a slider for the roll and one for the number of free slots. */
export function Thresholds() {
  const { distribution } = gameOf();
  const [roll, setRoll] = useState(12);
  const [free, setFree] = useState(7);
  const expected = rowsOf(distribution, free - 1).at(-1).expected;
  const rank = expected.filter((value) => value < roll).length;
  const most = distribution.support.at(-1);
  const [frame, width] = useWidth();
  const step = (width - SIDE) / free;
  const wide = step - Math.min(12, step * 0.2);
  const tall = (value) => ((HEIGHT - TOP - FOOT) * value) / most;
  const line = HEIGHT - FOOT - tall(roll);
  const shown = (value) => points(value);
  const [below, above] = [expected[rank - 1], expected[rank]];
  const where = below === undefined ? texts.about.whyBelow(shown(above)) : above === undefined ? texts.about.whyAbove(shown(below)) : texts.about.whyBetween(shown(below), shown(above));
  const says = texts.about.whySays(free, roll, where, rankName(rank + 1, free));
  return html`<figure class="why card"><div ref=${frame}>
    <svg width=${width} height=${HEIGHT} viewBox=${`0 0 ${width} ${HEIGHT}`} role="img" aria-label=${says}>
      ${[6, 12, 18].map((tick) => html`<g key=${tick}><path class="rule" d=${`M${SIDE} ${HEIGHT - FOOT - tall(tick)}H${width}`} /><text x=${SIDE - 8} y=${HEIGHT - FOOT - tall(tick) + 4} text-anchor="end">${tick}</text></g>`)}
      <path class="why-line" d=${`M${SIDE} ${line}H${width}`} />
      ${expected.map((value, i) => html`<g key=${i} class="why-bar" style=${{ "--x": `${SIDE + (i + (i >= rank ? 1 : 0)) * step}px` }}>
        <rect class="why-slot" x="0" y=${HEIGHT - FOOT - tall(value)} width=${wide} height=${tall(value)} rx="4" />
        <text class="strong" x=${wide / 2} y=${HEIGHT - FOOT - tall(value) - 7} text-anchor="middle">${shown(value)}</text></g>`)}
      <g class="why-bar" style=${{ "--x": `${SIDE + rank * step}px` }}>
        <rect class="why-roll" x="0" y=${line} width=${wide} height=${tall(roll)} rx="4" />
        <text class="strong" x=${wide / 2} y=${line - 7} text-anchor="middle">${roll}</text></g>
      ${Array.from({ length: free }, (_, i) => html`<text key=${i} class=${i === rank ? "strong" : ""} x=${SIDE + i * step + wide / 2} y=${HEIGHT - FOOT + 20} text-anchor="middle">${rankName(i + 1, free)}</text>`)}
      <text x=${SIDE + (width - SIDE) / 2} y=${HEIGHT - 4} text-anchor="middle">${texts.about.whyAxis}</text>
    </svg></div>
    <figcaption class="lead">${says}</figcaption>
    <div class="why-sliders">
      <label><span>${texts.about.roll} <b>${roll}</b></span><input type="range" min=${distribution.support[0]} max=${most} value=${roll} onInput=${({ target }) => setRoll(Number(target.value))} /></label>
      <label><span>${texts.about.freeSlots} <b>${free}</b></span><input type="range" min="2" max="10" value=${free} onInput=${({ target }) => setFree(Number(target.value))} /></label>
    </div>
  </figure>`;
}

/** The width of an element in pixels, so that text keeps its size. */
function useWidth() {
  const frame = useRef(null);
  const [width, setWidth] = useState(320);
  useEffect(() => {
    const look = () => setWidth(Math.round(frame.current.clientWidth) || 320);
    const observer = new ResizeObserver(look);
    observer.observe(frame.current);
    look();
    return () => observer.disconnect();
  }, []);
  return [frame, width];
}

// Results about the duel: chances from the certified solution that docs/research/duel.md describes.

/** Two tables: against the perfect player, and against the equilibrium. */
function Findings() {
  const facts = useFacts();
  if (!facts) return html`<p class="s muted" role="status">${texts.about.loading}</p>`;
  const hunter = facts.against_optimal.find(({ name }) => name === "hunter");
  const nearest = facts.against_optimal.find(({ name }) => name === "nearest");
  return html`<div class="findings stack">
    <p>${texts.about.hunterText(percent(hunter.win), percent(hunter.draw), percent(hunter.loss))} ${texts.about.nearestText(percent(nearest.win), percent(nearest.loss))}</p>
    <${Outcomes} caption=${texts.about.againstOptimal} rows=${facts.against_optimal} />
    <p>${texts.about.equilibriumText(count(facts.matrix_games), percent(facts.mixed_share, 2))}</p>
    <${Outcomes} caption=${texts.about.againstEquilibrium} rows=${facts.against_equilibrium} />
  </div>`;
}

const margin = ({ win, loss }) => win - loss;

/** Chances, the best player first. */
function Outcomes({ caption, rows }) {
  const ordered = rows.toSorted((one, other) => margin(other) - margin(one));
  return html`<div class="scroll-x" tabindex="0" role="region" aria-label=${caption}><table class="outcomes"><caption><h3>${caption}</h3></caption>
    <thead><tr>${[texts.about.player, texts.about.win, texts.about.draw, texts.about.loss].map((head) => html`<th key=${head} scope="col">${head}</th>`)}</tr></thead>
    <tbody>${ordered.map(({ name, win, draw, loss }) => html`<tr key=${name}><th scope="row"><b>${texts.about.players[name]?.name ?? name}</b> <span class="xs muted">${texts.about.players[name]?.what}</span></th>
      <td>${percent(win)}</td><td>${percent(draw)}</td><td>${percent(loss)}</td></tr>`)}</tbody></table></div>`;
}

function useFacts() {
  const [facts, setFacts] = useState(null);
  useEffect(() => {
    let isGone = false;
    fetch(fileAt("duel.json"))
      .then((answer) => answer.json())
      .then((found) => isGone || setFacts(found))
      .catch(() => {}); // offline before the first visit: the rest of the page works
    return () => {
      isGone = true;
    };
  }, []);
  return facts;
}

// The fairness check: paste or pick a finished game, and the browser verifies every commitment.

const MOST_SHOWN = 20; // own games to pick from
const MOST_GAMES = 100; // in one text

/** Paste, check, see each round. */
function FairnessCheck() {
  const [text, setText] = useState("");
  const [start, setStart] = useState("");
  const [found, setFound] = useState(null);
  const own = useOwnGames();
  const check = async (source = text) => {
    const begun = startOf(start);
    const games = begun === undefined ? [{ line: 0, problem: texts.about.notJson }] : await checkPasted(source, begun);
    const shown = games.length ? games.slice(0, MOST_GAMES) : [{ line: 0, problem: texts.about.noGame }];
    setFound(shown);
    announce(shown.length === 1 ? verdictOf(shown[0]) : texts.about.verdicts(shown.filter((game) => game.checked?.verified).length, shown.length));
  };
  const change = (value) => {
    setText(value);
    setFound(null);
  };
  return html`<div class="fair stack">
    ${own.length > 0 && html`<div class="field"><label for="fair-own">${texts.about.ownGames}</label>
      <select id="fair-own" onChange=${({ target }) => {
        const game = own.find(({ key }) => key === target.value);
        if (!game) return;
        const source = JSON.stringify(game.record);
        setText(source);
        check(source);
      }}><option value="">${texts.about.pick}</option>${own.map(({ key, title }) => html`<option key=${key} value=${key}>${title}</option>`)}</select></div>`}
    <div class="field"><label for="fair-text">${texts.about.game}</label>
      <textarea class="in" id="fair-text" rows="5" spellcheck=${false} value=${text} onInput=${({ target }) => change(target.value)}></textarea></div>
    <details><summary>${texts.about.kept}</summary>
      <div class="field"><label for="fair-start">${texts.about.keptLabel}</label>
        <textarea class="in" id="fair-start" rows="3" spellcheck=${false} value=${start} onInput=${({ target }) => { setStart(target.value); setFound(null); }}></textarea></div>
      <p class="s muted">${texts.about.keptText}</p></details>
    <div class="row"><button type="button" class="btn" aria-disabled=${text.trim() ? undefined : "true"} onClick=${() => text.trim() && check()}>${texts.about.check}</button>
      <p class="s muted">${texts.about.private}</p></div>
    ${found?.map((game) => html`<${Checked} key=${game.line} game=${game} isOnly=${found.length === 1} />`)}
  </div>`;
}

function startOf(text) {
  if (!text.trim()) return null;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function verdictOf({ problem, checked }) {
  if (problem) return problem;
  return checked.verified ? texts.about.verified : texts.about.notVerified;
}

/** A game that was checked: the verdict, what is wrong beside its rounds, and every round. */
function Checked({ game, isOnly }) {
  const { line, problem, checked } = game;
  const where = isOnly ? "" : texts.about.line(line);
  if (problem) return html`<p class="note bad" role="alert"><b>${where}${problem}</b></p>`;
  return html`<section class="stack checked" aria-label=${texts.about.result}>
    <p class=${checked.verified ? "note good" : "note bad"}><b>${where}${verdictOf(game)}</b> ${texts.about.checked(checked.dice, checked.slots, told(checked.score))}</p>
    ${checked.problems.length > 0 && html`<ul class="problems">${checked.problems.map((text) => html`<li key=${text}>${text}</li>`)}</ul>`}
    ${checked.rounds.length > 0 && html`<div class="scroll-x" tabindex="0" role="region" aria-label=${texts.about.rounds}><table class="rounds-checked">
      <thead><tr>${texts.about.head.map((head) => html`<th key=${head} scope="col">${head}</th>`)}</tr></thead>
      <tbody>${checked.rounds.map((round) => html`<tr key=${round.round} class=${round.verified ? "" : "is-wrong"}><th scope="row">${round.round}</th><td>${round.roll === null ? "?" : told(round.roll)}</td>
        <td><code title=${round.commitment ?? ""}>${round.commitment ? `${round.commitment.slice(0, 12)}…` : texts.about.none}</code></td>
        <td>${round.verified ? html`<b class="c-ok">${texts.about.roundVerified}</b>` : html`<b class="c-loss">✗ ${round.problem}</b>`}</td></tr>`)}</tbody>
    </table></div>`}
  </section>`;
}

/** The latest finished games of this player that have commitments. */
function useOwnGames() {
  const online = useOnline();
  const [games, setGames] = useState([]);
  useEffect(() => {
    if (isStatic || !online) return undefined;
    const given = new AbortController();
    get(`/me/games?limit=${MOST_SHOWN}&source=played`, { signal: given.signal })
      .then((text) => setGames(ownGames(text)))
      .catch(() => setGames([])); // without games or a network, the player can paste one
    return () => given.abort();
  }, [online]);
  return games;
}

function ownGames(text) {
  const records = typeof text === "string" ? readPasted(text).map(({ value }) => value) : [text];
  return records
    .filter((record) => record?.commitments && record.nonces?.length === record.commitments.length)
    .slice(0, MOST_SHOWN)
    .map((record, i) => ({ key: record.id ?? String(i), record, title: titleOf(record) }));
}

function titleOf({ kind = "game", date = "", score }) {
  return texts.about.gameTitle(date.slice(0, 10), kind, told(score));
}

/** The address of the same check as a plain page, without JavaScript. */
const plainCheck = () => new URL("/verify", apiAddress("")).pathname;
