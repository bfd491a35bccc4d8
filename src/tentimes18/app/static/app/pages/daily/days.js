// Days of the daily game in words: dates, the week, streaks, the time to the next one, and what the dice were like. No DOM.

const WEEKDAYS = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];
const MONTHS = ["January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"];
const NUMBERS = ["No", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten", "Eleven", "Twelve"];
const DAY = 86_400_000; // ms
const ODD = 1 / 3; // dice are kind in the best third of all days, harsh in the worst

const dateOf = (day) => new Date(`${day}T00:00:00Z`);

/** A day in words: "Sat 15 November". @param {string} day as 2026-11-15 */
export function longDay(day) {
  const date = dateOf(day);
  return `${WEEKDAYS[date.getUTCDay()]} ${date.getUTCDate()} ${MONTHS[date.getUTCMonth()]}`;
}

/** The same, shorter: "Sat 15 Nov". @param {string} day */
export function shortDay(day) {
  const date = dateOf(day);
  return `${WEEKDAYS[date.getUTCDay()]} ${date.getUTCDate()} ${MONTHS[date.getUTCMonth()].slice(0, 3)}`;
}

/**
 * The seven days up to this one, and which of them were played.
 * @param {string} day  the last of them
 * @param {Set<string>} played
 * @returns {{day: string, letter: string, name: string, isPlayed: boolean, isLast: boolean}[]}
 */
export function weekOf(day, played) {
  return Array.from({ length: 7 }, (_, place) => {
    const date = new Date(dateOf(day).getTime() - (6 - place) * DAY);
    const found = date.toISOString().slice(0, 10);
    return { day: found, letter: WEEKDAYS[date.getUTCDay()][0], name: longDay(found), isPlayed: played.has(found), isLast: place === 6 };
  });
}

/** How long a streak is: "Six days in a row". @param {number} days */
export function streakWords(days) {
  if (days < 1) return "No days in a row yet";
  return days === 1 ? "One day" : `${NUMBERS[days] ?? days} days in a row`;
}

/** A time that is left: "10 h 58 min", "58 min", "42 s". @param {number} milliseconds */
export function timeLeft(milliseconds) {
  const seconds = Math.max(0, Math.ceil(milliseconds / 1000));
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** A place in an order: "1st", "22nd", "113th". @param {number} rank */
export function ordinal(rank) {
  const isTeen = Math.floor(rank / 10) % 10 === 1;
  return `${rank}${isTeen ? "th" : ["th", "st", "nd", "rd"][rank % 10] ?? "th"}`;
}

/**
 * What the dice of a day were like: by what the perfect player makes of them, among all days there could be.
 * @param {import("../../game/scores.js").ScoreLaw} law  of the perfect player's score
 * @param {number} made  what the perfect player makes of this day
 * @returns {{word: "Kind" | "Fair" | "Harsh", below: number}}  below: the share of days that are worse
 */
export function diceOfDay({ scores, chances }, made) {
  const below = chances.reduce((sum, chance, place) => (scores[place] < made ? sum + chance : sum), 0);
  const same = chances.reduce((sum, chance, place) => (scores[place] === made ? sum + chance : sum), 0);
  const middle = below + same / 2;
  return { word: middle > 1 - ODD ? "Kind" : middle < ODD ? "Harsh" : "Fair", below };
}

/** The share of players that a score is ahead of. @param {[number, number][]} histogram @param {number} score */
export function aheadOf(histogram, score) {
  const all = histogram.reduce((sum, [, count]) => sum + count, 0);
  return all ? histogram.reduce((sum, [made, count]) => (made < score ? sum + count : sum), 0) / all : 0;
}
