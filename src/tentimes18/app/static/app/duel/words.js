// What the page says in a duel: who leads, who is waited for, how it ended. Plain text, no DOM.
import { percent } from "../core/format.js";
import { told } from "../parts/scale.js";
import { isBot, largestSwing, shownRoll } from "./rounds.js";

/** The bots as people call them; the service's own sentence says what each tries to do. */
const BOTS = {
  random: "Random",
  nearest: "Nearest",
  optimal: "The perfect player",
  "target:700": "The seven hundred",
  hunter: "The hunter",
  equilibrium: "The equilibrium",
};
const FRIEND = "your friend";

/** A bot's name for people. @param {string} name  that of the service */
export const botName = (name) => BOTS[name] ?? name;

/** The same within a sentence: "the hunter". @param {string} name */
export const botWithin = (name) => botName(name).replace(/^The /, "the ");

/** The opponent's name, to begin a sentence with. @param {object} game */
export function rivalName(game) {
  const { opponent } = game;
  if (opponent === null) return upper(FRIEND);
  return isBot(game) ? botName(opponent.name) : upper(opponent.name);
}

/** A name where there is little room: "Hunter", "Perfect player". @param {string} name */
export const shortName = (name) => name.replace(/^(The|Your) (\w)/, (_, article, letter) => letter.toUpperCase());

/** The same within a sentence. @param {object} game */
export function rivalWithin(game) {
  if (game.opponent === null) return FRIEND;
  return isBot(game) ? botWithin(game.opponent.name) : game.opponent.name;
}

function upper(text) {
  return text === "someone" ? "Someone" : text === FRIEND ? "Your friend" : text;
}

/** Who leads, once both have placed as many rolls. @param {object} game */
function leadWords({ score, opponent, ...game }) {
  if (opponent === null || Object.keys(opponent.board).length === 0) return "";
  const lead = score - opponent.score;
  if (lead === 0) return "You are level.";
  return lead > 0 ? `You lead by ${told(lead)}.` : `${rivalName({ ...game, opponent })} leads by ${told(-lead)}.`;
}

/** What is asked while a roll waits. @param {object} game */
export const askWords = (game) => `Pick a slot for your ${told(shownRoll(game))}`;

/** What stands below the question: who leads, and what the other one does. @param {object} game */
export function stateWords(game) {
  const { opponent } = game;
  const rest = opponent === null ? "Your move stays sealed until your friend has placed too."
    : opponent.placed ? `${possessive(game)} move opens with yours.` : `${rivalName(game)} is choosing too.`;
  return [leadWords(game), rest].filter(Boolean).join(" ");
}

/** After an own placement, whom it waits for. @param {object} game */
export const waitingWords = (game) => ({ ask: `Placed. Waiting for ${rivalWithin(game)}…`, rest: "You may leave: the duel waits for you." });

const possessive = (game) => (/s$/i.test(rivalName(game)) ? `${rivalName(game)}’` : `${rivalName(game)}’s`);

/**
 * The end of a duel: one line, and what stands behind it.
 * @param {object} game  a finished one
 * @returns {{head: string, rest: string}}
 */
export function endWords(game) {
  const rival = rivalName(game);
  const { ended_by: by, result, opponent } = game;
  if (by === "time") {
    if (opponent === null) return { head: "Nobody took the invite.", rest: "It was open for seven days. Send a new one whenever you like." };
    if (result === null) return { head: "The duel ended without a winner.", rest: "Neither of you placed the roll for 72 hours." };
    return result === "win" ? { head: "You win.", rest: `${rival} did not place for 72 hours.` } : { head: `${rival} wins.`, rest: "Your move did not come for 72 hours." };
  }
  if (by === "leave") return { head: result === "win" ? "You win." : "The duel is over.", rest: `${opponent === null || opponent.name === "someone" ? "The other player" : rival} left for good.` };
  const gap = Math.abs(game.score - opponent.score);
  if (result === "draw") return { head: `A draw at ${told(game.score)}.`, rest: "The same score on the same rolls." };
  const head = result === "win" ? `You win by ${told(gap)}.` : `${rival} wins by ${told(gap)}.`;
  return { head, rest: `${told(game.score)} to ${told(opponent.score)}, on the same rolls.` };
}

/** What the curve of the chances shows, in a sentence. @param {number[]} chances */
export function swingWords(chances) {
  const swing = largestSwing(chances);
  if (swing === null) return "The chances never moved from even.";
  return `The largest swing came in round ${swing.round}: from ${whole(swing.from, 0)} to ${whole(swing.to, 0)}.`;
}

/** A share that no line break parts from its sign. */
const whole = (share, digits) => percent(share, digits).replace(" ", "\u00a0");

/** A bot's chances against the perfect player, told exactly. @param {{win: number, draw: number, loss: number}} chances */
export function againstWords({ win, draw, loss }) {
  if (draw === 1) return "Against itself every duel is a draw: the same rolls, the same moves.";
  const [won, drawn, lost] = [win, draw, loss].map((share) => whole(share, 1));
  return `Against the perfect player it wins ${won}, draws ${drawn} and loses ${lost}.`;
}

/** What is announced when both moves open. @param {object} game @param {?number} slot  the opponent's */
export function openedWords(game, slot, labels) {
  if (slot === null) return "";
  const roll = game.opponent.board[slot];
  return `${rivalName(game)} placed ${told(roll)} in times ${labels[slot - 1]}. ${leadWords(game)}`.trim();
}
