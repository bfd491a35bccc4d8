// Dice: pips where they are a few dice of six sides, numbers on ivory otherwise; blank before the roll is known.
import { html, useEffect, useRef, useState } from "../html.js";
import { texts } from "../texts.js";
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
function Die({ face = null, sides = 0, isRolling = false }) {
  const isBlank = face === null;
  const hasPips = sides === 6 && face >= 1 && face <= 6;
  const text = isBlank || hasPips ? "" : told(face);
  const size = text.length > 4 ? "longest" : text.length > 2 ? "long" : "";
  return html`<svg class=${isBlank ? "die blank" : "die"} viewBox="0 0 100 100" aria-hidden="true" focusable="false">
    <rect x="2" y="2" width="96" height="96" rx="20" />
    ${hasPips && isRolling && [1, 3, 4].map((step) => html`<g key=${step} class="passing"><${Pips} face=${((face + step - 1) % 6) + 1} /></g>`)}
    ${hasPips && html`<g class="landed"><${Pips} face=${face} /></g>`}
    ${text && html`<text class=${`landed ${size}`} x="50" y="52" text-anchor="middle" dominant-baseline="central">${text}</text>`}
  </svg>`;
}

const Pips = ({ face }) => PIPS[face].map(([x, y]) => html`<circle key=${`${x} ${y}`} cx=${x} cy=${y} r="9.5" />`);

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
  const isRolling = !isBlank && !still;
  const label = isBlank ? texts.dice.blank : faces.length > 1 ? texts.dice.dice(faces.map(({ face }) => told(face))) : texts.dice.die(told(roll));
  return html`<div class=${`dice${size}${isRolling ? " is-rolling" : ""}`} key=${turn} role="img" aria-label=${label}>
    ${shown.map(({ face, sides }, place) => html`<${Die} key=${place} face=${face} sides=${sides} isRolling=${isRolling} />`)}
  </div>`;
}

// The felt: dice and their sum, three figures, and a strip with a segment a round.

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
 * @param {{figures: Figure[]}} props
 * @typedef {{name: string, value: string, count?: number}} Figure  count: the value as a number that counts up when it changes
 */
function Stats({ figures }) {
  return html`<dl class="stats">
    ${figures.map(({ name, value, count }) => html`<div key=${name}><dt>${name}</dt><dd>${count === undefined ? value : html`<${CountUp} to=${count} from=${count} />`}</dd></div>`)}
  </dl>`;
}

/**
 * A number that counts up to its value; at once where motion is reduced.
 * @param {{to: number, from?: number}} props
 */
export function CountUp({ to, from = 0 }) {
  const last = useRef(from);
  const [shown, show] = useState(() => (isStill() ? to : from));
  useEffect(() => {
    const begin = last.current;
    last.current = to;
    if (isStill() || begin === to) {
      show(to);
      return undefined;
    }
    const since = performance.now();
    let frame = requestAnimationFrame(function step(now) {
      const part = Math.min(1, Math.max(0, now - since) / COUNT_MS);
      show(part < 1 ? Math.round(begin + (to - begin) * (1 - (1 - part) ** 3)) : to);
      if (part < 1) frame = requestAnimationFrame(step);
    });
    return () => cancelAnimationFrame(frame);
  }, [to]);
  return told(shown);
}

const COUNT_MS = 600;
const isStill = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/**
 * The whole tray.
 * @param {{roll?: number | null, faces?: import("../game/faces.js").ShownDie[], count?: number, turn?: string | number, still?: boolean,
 *   figures: Figure[], rounds: number, round: number, children?: any}} props
 *   as for Dice, Stats and Rounds; children replace dice and sum, as at the end of a game.
 */
export function Tray({ roll = null, faces, count, turn, still, figures, rounds, round, children }) {
  const sum = roll === null ? "" : told(roll);
  return html`<section class="felt cloth" data-turn=${Number(turn ?? 0) % 2} aria-label=${texts.dice.name}>
    <div class="tray">
      ${children || html`<${Dice} roll=${roll} faces=${faces} count=${count} turn=${turn} still=${still} />
        <p key=${`sum ${turn}`} class=${`sum${sum.length > 3 ? " wide" : ""}${sum && !still ? " is-late" : ""}`} aria-hidden=${sum ? undefined : "true"}><i aria-hidden="true">${sum ? "=" : ""}</i>${sum}</p>`}
    </div>
    <${Stats} figures=${figures} />
    <${Rounds} rounds=${rounds} round=${round} />
  </section>`;
}
