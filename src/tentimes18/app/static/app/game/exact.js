// Exact numbers: fractions of big integers, rounded once where a person or a chart needs a plain number.
//
// Rows of thresholds, worths and losses stay fractions until they are shown, so that equal slots are equal and every
// number is the one that the solver prints.

/**
 * A fraction; not always in lowest terms.
 * @typedef {{n: bigint, d: bigint}} Fraction  numerator, and denominator above 0
 */

/** @type {Fraction} */
export const ZERO = Object.freeze({ n: 0n, d: 1n });

/** The greatest common divisor of two whole numbers. */
export function gcd(a, b) {
  a = a < 0n ? -a : a;
  b = b < 0n ? -b : b;
  while (b) [a, b] = [b, a % b];
  return a;
}

/** The fraction n/d of two whole numbers, in lowest terms. @returns {Fraction} */
export function fraction(n, d = 1n) {
  [n, d] = [BigInt(n), BigInt(d)];
  const common = gcd(n, d) || 1n;
  return d < 0n ? { n: -n / common, d: -d / common } : { n: n / common, d: d / common };
}

/** The sum. @returns {Fraction} */
export function plus(a, b) {
  return a.d === b.d ? { n: a.n + b.n, d: a.d } : { n: a.n * b.d + b.n * a.d, d: a.d * b.d };
}

/** The difference. @returns {Fraction} */
export function minus(a, b) {
  return plus(a, { n: -b.n, d: b.d });
}

/** The product. @returns {Fraction} */
export function times(a, b) {
  return { n: a.n * b.n, d: a.d * b.d };
}

/** Negative, 0 or positive as a is less than, equal to or more than b. */
export function compare(a, b) {
  const difference = a.n * b.d - b.n * a.d;
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

/** The nearest float64 of a fraction, as Python's `float(Fraction)` gives it. @param {Fraction} value */
export function toNumber({ n, d }) {
  if (n < 0n) return -toNumber({ n: -n, d });
  if (n === 0n) return 0;
  const shift = 66 - (bits(n) - bits(d)); // the quotient has 66 bits or 67; one more tells whether anything is left
  const [top, bottom] = shift >= 0 ? [n << BigInt(shift), d] : [n, d << BigInt(-shift)];
  const quotient = ((top / bottom) << 1n) | (top % bottom ? 1n : 0n);
  return Number(quotient) * 2 ** (-shift - 1);
}

function bits(n) {
  const hex = n.toString(16);
  return 4 * hex.length - Math.clz32(parseInt(hex[0], 16)) + 28;
}

/** The fraction that a float64 is, exactly. @param {number} value @returns {Fraction} */
export function fromNumber(value) {
  let scale = 0;
  while (!Number.isInteger(value)) {
    value *= 2;
    scale += 1;
  }
  return fraction(BigInt(value), 1n << BigInt(scale));
}

/** A fraction from text: a whole number, a decimal, or p/q; null for any other text. @returns {?Fraction} */
export function readFraction(text) {
  const found = /^([+-]?)(?:(\d{1,400})(?:\.(\d{0,400}))?|\.(\d{1,400})|(\d{1,400})\/(0{0,400}[1-9]\d{0,400}))$/.exec(text);
  if (!found) return null;
  const [, sign, whole, tail, only, top, bottom] = found;
  const digits = tail ?? only ?? "";
  const n = top === undefined ? BigInt((whole ?? "") + digits || "0") : BigInt(top);
  const d = bottom === undefined ? 10n ** BigInt(digits.length) : BigInt(bottom);
  return fraction(sign === "-" ? -n : n, d);
}

/** A fraction as text: a whole number, or p/q. @param {Fraction} value */
export function shownFraction(value) {
  const { n, d } = fraction(value.n, value.d);
  return d === 1n ? `${n}` : `${n}/${d}`;
}

/** A number rounded to this many decimals; exactly between two it goes to the even one, as in Python. */
export function fixed(value, digits) {
  const text = value.toFixed(digits);
  const size = Math.abs(value);
  if (size >= 1e15) return text;
  const long = size.toFixed(80);
  const end = long.indexOf(".") + 1 + digits;
  const last = long[end - 1] === "." ? long[end - 2] : long[end - 1];
  if (!/^50*$/.test(long.slice(end)) || Number(last) % 2 !== 0) return text;
  const cut = long.slice(0, digits ? end : end - 1);
  return value < 0 ? `-${cut}` : cut;
}
