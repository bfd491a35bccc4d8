// Days of the daily game: the week, the time that is left, and what the dice were like. No DOM.
import { letterOf, longDay } from "../../core/dates.js";
import { texts } from "../../texts.js";

const DAY = 86_400_000; // ms
const THIRD = 1 / 3; // dice are kind in the best third of all days, harsh in the worst

/** Whether a text is a day of the calendar. @param {string} text */
export function isDay(text) {
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().slice(0, 10) === text;
}

/** How many days a day is before another. @param {string} day @param {string} later */
export const daysBefore = (day, later) => Math.round((Date.parse(later) - Date.parse(day)) / DAY);

/** The day `days` days before. @param {string} day @param {number} days */
export const dayBefore = (day, days) => new Date(Date.parse(day) - days * DAY).toISOString().slice(0, 10);

/**
 * The seven days up to this one, with the player's score where there is one.
 * @param {string} day  the last of them
 * @param {Map<string, number>} scores
 * @returns {{day: string, letter: string, name: string, score: number | undefined, isLast: boolean}[]}
 */
export function weekOf(day, scores) {
  return Array.from({ length: 7 }, (_, place) => {
    const shown = dayBefore(day, 6 - place);
    return { day: shown, letter: letterOf(shown), name: longDay(shown), score: scores.get(shown), isLast: place === 6 };
  });
}

/** A time that is left: "10 h 58 min", "58 min", "42 s". @param {number} milliseconds */
export function timeLeft(milliseconds) {
  const seconds = Math.max(0, Math.ceil(milliseconds / 1000));
  if (seconds < 60) return texts.daily.seconds(seconds);
  const minutes = Math.ceil(seconds / 60);
  return minutes < 60 ? texts.daily.minutes(minutes) : texts.daily.hours(Math.floor(minutes / 60), minutes % 60);
}

/**
 * What the dice of a day were like, by the perfect player's score on them.
 * @param {import("../../game/scores.js").ScoreDistribution} distribution  of the perfect player's score
 * @param {number} score  the perfect player's on this day
 * @returns {{kind: "kind" | "fair" | "harsh", below: number}}  below: the share of days with a lower score
 */
export function diceOfDay({ scores, chances }, score) {
  const share = (fits) => chances.reduce((sum, chance, place) => (fits(scores[place]) ? sum + chance : sum), 0);
  const below = share((other) => other < score);
  const middle = below + share((other) => other === score) / 2;
  return { kind: middle > 1 - THIRD ? "kind" : middle < THIRD ? "harsh" : "fair", below };
}

/** The share of players that a score is ahead of. @param {[number, number][]} histogram @param {number} score */
export function aheadOf(histogram, score) {
  const all = histogram.reduce((sum, [, count]) => sum + count, 0);
  return all ? histogram.reduce((sum, [made, count]) => (made < score ? sum + count : sum), 0) / all : 0;
}
