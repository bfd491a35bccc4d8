// What the bar below the board says and offers: before a game, in it, at its end, and when the service is away.
import { html, useEffect, useState } from "../html.js";
import { link } from "../core/links.js";
import { isStatic, useOnline } from "../core/online.js";
import { isClassic } from "../game/game.js";
import { formatRecord, recordOf } from "../game/record.js";
import { Actions, Keys } from "../parts/actions.js";
import { told } from "../parts/scale.js";
import { Picker } from "./picker.js";
import { coachWords } from "./words.js";

const PATIENCE = 3000; // ms for the next roll, before more is said

/** Before a game: which one, whether it counts, and the first throw. */
export function StartActions({ keeper, last, game, coach, pick, begin }) {
  const online = useOnline();
  const isBusy = keeper.status === "beginning";
  return html`<div class="act">
    <${Picker} last=${last} wrong=${keeper.wrong} busy=${isBusy} pick=${pick} begin=${begin}>
      ${isBusy ? html`<p class="late" role="status">Setting the table…</p>` : html`<p>${countsWords(game, coach, online)}</p>`}
    <//>
  </div>`;
}

/** Whether a game that is begun now counts for the rating, and why not. */
function countsWords(game, coach, online) {
  if (isStatic) return "";
  if (!online) return "The service is away: the game is played here, and sent later.";
  if (!isClassic(game)) return coach === "off" ? "Only the classic game counts for your rating." : "";
  return coach === "off" ? "Without a coach it counts for your rating." : "With a coach it does not count for your rating.";
}

/** In a game and at its end. */
export function GameActions({ keeper, game, roll, coach, chosen, placing, advice, armed, warning, result, position, commit, putBack, again }) {
  const { solo, status, note, sendAgain, leave } = keeper;
  const times = (slot) => `×${game.labels[slot - 1]}`;
  if (result) {
    const review = solo.local ? link("review", { record: formatRecord(recordOf(position)) }) : link("review", { id: solo.id });
    return html`<${Actions} ask=${result.head} words=${result.rest} second=${{ label: "Review", href: review }} primary=${{ label: "Play again", act: again }}>
      <p class="only-desk">Key <kbd>N</kbd> plays again.</p><//>`;
  }
  if (status === "gone") {
    return html`<${Actions} words=${html`<b>The service does not know this game any more.</b> It was begun elsewhere, or removed.`} primary=${{ label: "New game", act: leave }} />`;
  }
  if (status === "away") {
    return html`<div class="act"><p class="note" role="status"><b>Not sent yet.</b> Your placement is kept here, and sent as soon as the service answers.</p>
      <button type="button" class="btn quiet" onClick=${sendAgain}>Send again</button></div>`;
  }
  if (roll === null) return html`<${Waiting} />`;
  if (warning) {
    return html`<${Actions} words=${html`<b>${warning.head}</b> <span class="more">${warning.rest}</span>`} second=${{ label: "Place anyway", act: () => commit(armed) }}
      primary=${{ label: "Pick another", act: putBack }} />`;
  }
  const keys = html`<${Keys} most=${game.size} places=${placing === "tap"} />`;
  if (armed !== null) return html`<${Actions} primary=${{ label: `Place ${told(roll)} in ${times(armed)}`, act: () => commit(armed) }}>${keys}<//>`;
  const words = coach === "full" ? coachWords(game, advice) : null;
  return html`<${Actions} ask=${`Pick a slot for your ${told(roll)}`} words=${words && html`<b>${words.head}</b> ${words.rest}`}>
    ${solo.local && !isStatic && solo.rounds.length === 1 && html`<p role="status">The service is away: this game is played here, sent later, and counts for no rating.</p>`}
    ${note === "elsewhere" && html`<p role="status">The last round was placed in another tab.</p>`}
    ${coach !== chosen && html`<p>This game was begun without a coach and counts for your rating. The coach speaks from the next one on.</p>`}
    ${keys}
  <//>`;
}

/** Until the next roll comes; where that takes long, what has become of the placement. */
function Waiting() {
  const [isLong, say] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => say(true), PATIENCE);
    return () => clearTimeout(timer);
  }, []);
  return html`<${Actions} ask=${html`<span class="late">Waiting for the next roll…</span>`}>
    ${isLong && html`<p role="status">The line is slow, or the service is away. Your placement is kept here, and sent until the service has it.</p>`}
  <//>`;
}
