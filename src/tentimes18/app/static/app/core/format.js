// How numbers are written: play has one decimal, review two; a real minus; nothing that rounds to zero has a sign.
// Exactly between two it goes to the even one, as in the command's tables.
import { fixed as rounded } from "../game/exact.js";

const MINUS = "\u2212";

/** The sign of percent with the space before it, at which no line breaks. */
export const PERCENT = "\u00a0%";

const fixed = (x, digits) => {
  const text = rounded(Math.abs(x), digits);
  return x < 0 && Number(text) !== 0 ? MINUS + text : text;
};

/** Points with one decimal: "654.9". @param {number} x */
export const points = (x) => fixed(x, 1);

/** Points with two decimals: "654.92". @param {number} x */
export const exact2 = (x) => fixed(x, 2);

/** A difference, with its sign: "+3.2", "−9.1", "0.0". @param {number} x */
export function signed(x, digits = 1) {
  const text = fixed(x, digits);
  return x > 0 && Number(text) !== 0 ? `+${text}` : text;
}

/** A share in percent: "51.9 %"; what is neither none nor all is never told as such: "<0.1 %". @param {number} share between 0 and 1 */
export function percent(share, digits = 1) {
  const step = 10 ** -digits;
  const value = share * 100;
  if (value > 0 && value < step / 2) return `<${step.toFixed(digits)}${PERCENT}`;
  if (value < 100 && value > 100 - step / 2) return `>${(100 - step).toFixed(digits)}${PERCENT}`;
  return `${fixed(value, digits)}${PERCENT}`;
}

/** A whole number: "1 204 331", with thin spaces from five digits on. @param {number} n */
export function count(n) {
  const digits = String(Math.abs(Math.round(n)));
  const text = digits.length < 5 ? digits : digits.replace(/\B(?=(\d{3})+$)/g, "\u202f");
  return n < 0 ? MINUS + text : text;
}
