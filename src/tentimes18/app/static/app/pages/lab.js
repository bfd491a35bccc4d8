// The lab: any dice and slots, a position in them, where each roll goes, what to expect, and a card to print.
import { html, useEffect, useMemo, useRef, useState } from "../html.js";
import { announce } from "../core/announce.js";
import { useOnline } from "../core/online.js";
import { isFinished, place, rollIn, score, start, without } from "../game/position.js";
import { valueOf } from "../game/thresholds.js";
import { allSlots } from "../game/game.js";
import { Shell } from "../parts/shell.js";
import { Answer, Cuts } from "./lab/answer.js";
import { addressOf, readAddress, withGame } from "./lab/address.js";
import { pathOf, toldError, useAnswers } from "./lab/asking.js";
import { GamePanel } from "./lab/game_panel.js";
import { Matrix, told } from "./lab/matrix.js";
import { Outlook } from "./lab/outlook.js";
import { StrategyCard } from "./lab/strategy_card.js";

export const title = "Lab";

const COPIED = 2000; // ms that the button says so

/** @param {{query: Record<string, string>}} props */
export default function Page({ query }) {
  const [state, setState] = useState(() => readAddress(query));
  const online = useOnline();
  const { position, roll, target } = state;
  const { game } = position;
  const isOver = isFinished(position);
  const [copied, copy] = useCopy(() => new URL(addressOf(state), location.href).href);
  const targetPaths = target === null || isOver || !online ? [] : [pathOf("target", position, { target: String(target) }), pathOf("advise", position, { aim: `target:${target}`, roll: String(roll) })];
  const { answers, error, isAsking } = useAnswers(targetPaths);
  const played = answers.get(targetPaths[0]) ?? null;
  const chances = answers.get(targetPaths[1]) ?? null;
  const suggested = useMemo(() => Math.round((valueOf(game, allSlots(game)) * 1.09) / 10) * 10, [game]);
  const show = (next, { isNew = true } = {}) => {
    setState(next);
    const address = addressOf(next);
    if (address === location.pathname + location.search) return;
    if (isNew) history.replaceState({ ...history.state, scroll: window.scrollY }, "");
    history[isNew ? "pushState" : "replaceState"](isNew ? {} : history.state, "", address);
  };
  const change = {
    game: (written, isDone) => (isDone ? show(withGame(state, written)) : setState(withGame(state, written))),
    pick: (shown) => show({ ...state, roll: shown }, { isNew: false }),
    aim: (score) => show({ ...state, target: score }, { isNew: false }),
    clear: () => show({ ...state, position: start(game), wrong: {} }),
    toggle: (slot) => {
      const standing = rollIn(position, slot);
      const next = standing === null ? place(position, roll, slot) : without(position, slot);
      announce(standing === null ? `${told(roll)} in slot times ${game.labels[slot - 1]}` : `Slot times ${game.labels[slot - 1]} is free`);
      show({ ...state, position: next, wrong: {} });
    },
  };
  const isTargeted = target !== null;
  return html`<${Shell}><div class="page lab">
    <h1 class="vh">Lab</h1>
    <${GamePanel} state=${{ ...state, suggested }} change=${change} copy=${copy} copied=${copied} />
    <section class="stack lab-moves" aria-label="Where each roll goes">
      <div class="row between"><h2>Where each roll goes</h2>
        <p class="s muted">${isTargeted ? `✓ best slot to reach ${told(target)}. Numbers: percent lost elsewhere.` : "✓ best slot. Numbers: points lost elsewhere, on average."}</p></div>
      ${isOver
        ? html`<p class="lead">The board is full: ${told(score(position))} points. Take a roll back to ask about it.</p>`
        : html`${isTargeted && !online && html`<p class="note s">Playing for a target is worked out by the service, which is away.</p>`}
          ${isTargeted && error && html`<p class="note bad s" role="alert">${toldError(error)}</p>`}
          ${isTargeted && isAsking && !played && html`<p class="s muted" role="status">Working out the play for ${told(target)}…</p>`}
          <${Matrix} position=${position} roll=${roll} pick=${change.pick} forTarget=${isTargeted ? (played?.next_move ?? {}) : null} chances=${chances} />
          <${Answer} position=${position} roll=${roll} target=${target} forTarget=${chances} place=${change.toggle} />
          ${!isTargeted && html`<${Cuts} position=${position} roll=${roll} pick=${change.pick} />`}`}
    </section>
    <${Outlook} position=${position} target=${target} played=${played} online=${online} />
    <${StrategyCard} game=${game} />
  </div><//>`;
}

/** A button that copies a text, and what it says. */
function useCopy(text) {
  const [word, setWord] = useState("Copy link");
  const timer = useRef(0);
  useEffect(() => () => clearTimeout(timer.current), []);
  const say = (told) => {
    setWord(told);
    announce(told);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setWord("Copy link"), COPIED);
  };
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text());
      say("Link copied");
    } catch {
      say("It is in the address bar"); // no clipboard: plain http, or not allowed
    }
  };
  return [word, copy];
}
