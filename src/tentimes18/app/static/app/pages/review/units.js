// How worths and changes of worth are written in a review: points with two decimals, or chances in percent. No DOM.
import { PERCENT, exact2, signed } from "../../core/format.js";
import { told } from "../../parts/scale.js";

const HUGE = 1e9; // from here on with fewer digits

const inPoints = (x) => (Math.abs(x) >= HUGE ? x.toPrecision(6).replace("-", "−") : exact2(x));
const change = (x) => (Math.abs(x) >= HUGE ? `${x > 0 ? "+" : ""}${inPoints(x)}` : signed(x, 2));

/** What goes with numbers that are points. */
const POINTS = Object.freeze({
  isChance: false,
  factor: 1,
  worth: inPoints,
  amount: (x) => atLeastSeen(x, inPoints),
  signed: change,
  tick: told,
  onCurve: inPoints,
  bounds: [-Infinity, Infinity],
  par: "Par: perfect play, on average",
});

/** What goes with numbers that are chances, from 0 to 1. */
const CHANCE = Object.freeze({
  isChance: true,
  factor: 100,
  worth: (x) => `${exact2(100 * x)}${PERCENT}`,
  amount: (x) => `${atLeastSeen(100 * x, exact2)}${PERCENT}`,
  signed: (x) => `${signed(100 * x, 2)}${PERCENT}`,
  tick: (x) => `${told(Number(x.toFixed(2)))}${PERCENT}`,
  onCurve: (x) => `${exact2(x)}${PERCENT}`,
  bounds: [0, 100],
  par: "The chance at the start",
});

/** @param {import("./measured.js").Reviewed} reviewed */
export const unitOf = ({ isChance }) => (isChance ? CHANCE : POINTS);

/** What costs something is never told as nothing. */
function atLeastSeen(x, shown) {
  return x > 0 && x < 0.005 ? "0.01" : shown(x);
}
