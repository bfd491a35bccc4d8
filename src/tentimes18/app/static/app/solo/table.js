// The table of a game alone: dice, board, coach and actions while it is played, and its end. Play, a game by its address and Daily share it.
import { html, useEffect, useMemo, useRef, useState } from "../html.js";
import { announce } from "../core/announce.js";
import { points, signed } from "../core/format.js";
import { useSetting } from "../core/settings.js";
import { diceShown, facesOf } from "../game/faces.js";
import { boardOf, freeSlots, pointsOf, score as scoreOf } from "../game/position.js";
import { review } from "../game/review.js";
import { advise, worthOf } from "../game/thresholds.js";
import { Board } from "../parts/board.js";
import { railOf } from "../parts/costs.js";
import { told } from "../parts/scale.js";
import { Tray } from "../parts/tray.js";
import { GameActions } from "./bar.js";
import { useBoardKeys } from "./keys.js";
import { isOver, positionOfSolo, waitingRoll } from "./rounds.js";
import { SoFar } from "./so_far.js";
import { WARN_FROM, placedWords, resultWords, rollWords, warningOf } from "./words.js";

/**
 * A game in play, and its end.
 * @param {{keeper: object, coach: string, begin: (game: object) => void}} props  keeper: of useSolo. coach: what the player chose. begin: another game
 */
export function Table({ keeper, coach: chosen, begin }) {
  const { solo, status, fresh, place } = keeper;
  const [placing] = useSetting("placing");
  const [armed, arm] = useState(null);
  const position = useMemo(() => positionOfSolo(solo), [solo]);
  const { game } = position;
  const roll = waitingRoll(solo);
  const round = solo.rounds.length;
  const isDone = isOver(solo);
  // A game that was begun without a coach counts for the rating: the coach keeps silent to its end.
  const coach = solo.coach === "off" && !solo.local ? "off" : chosen;
  const advice = useMemo(() => (coach !== "off" && roll !== null ? advise(position, roll) : null), [position, roll, coach]);
  const warning = advice && coach === "warn" && armed !== null ? warningOf(game, advice, armed) : null;
  const measured = useMemo(() => (isDone || (coach === "full" && solo.ordered) ? review(position) : null), [position, isDone, coach]);
  const isLocked = roll === null || status === "gone";
  const hasSlid = useRef(false); // the block that lies there now slid in when its slot was armed
  // The dice lie as they are until the next roll is there, unless it takes long.
  const shownRoll = roll ?? (status === "sending" ? solo.rounds.at(-1).roll : null);

  const commit = (slot) => {
    keepFocus(slot);
    hasSlid.current = armed === slot;
    arm(null);
    place(slot);
    sayPlaced.current = placedWords(game, roll, slot, pointsOf(game, roll, slot), spokenCost(coach, advice, slot));
  };
  const pick = (slot) => {
    if (isLocked) return;
    const isWarned = coach === "warn" && warningOf(game, advice, slot) !== null;
    if (armed === slot || (placing === "tap" && !isWarned)) commit(slot);
    else armAt(slot);
  };
  const armAt = (slot) => {
    arm(slot);
    focusSlot(slot);
  };
  const again = () => begin({ dice: solo.dice, slots: solo.slots });
  const sayPlaced = useSaid(game, solo, roll, isDone, measured);
  useBoardKeys({
    size: game.size,
    isFree: (slot) => !isLocked && freeSlots(position).includes(slot),
    pick,
    arm: armAt,
    commit: armed !== null && !isLocked ? () => commit(armed) : undefined,
    cancel: () => arm(null),
    others: isDone ? { n: again } : {},
  });

  const figures = isDone ? resultFigures(measured) : [
    { name: "Score", value: told(scoreOf(position)) },
    { name: "Round", value: `${round} of ${game.size}` },
    coach === "full" ? { name: "On course for", value: points(advice ? advice.moves[0].worth : worthOf(position)) } : { name: "Free slots", value: String(freeSlots(position).length) },
  ];
  const faces = shownRoll === null ? [] : facesOf(game.dice, shownRoll, `${solo.id} ${round}`);
  const unsent = status === "away" || (status === "gone" && solo.unsent) ? [solo.rounds.at(-1).slot] : [];
  return html`<div class=${isDone ? "table flat" : "table"}>
    <${Tray} roll=${shownRoll} faces=${faces} count=${diceShown(game.dice)} turn=${round} still=${fresh === null && round > 1} figures=${figures}
      rounds=${game.size} round=${isDone ? game.size + 1 : round}>
      ${isDone && html`<p class="sum final"><span class="vh">Final score </span>${told(measured.score)}</p>`}
    <//>
    <${Board} game=${game} board=${boardOf(position)} roll=${roll} armed=${armed} arming=${placing === "arm"} advice=${coach === "full" ? advice : null} coached=${coach === "full" && !isDone}
      rail=${railOf(game)} warning=${warning?.cost ?? null} fresh=${hasSlid.current ? null : fresh} unsent=${unsent} locked=${isLocked} raised=${!isDone} pick=${pick} />
    <${GameActions} keeper=${keeper} game=${game} roll=${roll} coach=${coach} chosen=${chosen} placing=${placing} advice=${advice} armed=${armed} warning=${warning}
      result=${isDone ? resultWords(measured) : null} position=${position} commit=${commit} putBack=${() => arm(null)} again=${again} />
    ${measured && solo.ordered && html`<${SoFar} game=${game} measured=${measured} now=${advice && { roll, worth: advice.moves[0].worth }} />`}
  </div>`;
}

/** The bill of a finished game. */
function resultFigures({ value, luck, loss }) {
  return [{ name: "Par", value: points(value) }, { name: "Luck", value: signed(luck) }, { name: "Mistakes", value: signed(-loss) }];
}

/** What is said of a placement's cost: as much as is seen. */
function spokenCost(coach, advice, slot) {
  if (!advice?.isChoice) return null;
  const { loss } = advice.bySlot.get(slot);
  return coach === "full" || loss >= WARN_FROM ? loss : null;
}

/** Tell the live region what was placed and what was rolled; returns where the words of a placement are put. */
function useSaid(game, solo, roll, isDone, measured) {
  const placed = useRef("");
  const round = solo.rounds.length;
  useEffect(() => {
    if (roll === null && !isDone) return;
    if (isDone && placed.current && document.activeElement === document.body) document.querySelector(".ask")?.focus(); // the last slot is gone
    const end = isDone ? resultWords(measured) : null;
    announce([placed.current, end ? `${end.head} ${end.rest}` : rollWords(round, game.size, roll)].filter(Boolean).join(" "));
    placed.current = "";
  }, [round, roll, isDone]);
  return placed;
}

/** When the slot that has the focus is filled, the focus goes to the nearest one that is free. */
function keepFocus(slot) {
  if (document.activeElement?.dataset.slot !== String(slot)) return;
  const free = [...document.querySelectorAll("button[data-slot]")].filter((button) => button !== document.activeElement);
  const near = (button) => Math.abs(Number(button.dataset.slot) - slot);
  free.sort((one, other) => near(one) - near(other))[0]?.focus();
}

/** A slot that was picked by a key has the focus, if another slot had it: Enter means the one that is marked. */
function focusSlot(slot) {
  if (document.activeElement?.dataset.slot) document.querySelector(`button[data-slot="${slot}"]`)?.focus();
}
