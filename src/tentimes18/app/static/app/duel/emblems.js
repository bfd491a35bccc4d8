// The emblems of the bots: tiny boards of five slots that show how each one thinks.
import { html } from "../html.js";

const WIDTH = 48;
const ROWS = [[0, 3], [7, 5], [16, 7], [27, 9], [40, 11]]; // top and thickness of each slot
const CENTRE = 23; // where two boards meet

/** Blocks of one board from the left: [start, length] per slot. */
const BOARDS = {
  random: [[0, 34], [0, 9], [0, 26], [0, 44], [0, 14]],
  greedy: [[0, 0], [0, 0], [0, 13], [0, 24], [0, 17]],
  bands: [[0, 9.6], [9.6, 9.6], [19.2, 9.6], [28.8, 9.6], [38.4, 9.6]],
  nearest: [[0, 12], [0, 21], [0, 30], [0, 39], [0, 46]],
  optimal: [[0, 12], [0, 21], [0, 30], [0, 39], [0, 48]],
  "target:700": [[0, 6], [0, 9], [0, 13], [0, 48], [0, 48]],
};
/** Lengths of two boards back to back, the player's on the left. */
const PAIRS = {
  hunter: [[5, 7], [9, 11], [13, 15], [17, 19], [20, 23]],
  equilibrium: [[6, 6], [10, 10], [14, 14], [18, 18], [22, 22]],
};
const SIGNS = {
  optimal: html`<circle class="em-ring" cx="40" cy="9" r="10" /><path class="em-line" d="M35.5 9.5l3 3 6-6.5" />`,
  equilibrium: html`<circle class="em-ring" cx="24" cy="20" r="10" /><path class="em-line" d="M19.5 17.5h9M19.5 22.5h9" />`,
  "target:700": html`<path class="em-goal" d="M40 -1V53" />`,
};

/** @param {{name: string}} props  of a bot */
export function Emblem({ name }) {
  const pairs = PAIRS[name];
  const block = (kind, x, [y, height], width, key) => width > 0 && html`<rect key=${key} class=${kind} x=${x} y=${y} width=${width} height=${height} rx="1.5" />`;
  return html`<svg class="emblem" width="58" height="58" viewBox="-2 -3 58 58" aria-hidden="true" focusable="false">
    ${ROWS.map((row, place) => block("em-slot", 0, row, WIDTH, `slot ${place}`))}
    ${pairs ? pairs.flatMap(([mine, theirs], place) => [block("em-you", CENTRE - mine, ROWS[place], mine, `you ${place}`), block("em-rival", CENTRE + 2, ROWS[place], theirs, `rival ${place}`)])
      : (BOARDS[name] ?? []).map(([x, length], place) => block("em-rival", x, ROWS[place], length, `rival ${place}`))}
    ${SIGNS[name] ?? ""}
  </svg>`;
}
