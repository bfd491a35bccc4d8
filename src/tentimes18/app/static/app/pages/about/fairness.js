// The fairness check: a finished game is pasted or picked, and every commitment is verified here, in the browser.
import { html, useEffect, useState } from "../../html.js";
import { announce } from "../../core/announce.js";
import { apiAddress, get } from "../../core/api.js";
import { isStatic, useOnline } from "../../core/online.js";
import { readPasted } from "../../game/record.js";
import { checkPasted } from "../../game/verify.js";
import { told } from "../../parts/scale.js";

const MOST_SHOWN = 20; // own games to pick from
const MOST_GAMES = 100; // in one text

/** Paste, check, see each round. */
export function FairnessCheck() {
  const [text, setText] = useState("");
  const [start, setStart] = useState("");
  const [found, setFound] = useState(null);
  const own = useOwnGames();
  const check = async (source = text) => {
    const begun = startOf(start);
    const games = begun === undefined ? [{ line: 0, problem: "What was kept from the start is not JSON." }] : await checkPasted(source, begun);
    const shown = games.length ? games.slice(0, MOST_GAMES) : [{ line: 0, problem: "There is no game in this text." }];
    setFound(shown);
    announce(shown.length === 1 ? verdictOf(shown[0]) : `${shown.filter((game) => game.checked?.verified).length} of ${shown.length} games verified`);
  };
  const change = (value) => {
    setText(value);
    setFound(null);
  };
  return html`<div class="fair stack">
    ${own.length > 0 && html`<div class="field"><label for="fair-own">One of your own games</label>
      <select id="fair-own" onChange=${({ target }) => {
        const game = own.find(({ key }) => key === target.value);
        if (!game) return;
        const source = JSON.stringify(game.record);
        setText(source);
        check(source);
      }}><option value="">Pick one…</option>${own.map(({ key, title }) => html`<option key=${key} value=${key}>${title}</option>`)}</select></div>`}
    <div class="field"><label for="fair-text">A finished game: its JSON, or a record; several, one a line</label>
      <textarea class="in" id="fair-text" rows="5" spellcheck=${false} value=${text} onInput=${({ target }) => change(target.value)}></textarea></div>
    <details><summary>I kept the game as it was at its start</summary>
      <div class="field"><label for="fair-start">Its JSON from then, or the public list of daily commitments</label>
        <textarea class="in" id="fair-start" rows="3" spellcheck=${false} value=${start} onInput=${({ target }) => { setStart(target.value); setFound(null); }}></textarea></div>
      <p class="s muted">Without it, all that is shown is that a game agrees with itself.</p></details>
    <div class="row"><button type="button" class="btn" aria-disabled=${text.trim() ? undefined : "true"} onClick=${() => text.trim() && check()}>Check</button>
      <p class="s muted">Nothing leaves this page.</p></div>
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
  return checked.verified ? "Verified: the rolls are those that were committed to, and they make the score." : "Not verified.";
}

/** A game that was checked: the verdict, what is wrong beside its rounds, and every round. */
function Checked({ game, isOnly }) {
  const { line, problem, checked } = game;
  const where = isOnly ? "" : `Line ${line}: `;
  if (problem) return html`<p class="note bad" role="alert"><b>${where}${problem}</b></p>`;
  return html`<section class="stack checked" aria-label="Result of the check">
    <p class=${checked.verified ? "note good" : "note bad"}><b>${where}${verdictOf(game)}</b> ${checked.dice}, slots ${checked.slots}, ${told(checked.score)} points.</p>
    ${checked.problems.length > 0 && html`<ul class="problems">${checked.problems.map((text) => html`<li key=${text}>${text}</li>`)}</ul>`}
    ${checked.rounds.length > 0 && html`<div class="scroll-x" tabindex="0" role="region" aria-label="Rounds"><table class="rounds-checked">
      <thead><tr><th scope="col">Round</th><th scope="col">Roll</th><th scope="col">Commitment</th><th scope="col">Result</th></tr></thead>
      <tbody>${checked.rounds.map((round) => html`<tr key=${round.round} class=${round.verified ? "" : "is-wrong"}><th scope="row">${round.round}</th><td>${round.roll === null ? "?" : told(round.roll)}</td>
        <td><code title=${round.commitment ?? ""}>${round.commitment ? `${round.commitment.slice(0, 12)}…` : "none"}</code></td>
        <td>${round.verified ? html`<b class="c-ok">✓ verified</b>` : html`<b class="c-loss">✗ ${round.problem}</b>`}</td></tr>`)}</tbody>
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
      .catch(() => setGames([])); // who has no games, or no network, pastes one
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
  return `${date.slice(0, 10)} ${kind}, ${told(score)} points`.trim();
}

/** Where the service has the same check as a plain page, without a script. */
export const plainCheck = () => new URL("/verify", apiAddress("")).pathname;
