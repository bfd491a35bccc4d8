// The rules to try at once: roll, place, see the area grow. Three rolls, three slots, nothing is kept.
import { html, useRef, useState } from "../../html.js";
import { announce } from "../../core/announce.js";
import { drawId, drawRoll } from "../../game/drawing.js";
import { facesOf } from "../../game/faces.js";
import { gameOf } from "../../game/game.js";
import { boardOf, isFinished, place, pointsOf, score, start } from "../../game/position.js";
import { Board } from "../../parts/board.js";
import { Dice } from "../../parts/dice.js";
import { told } from "../../parts/scale.js";

const GAME = { dice: "3d6", slots: "2,6,10" };

/** A game of three rows. */
export function TryIt() {
  const game = gameOf(GAME.dice, GAME.slots);
  const [state, setState] = useState(() => ({ position: start(game), roll: null, seed: drawId(), fresh: null }));
  const button = useRef(null);
  const { position, roll, seed, fresh } = state;
  const round = position.placements.length + 1;
  const isOver = isFinished(position);
  const throwDice = () => {
    const shown = drawRoll(game.law);
    const next = isOver ? { position: start(game), seed: drawId(), fresh: null } : state;
    setState({ ...next, roll: shown });
    announce(`You rolled ${shown}. Pick a slot.`);
  };
  const put = (slot) => {
    const next = place(position, roll, slot);
    setState({ ...state, position: next, roll: null, fresh: slot });
    const made = `${roll} in times ${game.labels[slot - 1]}: ${told(pointsOf(game, roll, slot))} points`;
    announce(isFinished(next) ? `${made}. Your score is ${told(score(next))}.` : made);
    button.current?.focus({ preventScroll: true });
  };
  const says = isOver
    ? html`<b>${told(score(position))} points.</b> All your green together is your score.`
    : roll === null
      ? position.placements.length
        ? html`<b>${told(score(position))} points so far.</b> Roll again.`
        : "Three rolls, three slots. Roll the first."
      : html`A <b>${told(roll)}</b>: pick a slot. Where you put it, it stays.`;
  return html`<div class="try">
    <div class="felt try-felt"><${Dice} roll=${roll} faces=${roll === null ? [] : facesOf(GAME.dice, roll, `${seed} ${round}`)} turn=${`${seed} ${round}`} />
      ${roll !== null && html`<p class="sum" aria-hidden="true">${told(roll)}</p>`}</div>
    <${Board} game=${game} board=${boardOf(position)} roll=${roll} fresh=${fresh} locked=${roll === null} raised=${!isOver} pick=${put} />
    <div class="row between try-act"><p class="s">${says}</p>
      <button type="button" class="btn" ref=${button} aria-disabled=${roll === null ? undefined : "true"} onClick=${() => roll === null && throwDice()}>${isOver ? "Once more" : "Roll"}</button></div>
  </div>`;
}
