// The felt: dice and their sum, three figures, and a strip with a segment a round.
import { html } from "../html.js";
import { Dice } from "./dice.js";
import { told } from "./scale.js";

/**
 * A segment a round: played ones, the one that is on, those to come.
 * @param {{rounds: number, round: number}} props  round: the one to play, one more than there are when all are played
 */
export function Rounds({ rounds, round }) {
  const state = (place) => (place < round ? "done" : place === round ? "now" : "");
  return html`<ol class=${rounds > 30 ? "rounds many" : "rounds"} aria-hidden="true">
    ${Array.from({ length: rounds }, (_, place) => html`<li key=${place} class=${state(place + 1)}></li>`)}
  </ol>`;
}

/**
 * Figures with their names.
 * @param {{figures: {name: string, value: string}[]}} props
 */
function Stats({ figures }) {
  return html`<dl class="stats">
    ${figures.map(({ name, value }) => html`<div key=${name}><dt>${name}</dt><dd>${value}</dd></div>`)}
  </dl>`;
}

/**
 * The whole tray.
 * @param {{roll?: number | null, faces?: import("../game/faces.js").ShownDie[], count?: number, turn?: string | number, still?: boolean,
 *   figures: {name: string, value: string}[], rounds: number, round: number, children?: any}} props
 *   as of Dice, Stats and Rounds; children stand in place of dice and sum, as at the end of a game.
 */
export function Tray({ roll = null, faces, count, turn, still, figures, rounds, round, children }) {
  const sum = roll === null ? "" : told(roll);
  return html`<section class="felt cloth" aria-label="Dice">
    <div class="tray">
      ${children || html`<${Dice} roll=${roll} faces=${faces} count=${count} turn=${turn} still=${still} />
        <p class=${sum.length > 3 ? "sum wide" : "sum"} aria-hidden=${sum ? undefined : "true"}><i aria-hidden="true">${sum ? "=" : ""}</i>${sum}</p>`}
    </div>
    <${Stats} figures=${figures} />
    <${Rounds} rounds=${rounds} round=${round} />
  </section>`;
}
