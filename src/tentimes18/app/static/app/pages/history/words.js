// A game of the list in words: what was played, when, how it ended. No DOM.
import { botWithin } from "../../duel/words.js";
import { CLASSIC, gameOf } from "../../game/game.js";
import { namedGame } from "../../solo/games.js";

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const RESULTS = { win: "won", draw: "drawn", loss: "lost" };

/** When something was, where the reader is: "today, 14:05", "16 Nov", with its year where that is another. @param {string} instant ISO @param {Date} [now] */
export function whenWords(instant, now = new Date()) {
  const date = new Date(instant);
  if (date.toDateString() !== now.toDateString()) return dateWords(instant, now);
  return `today, ${String(date.getHours()).padStart(2, "0")}:${String(date.getMinutes()).padStart(2, "0")}`;
}

/** The date of an instant where the reader is: "16 Nov", with its year where that is another. @param {string} instant ISO @param {Date} [now] */
export function dateWords(instant, now = new Date()) {
  const date = new Date(instant);
  const year = date.getFullYear() === now.getFullYear() ? "" : ` ${date.getFullYear()}`;
  return `${date.getDate()} ${MONTHS[date.getMonth()]}${year}`;
}

/** What kind of game this was: "Daily 15 Nov", "Duel with Ana", "Blitz". @param {object} game  of GET /me/history */
export function kindWords({ kind, dice, slots, day, against, bot, coach }) {
  if (kind === "daily") return "Daily";
  if (kind === "duel") return against ? `Duel with ${bot ? botWithin(against) : against}` : "Duel, waiting for a friend";
  const name = gameName(dice, slots);
  if (day) return "Daily, in practice";
  return coach === "off" ? name : `${name}, with coach`;
}

/** Its name, or dice and slots where it has none. */
function gameName(dice, multipliers) {
  try {
    const game = gameOf(dice, multipliers);
    if (game.dice === CLASSIC.dice && game.slots === CLASSIC.slots) return "Classic";
    return namedGame(game)?.title ?? `${game.dice} on ${game.slots}`;
  } catch {
    return dice; // larger than this browser plays
  }
}

/** How it stands: "round 4 of 10", "won". @param {object} game */
export function stateWords({ finished, placed, slots, result, ended_by: endedBy }) {
  if (!finished) return `round ${Math.min(placed + 1, slots.length)} of ${slots.length}`;
  const won = RESULTS[result] ?? "";
  return endedBy === "time" ? `${won || "ended"}, time ran out` : endedBy === "leave" ? `${won || "ended"}, given up` : won;
}

/** A number of things: "1 game", "12 games". @param {number} number @param {string} one @param {string} [many] */
export function counted(number, one, many = `${one}s`) {
  return `${number} ${number === 1 ? one : many}`;
}
