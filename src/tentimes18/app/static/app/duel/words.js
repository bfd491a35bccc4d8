// What the page says in a duel: who leads, who still has to place, how it ended. Plain text, no DOM.
import { percent } from "../core/format.js";
import { told } from "../parts/scale.js";
import { texts } from "../texts.js";
import { isBot, largestSwing, shownRoll } from "./rounds.js";

const SOMEONE = "someone"; // what the server calls a player who has left

/** A bot's names for people: alone, at the start of a sentence and within one. @param {string} name  that of the server */
export const botNames = (name) => texts.duel.bots[name] ?? { name, title: name, within: name, what: "" };

/** The opponent's name, to begin a sentence with. @param {object} game */
export function rivalName(game) {
  const { opponent } = game;
  if (opponent === null) return capital(texts.duel.yourFriend);
  if (isBot(game)) return botNames(opponent.name).title;
  return opponent.name === SOMEONE ? texts.duel.someoneTitle : opponent.name;
}

/** The same within a sentence. @param {object} game */
export function rivalWithin(game) {
  const { opponent } = game;
  if (opponent === null) return texts.duel.yourFriend;
  if (isBot(game)) return botNames(opponent.name).within;
  return opponent.name === SOMEONE ? texts.duel.someone : opponent.name;
}

/** The same where there is little room. @param {object} game */
export const shortName = (game) => (game.opponent !== null && isBot(game) ? botNames(game.opponent.name).name : rivalName(game));

const capital = (text) => text[0].toUpperCase() + text.slice(1);

/** Who leads, once both have placed as many rolls. @param {object} game */
function leadWords({ score, opponent, ...game }) {
  if (opponent === null || Object.keys(opponent.board).length === 0) return "";
  const lead = score - opponent.score;
  if (lead === 0) return texts.duel.isLevel;
  return lead > 0 ? texts.duel.youLead(told(lead)) : texts.duel.rivalLeads(rivalName({ ...game, opponent }), told(-lead));
}

/** What is asked while a roll waits. @param {object} game */
export const askWords = (game) => texts.duel.ask(told(shownRoll(game)));

/** Who leads, and what the opponent does. @param {object} game */
export function stateWords(game) {
  const { opponent } = game;
  const rest = opponent === null ? texts.duel.sealed
    : opponent.placed ? texts.duel.opensWithYours(rivalName(game)) : texts.duel.choosingToo(rivalName(game));
  return [leadWords(game), rest].filter(Boolean).join(" ");
}

/**
 * The end of a duel: one line, and the reason.
 * @param {object} game  a finished one
 * @returns {{head: string, rest: string}}
 */
export function endWords(game) {
  const rival = rivalName(game);
  const { ended_by: by, result, opponent } = game;
  const isWon = result === "win";
  if (by === "time") {
    if (opponent === null) return { head: texts.duel.nobodyJoined, rest: texts.duel.nobodyJoinedText };
    if (result === null) return { head: texts.duel.noWinner, rest: texts.duel.noWinnerText };
    return isWon ? { head: texts.duel.youWin, rest: texts.duel.rivalTooLate(rival) } : { head: texts.duel.rivalWins(rival), rest: texts.duel.youTooLate };
  }
  if (by === "resign") {
    return isWon ? { head: texts.duel.youWin, rest: texts.duel.rivalResigned(rival) } : { head: texts.duel.rivalWins(rival), rest: texts.duel.youResigned };
  }
  if (by === "leave") {
    const who = opponent === null || opponent.name === SOMEONE ? texts.duel.otherPlayer : rival;
    return { head: isWon ? texts.duel.youWin : texts.duel.overLeft, rest: texts.duel.rivalLeft(who) };
  }
  const gap = told(Math.abs(game.score - opponent.score));
  if (result === "draw") return { head: texts.duel.drawAt(told(game.score)), rest: texts.duel.drawText };
  return { head: isWon ? texts.duel.youWinBy(gap) : texts.duel.rivalWinsBy(rival, gap), rest: texts.duel.scoreText(told(game.score), told(opponent.score)) };
}

/** The curve of the chances in a sentence. @param {number[]} chances */
export function swingWords(chances) {
  const swing = largestSwing(chances);
  return swing === null ? texts.duel.noSwing : texts.duel.swing(swing.round, percent(swing.from, 0), percent(swing.to, 0));
}

/** What is announced when both moves open. @param {object} game @param {?number} slot  the opponent's @param {string[]} labels */
export function openedWords(game, slot, labels) {
  if (slot === null) return "";
  return `${texts.duel.opened(rivalName(game), told(game.opponent.board[slot]), labels[slot - 1])} ${leadWords(game)}`.trim();
}
