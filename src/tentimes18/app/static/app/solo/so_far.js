// The game so far: the curve of what the player was on course for, and the rounds below it.
import { html } from "../html.js";
import { points } from "../core/format.js";
import { Curve } from "../parts/curve.js";
import { told } from "../parts/scale.js";

const MOST_COLUMNS = 12; // that have room for their words

/**
 * @param {{game: import("../game/game.js").Game, measured: {value: number, moves: object[]}, now: {roll: number, worth: number} | null}} props
 */
export function SoFar({ game, measured, now }) {
  return html`<section class="sofar" aria-labelledby="sofar"><h2 id="sofar">${measured.finished ? "Round by round" : "So far"}</h2>
    <${Curve} game=${game} par=${measured.value} moves=${measured.moves} now=${now} />
    ${game.size <= MOST_COLUMNS && html`<ol class="strip" aria-hidden="true">
      ${Array.from({ length: game.size }, (_, place) => {
        const move = measured.moves[place];
        if (!move) return html`<li key=${place}>${now && place === measured.moves.length && html`<b>${told(now.roll)}</b><span>?</span>`}</li>`;
        return html`<li key=${place}><b>${told(move.roll)}</b><span>×${game.labels[move.slot - 1]}</span>
          <span class=${move.loss ? "cost" : "cost ok"}>${move.loss ? `−${short(move.loss)}` : "✓"}</span></li>`;
      })}
    </ol>`}
  </section>`;
}

/** A cost in the room of a column: whole points from ten on, and a tenth at least. */
function short(cost) {
  return cost >= 9.95 ? told(Math.round(cost)) : points(Math.max(cost, 0.1));
}
