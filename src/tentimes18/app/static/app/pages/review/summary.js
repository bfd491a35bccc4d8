// A reviewed game in a sentence, with its score above it and what can be done with it beside it.
import { html, useState } from "../../html.js";
import { announce } from "../../core/announce.js";
import { percent } from "../../core/format.js";
import { link } from "../../core/links.js";
import { isFile } from "../../core/place.js";
import { formatRecord, recordToJson } from "../../game/record.js";
import { told } from "../../parts/scale.js";
import { recordAddress, shortText } from "./links.js";
import { unitOf } from "./units.js";

const RESULTS = { won: "You won", drawn: "A draw", lost: "You lost" };
const AGAIN = { daily: "daily", duel: "duel" };

/**
 * The head of a review.
 * @param {{reviewed: import("./measured.js").Reviewed}} props
 */
export function Summary({ reviewed }) {
  const { found, record } = reviewed;
  return html`<section class="hero span">
    <h1 class="num"><span class="vh">Review: </span>${told(found.score)}</h1>
    <div class="stack tight"><p class="lead"><${Sentence} reviewed=${reviewed} /></p>
      <p class="s muted">${[record.tags.name, shownDate(record.tags.date), gameName(record.position.game), found.level && `level: ${found.level}`].filter(Boolean).join(" · ")}</p>
      ${notesOf(reviewed).map((note) => html`<p key=${note} class="s muted">${note}</p>`)}
      ${typeof record.tags.comment === "string" && html`<p class="s said">${record.tags.comment}</p>`}
    </div>
    <div class="actions only-desk"><${Actions} reviewed=${reviewed} /></div>
  </section>`;
}

/** What can be done with a reviewed game. @param {{reviewed: import("./measured.js").Reviewed}} props */
export function Actions({ reviewed }) {
  const { record, found } = reviewed;
  if (isFile) return html`<div class="row more-actions"><${Download} record=${record} /></div>`;
  const again = link(AGAIN[record.tags.kind] ?? "play");
  return html`<div class="row main-actions">
      <a class="btn" href=${again}>Play again</a>
      ${found.loss > 0 && html`<a class="btn quiet" href=${link("drill", { record: shortText({ ...record, tags: {} }) })}>Drill these moves</a>`}
    </div>
    <div class="row more-actions"><${CopyLink} record=${record} /><${Download} record=${record} /></div>`;
}

function CopyLink({ record }) {
  const [state, tell] = useState("");
  const address = recordAddress(record);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(address);
      tell("Copied");
      announce("Link copied");
    } catch {
      tell("failed"); // not allowed here: the link is shown, to be copied by hand
    }
  };
  return html`<button type="button" class="link s" onClick=${copy}>${state === "Copied" ? "Link copied" : "Copy link"}</button>
    ${state === "failed" && html`<input class="in" readonly value=${address} aria-label="The link of this review" onFocus=${({ target }) => target.select()} />`}`;
}

function Download({ record }) {
  const save = () => {
    const text = `${JSON.stringify(recordToJson(record))}\n`;
    const address = URL.createObjectURL(new Blob([text], { type: "application/x-ndjson" }));
    const anchor = Object.assign(document.createElement("a"), { href: address, download: `ten18-${record.tags.id ?? record.tags.day ?? "game"}.ndjson` });
    anchor.click();
    URL.revokeObjectURL(address);
  };
  return html`<button type="button" class="link s" onClick=${save} title=${formatRecord({ ...record, tags: {} })}>Download record</button>`;
}

/** The game in a sentence: what the dice gave, what the moves gave back. */
function Sentence({ reviewed }) {
  const { found, record } = reviewed;
  const unit = unitOf(reviewed);
  const parts = [];
  const result = resultOf(reviewed);
  if (result) parts.push(html`${RESULTS[result]} against ${record.tags.against ?? "the opponent"}, ${told(found.score)} to ${told(found.opponent_score)}.<br />`);
  if (!found.moves.length) return "Nothing is played yet.";
  parts.push(diceAndMoves(found, unit));
  if (!found.finished) {
    parts.push(html`<br /><span class="muted">After ${found.moves.length} of ${record.position.game.size} rounds: ${unit.isChance ? "a chance of" : "on course for"} ${unit.worth(found.moves.at(-1).after)}.</span>`);
  } else if (found.optimal_score !== null && found.score > found.optimal_score) {
    parts.push(html`<br /><span class="muted">${told(found.score - found.optimal_score)} more than the perfect player on the same rolls. Enjoy it.</span>`);
  }
  if (found.percentile !== null && found.percentile !== undefined) {
    parts.push(html`<br /><span class="muted">${percent(found.percentile)} of perfect games end at ${told(found.score)} or less.</span>`);
  }
  return parts;
}

function diceAndMoves({ luck, loss }, unit) {
  const dice = html`<b class="c-luck">${unit.amount(Math.abs(luck))}</b>`;
  const lost = html`<b class="c-loss">${unit.amount(loss)}</b>`;
  if (luck >= 0) return loss ? html`The dice gave you ${dice}, you gave back ${lost}.` : html`The dice gave you ${dice}, and you kept all of it.`;
  return loss ? html`The dice took ${dice}, your moves ${lost}.` : html`The dice took ${dice}. You gave up nothing: every move was a best one.`;
}

/** Of a duel to the end: who won. */
function resultOf({ found, record }) {
  if (!record.opponent || !found.finished) return null;
  return found.score > found.opponent_score ? "won" : found.score < found.opponent_score ? "lost" : "drawn";
}

/** What has to be said of the numbers. */
function notesOf({ found, isHere }) {
  const notes = [];
  if (found.takebacks) notes.push(`${found.takebacks} ${found.takebacks === 1 ? "move was" : "moves were"} taken back: practice, so no level.`);
  if (found.played_for !== found.aim && found.played_for !== "mean") {
    notes.push(`Played for ${String(found.played_for).slice(0, 60)}, measured in points${isHere ? ", as the service is away" : ""}.`);
  }
  if (found.aim.startsWith("duel")) notes.push(`Measured by the chance to win${found.aim === "duel" ? " against the best play" : ` against ${found.aim.slice(5)}`}, a draw counting half.`);
  if (found.aim.startsWith("target:")) notes.push(`Measured by the chance of ${found.aim.slice(7)} points or more.`);
  return notes;
}

/** @param {unknown} date as a tag has it */
export function shownDate(date) {
  if (typeof date !== "string") return null;
  const found = new Date(date);
  if (!/^\d{4}-\d\d-\d\d/.test(date) || Number.isNaN(found.getTime())) return date.slice(0, 40);
  return found.toLocaleDateString("en-GB", { day: "numeric", month: "short", year: "numeric", ...(date.length > 10 ? { hour: "2-digit", minute: "2-digit" } : {}) });
}

/** @param {import("../../game/game.js").Game} game */
function gameName({ dice, slots }) {
  const cut = (text) => (text.length > 24 ? `${text.slice(0, 22)}…` : text);
  return `${cut(dice)}, slots ${cut(slots)}`;
}
