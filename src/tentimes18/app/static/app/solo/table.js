// The table of a game alone: dice, board, coach and actions while it is played. Play, a game by its address and Daily share it.
import { html, useEffect, useMemo, useRef, useState } from "../html.js";
import { announce } from "../core/messages.js";
import { points } from "../core/format.js";
import { playSound } from "../core/sound.js";
import { kept } from "../core/kept.js";
import { useSetting } from "../core/settings.js";
import { diceShown, facesOf, facesShown } from "../game/faces.js";
import { boardOf, freeSlots, score as scoreOf } from "../game/position.js";
import { review } from "../game/review.js";
import { advise, worthOf } from "../game/thresholds.js";
import { Board } from "../parts/board.js";
import { railOf, told } from "../parts/scale.js";
import { Tray } from "../parts/dice.js";
import { Loading, useModule } from "../parts/notes.js";
import { GameActions } from "./bar.js";
import { useBoardKeys } from "./keys.js";
import { isOver, positionOfSolo, waitingRoll } from "./rounds.js";
import { texts } from "../texts.js";
import { WARN_FROM, pickedWords, placedWords, rollWords, warningOf } from "./words.js";

export const loadEnding = () => import("./ending.js");

/**
 * A game in play, and its end (ending.js).
 * @param {{keeper: object, coach: string, takesFocus?: boolean, begin: (game: object) => void}} props  keeper: of useSolo. coach: what the player
 *   chose. takesFocus: the button that began the game is gone. begin: another game
 */
export function Table({ keeper, coach: chosen, takesFocus = false, begin }) {
  const { solo, status, fresh, place } = keeper;
  const ending = useModule(loadEnding);
  const [placing] = useSetting("placing");
  const position = useMemo(() => positionOfSolo(solo), [solo]);
  const { game } = position;
  const roll = waitingRoll(solo);
  const round = solo.rounds.length;
  const isDone = isOver(solo);
  const [picked, pickIn] = useState(null); // a slot is picked for one roll: another tab may place that roll first
  const armed = picked?.round === round && roll !== null ? picked.slot : null;
  const arm = (slot) => pickIn(slot === null ? null : { round, slot });
  // A game that was begun without a coach counts for the rating: the coach keeps silent to its end.
  const coach = solo.coach === "off" && !solo.local ? "off" : chosen;
  const advice = useMemo(() => (coach !== "off" && roll !== null ? advise(position, roll) : null), [position, roll, coach]);
  const warning = advice && coach === "warn" && armed !== null ? warningOf(game, advice, armed) : null;
  const measured = useMemo(() => (isDone || (coach === "full" && solo.ordered) ? review(position) : null), [position, isDone, coach]);
  const isLocked = roll === null || status === "gone";
  // The dice lie as they are until the next roll arrives, unless it takes long.
  const shownRoll = roll ?? (status === "sending" ? solo.rounds.at(-1).roll : null);

  const commit = (slot) => {
    keepFocus(slot);
    arm(null);
    place(slot);
    playSound("place", (10 * slot) / game.size);
    sayPlaced.current = placedWords(game, roll, slot, spokenCost(coach, advice, slot));
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
  const sayPlaced = useSaid(game, solo, roll);
  const metIn = useRef(null); // the round in which the coach spoke for the first time
  if (warning && !kept.get("coach-met", false)) {
    kept.set("coach-met", true);
    metIn.current = round;
  }
  if (warning && metIn.current === round) warning.rest = texts.coach.introduced;
  useEffect(() => {
    if (armed !== null) announce([pickedWords(game, roll, armed), warning?.head, warning?.rest].filter(Boolean).join(" "));
  }, [armed, round]);
  useEffect(() => {
    if (takesFocus && document.activeElement === document.body) document.querySelector(".ask")?.focus({ preventScroll: true });
  }, []);
  useBoardKeys({
    size: game.size,
    isFree: (slot) => !isLocked && freeSlots(position).includes(slot),
    pick,
    arm: armAt,
    commit: armed !== null && !isLocked ? () => commit(armed) : undefined,
    cancel: () => arm(null),
    others: isDone ? { n: again } : {},
  });

  if (isDone) return !ending ? html`<div class="page"><${Loading} /></div>` : html`<${ending.Ending} solo=${solo} position=${position} measured=${measured} busy=${status === "beginning"} wrong=${keeper.wrong} again=${again} />`;
  const figures = [
    { name: texts.play.score, value: told(scoreOf(position)), count: scoreOf(position) },
    { name: texts.play.round, value: texts.play.roundOf(round, game.size) },
    coach === "full" ? { name: texts.play.onCourse, value: points(advice ? advice.moves[0].worth : worthOf(position)) } : { name: texts.play.freeSlots, value: String(freeSlots(position).length) },
  ];
  const { faces: known } = solo.rounds.at(-1);
  const faces = shownRoll === null ? [] : known ? facesShown(game.dice, known) : facesOf(game.dice, shownRoll, `${solo.id} ${round}`);
  const unsent = status === "away" || (status === "gone" && solo.unsent) ? [solo.rounds.at(-1).slot] : [];
  return html`<div class="table">
    <${Tray} roll=${shownRoll} faces=${faces} count=${diceShown(game.dice)} turn=${round} still=${fresh === null && round > 1} figures=${figures}
      rounds=${game.size} round=${round} />
    <${Board} game=${game} board=${boardOf(position)} roll=${roll} armed=${armed} arming=${placing === "arm"} advice=${coach === "full" ? advice : null} coached=${coach === "full"}
      rail=${railOf(game)} warning=${warning?.cost ?? costOf(coach, advice, armed)} fresh=${fresh} unsent=${unsent} locked=${isLocked} raised pick=${pick} />
    <${GameActions} keeper=${keeper} game=${game} roll=${roll} coach=${coach} chosen=${chosen} placing=${placing} advice=${advice} armed=${armed} warning=${warning}
      commit=${commit} putBack=${() => arm(null)} />
    ${ending && measured && solo.ordered && html`<${ending.SoFar} game=${game} measured=${measured} now=${advice && { roll, worth: advice.moves[0].worth }} />`}
  </div>`;
}

/** What the armed slot costs, where the coach shows all costs and this one is worth a warning. */
function costOf(coach, advice, armed) {
  const loss = coach === "full" && armed !== null ? (advice?.bySlot.get(armed)?.loss ?? 0) : 0;
  return loss >= WARN_FROM ? loss : null;
}

/** What is said of a placement's cost: as much as is seen. */
function spokenCost(coach, advice, slot) {
  if (!advice?.isChoice) return null;
  const { loss } = advice.bySlot.get(slot);
  return coach === "full" || loss >= WARN_FROM ? loss : null;
}

/** Tell the live region what was placed and what was rolled; returns where the words of a placement are put. */
function useSaid(game, solo, roll) {
  const placed = useRef("");
  const round = solo.rounds.length;
  useEffect(() => {
    if (roll === null) return;
    playSound("roll");
    announce([placed.current, rollWords(round, game.size, roll)].filter(Boolean).join(" "));
    placed.current = "";
  }, [round, roll]);
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
