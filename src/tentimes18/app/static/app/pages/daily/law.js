// The exact law of the perfect player's score in the classic game, made once, after the page is drawn.
import { useEffect, useState } from "../../html.js";
import { gameOf } from "../../game/game.js";
import { start } from "../../game/position.js";
import { scoreLaw } from "../../game/scores.js";

let law = null;

/** @returns {?import("../../game/scores.js").ScoreLaw} null for a moment */
export function useClassicLaw() {
  const [found, show] = useState(law);
  useEffect(() => {
    if (found) return undefined;
    const timer = setTimeout(() => {
      law ??= scoreLaw(start(gameOf()));
      show(law);
    });
    return () => clearTimeout(timer);
  }, []);
  return found;
}
