// The game so far: the curve of what the player was on course for, and the rounds below it.
import { html } from "../html.js";
import { Curve } from "../parts/curve.js";
import { shownCost } from "../parts/costs.js";
import { told } from "../parts/scale.js";

const MOST_COLUMNS = 12; // that have room for their words

/**
 * @param {{game: import("../game/game.js").Game, measured: {value: number, moves: object[]}, now: {roll: number, worth: number} | null}} props
 */
export function SoFar({ game, measured, now }) {
  return html`<section class="sofar" aria-label="So far"><h2>So far</h2>
    <${Curve} game=${game} par=${measured.value} moves=${measured.moves} now=${now} />
    ${game.size <= MOST_COLUMNS && html`<ol class="strip" aria-hidden="true">
      ${Array.from({ length: game.size }, (_, place) => {
        const move = measured.moves[place];
        if (!move) return html`<li key=${place}>${now && place === measured.moves.length && html`<b>${told(now.roll)}</b><span>?</span>`}</li>`;
        return html`<li key=${place}><b>${told(move.roll)}</b><span>×${game.labels[move.slot - 1]}</span>
          <span class=${move.loss ? "cost" : "cost ok"}>${move.loss ? `−${shownCost(move.loss)}` : "✓"}</span></li>`;
      })}
    </ol>`}
  </section>`;
}
