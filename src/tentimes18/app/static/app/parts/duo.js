// Two boards back to back around the multipliers: you on the left, the rival or the perfect player on the right.
import { html } from "../html.js";
import { pointsOf } from "../game/position.js";
import { texts } from "../texts.js";
import { Multiplier, Trough } from "./board.js";
import { scaleOf, told } from "./scale.js";

/**
 * @typedef {object} Side
 * @property {string} name  as it is spoken: "you", "Ana", "the perfect player"
 * @property {Record<string, number>} board  roll by slot
 * @property {number | null} [fresh]  the slot that was filled last
 */

/**
 * Both boards.
 * @param {object} props
 * @param {import("../game/game.js").Game} props.game
 * @param {Side} props.left
 * @param {Side} props.right
 * @param {"rivals" | "perfect"} [props.kind]  whose the right side is: its colour
 * @param {number | null} [props.roll]  the one that waits for the left side: its free rows are buttons then
 * @param {number | null} [props.armed]
 * @param {boolean} [props.arming]
 * @param {boolean} [props.locked]
 * @param {boolean} [props.slim]  in a column of a page
 * @param {boolean} [props.opening]  both sides open their moves at once
 * @param {(slot: number) => void} [props.pick]
 */
export function Duo({ game, left, right, kind = "rivals", roll = null, armed = null, arming = false, locked = false, slim = false, opening = false, pick }) {
  const scale = scaleOf(game);
  const classes = `duo${slim ? " slim" : ""}${scale.style["--label"] > 3 ? " long" : ""}${opening ? " is-opening" : ""}`;
  return html`<div class="duo-frame"><ol class=${classes} style=${scale.style}>
    ${game.labels.map((label, place) => {
      const slot = place + 1;
      const multiplier = game.multipliers[place];
      const mine = left.board[slot] ?? null;
      const theirs = right.board[slot] ?? null;
      const isFree = mine === null && roll !== null;
      const words = [!isFree && spoken(game, left.name, mine, slot), spoken(game, right.name, theirs, slot)].filter(Boolean).join("; ");
      return html`<li key=${slot} data-m=${label} style=${{ "--m": scale.heft(multiplier) }}>
        ${isFree ? html`<${FreeHalf} game=${game} slot=${slot} scale=${scale} roll=${roll} isArmed=${armed === slot} arming=${arming} locked=${locked} pick=${pick} />`
          : html`<${Half} game=${game} slot=${slot} scale=${scale} roll=${mine} side="l" isFresh=${left.fresh === slot} />`}
        <span class="vh">${texts.board.slot(label)}: ${words}</span>
        <${Multiplier} label=${label} />
        <${Half} game=${game} slot=${slot} scale=${scale} roll=${theirs} side=${`r ${kind}`} isFresh=${right.fresh === slot} />
      </li>`;
    })}
  </ol></div>`;
}

function Half({ game, slot, scale, roll, side, isFresh }) {
  const multiplier = game.multipliers[slot - 1];
  const minus = roll !== null && roll * multiplier < 0 ? " minus" : "";
  return html`<div class=${`half ${side}${minus}`} aria-hidden="true">
    <${Trough} scale=${scale} multiplier=${multiplier} roll=${roll} isFresh=${isFresh} />
    <span class="n">${roll === null ? "" : told(pointsOf(game, roll, slot))}</span>
  </div>`;
}

function FreeHalf({ game, slot, scale, roll, isArmed, arming, locked, pick }) {
  const multiplier = game.multipliers[slot - 1];
  const points = told(pointsOf(game, roll, slot));
  const minus = roll * multiplier < 0 ? " minus" : "";
  return html`<button type="button" class=${`half l${minus}${isArmed ? " is-armed" : ""}`} aria-label=${texts.board.slot(game.labels[slot - 1])}
    aria-description=${texts.board.points(points)} aria-pressed=${arming ? String(isArmed) : undefined} aria-disabled=${locked ? "true" : undefined}
    data-slot=${slot} onClick=${() => !locked && pick?.(slot)}>
    <${Trough} scale=${scale} multiplier=${multiplier} roll=${roll} isGhost=${!isArmed} isFresh=${isArmed} />
    <span class=${isArmed ? "n" : "n muted"}>${points}</span>
  </button>`;
}

function spoken(game, name, roll, slot) {
  return roll === null ? texts.board.halfFree(name) : texts.board.halfPlaced(name, told(roll), texts.board.points(told(pointsOf(game, roll, slot))));
}
