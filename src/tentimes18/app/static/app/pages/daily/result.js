// A day that was played to the end: the score on felt, the text to share, what the dice were like, the others, one's own days.
import { html } from "../../html.js";
import { count, exact2, percent, points } from "../../core/format.js";
import { link } from "../../core/links.js";
import { Histogram } from "../../parts/histogram.js";
import { told } from "../../parts/scale.js";
import { aheadOf, diceOfDay, ordinal } from "./days.js";
import { useClassicLaw } from "./law.js";
import { Scores } from "./scores.js";
import { Ticket } from "./ticket.js";

/** The score and the place it makes. @param {{result: object}} props  of GET /daily/{day} */
export function Reached({ result: { number, own, players, histogram } }) {
  const isDaily = own.kind === "daily";
  return html`<div class="row between">
    <div class="hero"><p class="muted">Daily ${number}${!isDaily && ", in practice"}</p><p class="num">${told(own.score)}</p></div>
    <p class="lead right reached">${isDaily ? html`<b>${ordinal(own.rank)}</b> of ${count(players)}` : html`would be <b>${ordinal(own.rank)}</b>`}
      <br /><span class="s muted">${placeWords(players, aheadOf(histogram, own.score))}</span></p>
  </div>`;
}

function placeWords(players, ahead) {
  if (players < 2) return "the first to finish";
  return ahead > 0 ? `ahead of ${percent(ahead, 0)}` : "";
}

/**
 * Share text, dice, scores, and the way to the review.
 * @param {{result: object, name: string, isToday: boolean}} props  name: the player's, in lists
 */
export function Result({ result, name, isToday }) {
  return html`<div class="result">
    <div class="stack wide-gap">
      ${result.share && html`<${Ticket} text=${result.share} />`}
      <${DiceOfDay} result=${result} isToday=${isToday} />
    </div>
    <div class="stack wide-gap">
      <${Scores} result=${result} name=${name} />
      <a class="btn quiet" href=${link("review", { id: result.own.game })}>Review your game</a>
    </div>
  </div>`;
}

/** Kind, fair or harsh: the perfect player's score among all there could be, and everybody's as bars. */
function DiceOfDay({ result: { optimal, best, players, histogram, own, day }, isToday }) {
  const law = useClassicLaw();
  if (law === null) return html`<section class="stack dice-of-day"><h2>The dice</h2></section>`;
  const { word, below } = diceOfDay(law, optimal);
  const among = players === 1 ? "the one player" : `the ${count(players)} players`;
  return html`<section class="stack dice-of-day"><h2>${word} dice ${isToday ? "today" : "that day"}</h2>
    <p>The perfect player makes <b>${told(optimal)}</b> of these rolls: more than on ${percent(below, 0)} of all days.
      Knowing them all beforehand, <b>${told(best)}</b> was possible.</p>
    <${Histogram} counts=${histogram} law=${law} own=${own.score} label=${`Scores of ${among} of ${day} against the exact law of the perfect player; you made ${told(own.score)}`} />
    <p class="s muted">Bars: ${among} of the day. Line: what perfect play makes on random dice.</p>
  </section>`;
}

/** The player's own days against the law. @param {{own: object}} props  of GET /me/daily */
export function OwnDays({ own: { days, histogram, best_streak: longest } }) {
  const law = useClassicLaw();
  const mean = days.reduce((sum, { score }) => sum + score, 0) / days.length;
  const lost = days.reduce((sum, { loss }) => sum + loss, 0) / days.length;
  const par = law && law.scores.reduce((sum, score, place) => sum + score * law.chances[place], 0);
  const word = days.length === 1 ? "day" : "days";
  return html`<section class="stack"><h2>Your days</h2>
    <dl class="facts">
      <div><dt>Played</dt><dd>${count(days.length)}</dd></div>
      <div><dt>Longest streak</dt><dd>${count(longest)}</dd></div>
      <div><dt>Mean score</dt><dd>${points(mean)}</dd></div>
      <div><dt>Mistakes a day</dt><dd>${lost ? `−${points(lost)}` : "none"}</dd></div>
    </dl>
    ${law && html`<${Histogram} counts=${histogram} law=${law} unit="days" label=${`Your scores on ${days.length} ${word} against the exact law of the perfect player`} />
      <p class="s muted">Bars: your ${word}. Line: the perfect player, ${exact2(par)} on average.</p>`}
  </section>`;
}
