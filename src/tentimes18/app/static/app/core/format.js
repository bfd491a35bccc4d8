// How numbers are written: play has one decimal, review two; a real minus; no sign on what rounds to zero.
// Halves are rounded to even, as in the command's tables.
import { fixed as rounded } from "../game/exact.js";

const MINUS = "\u2212";
const isGerman = document.documentElement.lang === "de";

export const PERCENT = isGerman ? "\u00a0%" : "%";

/** A decimal as the language writes it: "3.5", in German "3,5". @param {string} text */
export const decimal = (text) => (isGerman ? text.replace(".", ",") : text);

const fixed = (x, digits) => {
  const text = rounded(Math.abs(x), digits);
  return (x < 0 && Number(text) !== 0 ? MINUS : "") + decimal(text);
};

/** Points with one decimal: "654.9". @param {number} x */
export const points = (x) => fixed(x, 1);

/** Points with two decimals: "654.92". @param {number} x */
export const exact2 = (x) => fixed(x, 2);

/** A difference, with its sign: "+3.2", "−9.1", "0.0". @param {number} x */
export function signed(x, digits = 1) {
  const text = fixed(x, digits);
  return x > 0 && /[1-9]/.test(text) ? `+${text}` : text;
}

/** A share in percent: "51.9%". Only 0 is "0.0%" and only 1 is "100.0%": the ends between are "<0.1%" and ">99.9%". @param {number} share between 0 and 1 */
export function percent(share, digits = 1) {
  const step = 10 ** -digits;
  const value = share * 100;
  if (value > 0 && value < step / 2) return `<${decimal(step.toFixed(digits))}${PERCENT}`;
  if (value < 100 && value > 100 - step / 2) return `>${decimal((100 - step).toFixed(digits))}${PERCENT}`;
  return `${fixed(value, digits)}${PERCENT}`;
}

/** A whole number: "1,204,331", with commas from five digits on. @param {number} n */
export function count(n) {
  const digits = String(Math.abs(Math.round(n)));
  const text = digits.length < 5 ? digits : digits.replace(/\B(?=(\d{3})+$)/g, isGerman ? "." : ",");
  return n < 0 ? MINUS + text : text;
}
