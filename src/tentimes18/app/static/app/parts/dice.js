// Dice: pips where they are a few dice of six sides, numbers on ivory otherwise; blank before the roll is known.
import { html } from "../html.js";
import { told } from "./scale.js";

const NEAR = 27;
const MIDDLE = 50;
const FAR = 73;
const CORNERS = [[NEAR, FAR], [FAR, NEAR]];
const OTHERS = [[NEAR, NEAR], [FAR, FAR]];
const SIDES = [[NEAR, MIDDLE], [FAR, MIDDLE]];
/** Where the pips lie, by face. */
const PIPS = [
  [],
  [[MIDDLE, MIDDLE]],
  CORNERS,
  [...OTHERS, [MIDDLE, MIDDLE]],
  [...CORNERS, ...OTHERS],
  [...CORNERS, ...OTHERS, [MIDDLE, MIDDLE]],
  [...CORNERS, ...OTHERS, ...SIDES],
];

/**
 * The gradient of ivory and the hatching of losses, which drawings name as url(#ivory) and url(#hatch): once a page.
 */
export function Patterns() {
  return html`<svg class="patterns" width="0" height="0" aria-hidden="true" focusable="false"><defs>
    <radialGradient id="ivory" cx=".35" cy=".25" r="1"><stop offset="0" /><stop offset="1" /></radialGradient>
    <pattern id="hatch" width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
      <rect width="5" height="5" /><path d="M0 0V5" />
    </pattern>
  </defs></svg>`;
}

/**
 * One die, with pips where it has six sides. Without a face it is blank.
 * @param {{face?: number | null, sides?: number}} props
 */
function Die({ face = null, sides = 0 }) {
  const isBlank = face === null;
  const hasPips = sides === 6 && face >= 1 && face <= 6;
  const text = isBlank || hasPips ? "" : told(face);
  const size = text.length > 4 ? "longest" : text.length > 2 ? "long" : "";
  return html`<svg class=${isBlank ? "die blank" : "die"} viewBox="0 0 100 100" aria-hidden="true" focusable="false">
    <rect x="2" y="2" width="96" height="96" rx="20" />
    ${hasPips && PIPS[face].map(([x, y]) => html`<circle key=${`${x} ${y}`} cx=${x} cy=${y} r="9.5" />`)}
    ${text && html`<text class=${size} x="50" y="52" text-anchor="middle" dominant-baseline="central">${text}</text>`}
  </svg>`;
}

/**
 * The dice of a roll, which tumble in when `turn` changes.
 * @param {{roll?: number | null, faces?: import("../game/faces.js").ShownDie[], count?: number, turn?: string | number, still?: boolean}} props
 *   faces: as facesOf() has them; without any, one die shows the roll. count: blank dice, as long as there is no roll.
 *   turn: names the throw. still: no tumbling, as after a reload.
 */
export function Dice({ roll = null, faces = [], count = 3, turn = 0, still = false }) {
  const isBlank = roll === null;
  const shown = isBlank ? Array(Math.min(count || 1, 5)).fill({ face: null }) : faces.length ? faces : [{ face: roll }];
  const size = shown.length > 6 ? " crowd" : shown.length > 3 ? " many" : "";
  const label = isBlank ? "The dice are not thrown yet" : faces.length > 1 ? `Dice: ${faces.map(({ face }) => told(face)).join(", ")}` : `Die: ${told(roll)}`;
  return html`<div class=${`dice${size}${isBlank || still ? "" : " is-rolling"}`} key=${turn} role="img" aria-label=${label}>
    ${shown.map(({ face, sides }, place) => html`<${Die} key=${place} face=${face} sides=${sides} />`)}
  </div>`;
}
