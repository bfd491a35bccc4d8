// What a game of a list is called: "Daily", "Duel with Ana", "Blitz, with coach".
import { CLASSIC, gameOf, namedGame } from "../game/game.js";
import { texts } from "../texts.js";

/** @param {object} game  of GET /me/history */
export function titleOf({ kind, dice, slots, day, against, bot, coach }) {
  if (kind === "daily") return texts.history.daily;
  if (kind === "group") return texts.history.group;
  if (kind === "duel") return against ? texts.history.duelWith(bot ? (texts.duel.bots[against]?.within ?? against) : against) : texts.history.duelWaiting;
  if (day) return texts.history.dailyPractice;
  const name = gameTitle(dice, slots);
  return coach === "off" ? name : texts.history.coached(name);
}

function gameTitle(dice, multipliers) {
  try {
    const game = gameOf(dice, multipliers);
    if (game.dice === CLASSIC.dice && game.slots === CLASSIC.slots) return texts.history.classic;
    return namedGame(game)?.title ?? texts.history.ownGame(game.dice, game.slots);
  } catch {
    return dice; // larger than this browser plays
  }
}
