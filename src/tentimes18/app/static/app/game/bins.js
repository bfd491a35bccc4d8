// Scores in bins, for charts and their tables: every bin holds a round number of scores, about four to a deviation.

const BINS_A_DEVIATION = 4;
const LEAST_SHARE = 2e-4; // of the games in a bin, to be shown
const MOST_BINS = 60;

/**
 * Bins of one width: bin n holds the scores from width · n to below width · (n + 1).
 * @typedef {object} Bins
 * @property {number} width
 * @property {number} first  the number of the first bin that is shown
 * @property {number} count  of bins that are shown
 * @property {number} unit  the distance of neighbouring scores
 */

/**
 * The bins that show a distribution, and scores beside it.
 * @param {import("./scores.js").ScoreDistribution} distribution @param {number[]} [scores]  that must be among the bins
 * @returns {Bins}
 */
export function binsOf(distribution, scores = []) {
  const mean = distribution.scores.reduce((sum, score, i) => sum + score * distribution.chances[i], 0);
  const sd = Math.sqrt(distribution.scores.reduce((sum, score, i) => sum + (score - mean) ** 2 * distribution.chances[i], 0));
  const unit = stepOf([...distribution.scores, ...scores]);
  let width = unit;
  for (const factor of roundNumbers()) {
    const shown = shownBins(distribution, scores, width);
    if (unit * factor * BINS_A_DEVIATION > sd && shown.count <= MOST_BINS) break;
    width = unit * factor;
  }
  return { width, unit, ...shownBins(distribution, scores, width) };
}

/** What falls into each bin that is shown. @param {[number, number][]} pairs  of a score and its weight @param {Bins} bins */
export function binned(pairs, { width, first, count }) {
  const sums = new Array(count).fill(0);
  for (const [score, weight] of pairs) {
    const place = numberOf(score, width) - first;
    if (place >= 0 && place < count) sums[place] += weight;
  }
  return sums;
}

/** The first score of a bin that is shown, from 0. @param {Bins} bins */
export function startOf({ width, first }, place) {
  return (first + place) * width;
}

/** A bin in words: one score, or the first and the last of them. @param {Bins} bins */
export function binName(bins, place) {
  const from = startOf(bins, place);
  const to = from + bins.width - bins.unit;
  const shown = (score) => String(Number(score.toFixed(4))).replace("-", "−");
  return to <= from + 1e-9 ? shown(from) : `${shown(from)} to ${shown(to)}`;
}

function shownBins(distribution, scores, width) {
  const shares = new Map();
  distribution.scores.forEach((score, i) => {
    const number = numberOf(score, width);
    shares.set(number, (shares.get(number) ?? 0) + distribution.chances[i]);
  });
  const shown = [...shares].filter(([, share]) => share >= LEAST_SHARE).map(([number]) => number);
  for (const score of scores) shown.push(numberOf(score, width));
  const first = shown.reduce((least, number) => Math.min(least, number));
  return { first, count: shown.reduce((most, number) => Math.max(most, number)) - first + 1 };
}

function numberOf(score, width) {
  return Math.floor(score / width + 1e-9);
}

// The common distance of scores, in thousandths at the finest.
function stepOf(scores) {
  const whole = (number) => Math.round(number * 1000);
  const gcd = (a, b) => (b ? gcd(b, a % b) : a);
  const found = scores.reduce((common, score) => gcd(common, Math.abs(whole(score) - whole(scores[0]))), 0);
  return (found || 1000) / 1000;
}

function* roundNumbers() {
  for (let power = 1; ; power *= 10) yield* [power, 2 * power, 5 * power];
}
