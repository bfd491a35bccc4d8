// What to expect from the position: average and spread, the exact law of the final score, quantiles, the chance of targets.
import { html, useEffect, useMemo, useState } from "../../html.js";
import { exact2, percent, points } from "../../core/format.js";
import { Problem } from "../../core/api.js";
import { isStatic } from "../../core/online.js";
import { expectedScores } from "../../game/expected.js";
import { isFinished, score } from "../../game/position.js";
import { STEPS, atLeast, isQuick, moments, quantile, scoreLaw, scoreLawFromJson } from "../../game/scores.js";
import { worthOf } from "../../game/thresholds.js";
import { LawChart, Quantiles, ReachChart } from "../../parts/lawchart.js";
import { pathOf, toldError, useAnswers } from "./asking.js";
import { told } from "./matrix.js";

const DOTS = 7;
const SOON = 30; // ms: a small law is worked out here, once the rest is drawn
const PATIENCE = 500; // ms that the service has for the law of a larger game, before the browser tries

/**
 * @param {object} props
 * @param {import("../../game/position.js").Position} props.position
 * @param {number | null} props.target  that is played for
 * @param {any} props.played  the service's answer on it, or null
 * @param {boolean} props.online  whether the service can be asked
 */
export function Outlook({ position, target, played, online }) {
  const isOver = isFinished(position);
  const strategies = target === null ? ["optimal"] : ["optimal", `target:${target}`];
  const isInstant = useMemo(() => !isOver && isQuick(position, STEPS.instant), [position]);
  const path = (strategy) => pathOf("distribution", position, { strategy });
  const { answers, error, isAsking } = useAnswers(online && !isOver ? strategies.slice(isInstant ? 1 : 0).map(path) : []);
  const answer = answers.get(path("optimal"));
  const isRefused = error instanceof Problem && position.placements.length === 0 && target === null;
  const alone = isRefused ? [pathOf("distribution", position, { moments: "true" })] : []; // mean and spread need no law
  const spread = useAnswers(alone).answers.get(alone[0])?.sd;
  const isAlone = useLate(position, isInstant || !online ? SOON : PATIENCE) || error !== null;
  const law = useMemo(() => {
    if (isOver) return null;
    if (answer) return scoreLawFromJson(answer);
    return isAlone && isQuick(position) ? scoreLaw(position) : null;
  }, [answer, isAlone, position]);
  const own = answers.get(path(`target:${target}`)); // of the play for the target
  const shown = useMemo(() => (own ? scoreLawFromJson(own) : target === null ? law : null), [own, law, target]);
  const average = target === null ? worthOf(position) : shown && moments(shown).mean;
  const marked = target ?? (law ? markOf(law) : null);
  return html`<section class="stack outlook" aria-label="What to expect"><h2>What to expect</h2>
    <div class="stack">
      <dl class="facts">
        <div><dt>${isOver ? "Score" : "Average"}</dt><dd>${isOver ? told(score(position)) : average === null ? "…" : exact2(average)}</dd></div>
        <div><dt>Spread (sd)</dt><dd>${shown ? exact2(moments(shown).sd) : spread !== undefined ? exact2(spread) : isOver ? "0" : "…"}</dd></div>
      </dl>
      ${error && html`<p class="note s" role="status">${toldError(error)}</p>`}
      ${isAsking && !shown && html`<p class="s muted law-space" role="status">Working out the law of the final score…</p>`}
      ${isInstant && !shown && !isAsking && target === null && html`<div class="law-space"></div>`}
      ${!shown && !isOver && !isAsking && !online && html`<p class="note s">${target === null ? "The law of so large a game" : "The law of the play for a target"} is worked out by the service.</p>`}
      ${shown && html`<${LawChart} law=${shown} target=${marked} label=${target === null ? "Law of the final score" : `Law of the final score when playing for ${told(target)}`} />
        <${Quantiles} law=${shown} />`}
    </div>
    <div class="stack">
      ${!law && !isOver && !error && (isInstant || isAsking) && html`<div class="reach-space"></div>`}
      ${law && html`<${Targets} position=${position} law=${law} target=${target} played=${played} online=${online} />`}
      <${Players} position=${position} />
    </div>
  </section>`;
}

/** Whether the same thing has been waited for so long. */
function useLate(thing, patience) {
  const [late, setLate] = useState(null);
  useEffect(() => {
    const timer = setTimeout(() => setLate(thing), patience);
    return () => clearTimeout(timer);
  }, [thing, patience]);
  return late === thing;
}

/** The chance to reach targets: by the play for the average, and by the play for each of them. */
function Targets({ position, law, target, played, online }) {
  const targets = useMemo(() => targetsOf(law), [law]);
  const paths = useMemo(() => (online ? targets.map((score) => pathOf("target", position, { target: String(score) })) : []), [position, targets, online]);
  const { answers, isAsking } = useAnswers(paths);
  const found = [...answers.values(), ...(played ? [played] : [])];
  const dots = useMemo(() => [...new Map(found.map((answer) => [answer.target, answer])).values()], [answers, played]);
  const shown = target ?? markOf(law);
  const best = dots.find((dot) => dot.target === shown);
  return html`<h3>Chance to reach a target</h3>
    <${ReachChart} law=${law} dots=${dots} target=${shown} />
    <p class="s muted reach-says" role="status">${best
      ? `${percent(best.probability)} reach ${told(shown)} when that is the aim (average ${points(best.mean)}), ${percent(atLeast(law, shown))} when it is not.`
      : isAsking
        ? "Working out the play for targets…"
        : online || isStatic
          ? ""
          : "The dots, for who plays for a target, are worked out by the service."}</p>`;
}

/** Three players of the whole game, on average. */
function Players({ position }) {
  const expected = useMemo(() => expectedScores(position.game), [position.game]);
  return html`<h3>The whole game, on average</h3>
    <dl class="players">
      <div><dt>Any slot at random</dt><dd>${exact2(expected.random)}</dd></div>
      <div><dt>Perfect player</dt><dd>${exact2(expected.optimal)}</dd></div>
      <div><dt>All rolls known before</dt><dd>${exact2(expected.hindsight)}</dd></div>
    </dl>`;
}

// A round score that about one game in seven reaches: what is marked while nobody asks for another.
function markOf(law) {
  const step = stepOf(law);
  return Math.round(quantile(law, 0.857) / step) * step;
}

// A round step, of which about six lie between the lower quarter and the highest fiftieth.
function stepOf(law) {
  const span = (quantile(law, 0.98) - quantile(law, 0.2)) / (DOTS - 1);
  const power = 10 ** Math.floor(Math.log10(Math.max(span, 1)));
  return [1, 2, 2.5, 5, 10].map((factor) => factor * power).filter((step) => step === Math.round(step)).findLast((step) => step <= span * 1.3) ?? 1;
}

function targetsOf(law) {
  const step = stepOf(law);
  const first = Math.ceil(quantile(law, 0.2) / step) * step;
  const found = Array.from({ length: DOTS }, (_, i) => first + i * step).filter((score) => score <= law.scores.at(-1));
  const mark = markOf(law);
  return [mark, ...found.filter((score) => score !== mark)];
}
