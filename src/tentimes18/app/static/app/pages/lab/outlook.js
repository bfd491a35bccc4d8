// What to expect from the position: average and spread, the exact distribution of the final score, quantiles, the chance of targets.
import { html, useEffect, useMemo, useState } from "../../html.js";
import { Away, Problem, get } from "../../core/api.js";
import { exact2, percent, points } from "../../core/format.js";
import { isStatic } from "../../core/online.js";
import { expectedScores } from "../../game/expected.js";
import { isFinished, score } from "../../game/position.js";
import { formatMoves } from "../../game/record.js";
import { STEPS, atLeast, isQuick, moments, quantile, scoreDistribution, scoreDistributionFromJson } from "../../game/scores.js";
import { worthOf } from "../../game/thresholds.js";
import { texts } from "../../texts.js";
import { told } from "./answer.js";
import { DistributionChart, Quantiles, ReachChart } from "../../parts/charts.js";

const DOTS = 7;
const SOON = 30; // ms: a small distribution is worked out here, once the rest is drawn
const PATIENCE = 500; // ms that the service has for the distribution of a larger game, before the browser tries

/**
 * @param {object} props
 * @param {import("../../game/position.js").Position} props.position
 * @param {number | null} props.target  that is played for
 * @param {any} props.played  the service's answer on it, or null
 * @param {boolean} props.online  whether the service can be asked
 * @param {(score: number | null) => void} props.suggest  takes the target that the charts mark while none is played for
 */
export function Outlook({ position, target: wanted, played, online, suggest }) {
  const target = wanted !== null && played?.probability === 0 ? null : wanted; // a target that nobody reaches has no chart
  const isOver = isFinished(position);
  const strategies = target === null ? ["optimal"] : ["optimal", `target:${target}`];
  const isInstant = useMemo(() => !isOver && isQuick(position, STEPS.instant), [position]);
  const path = (strategy) => pathOf("distribution", position, { strategy });
  const { answers, error, isAsking } = useAnswers(online && !isOver ? strategies.slice(isInstant ? 1 : 0).map(path) : []);
  const answer = answers.get(path("optimal"));
  const isRefused = error instanceof Problem && position.placements.length === 0 && target === null;
  const alone = isRefused ? [pathOf("distribution", position, { moments: "true" })] : []; // mean and spread need no distribution
  const spread = useAnswers(alone).answers.get(alone[0])?.sd;
  const isAlone = useLate(position, isInstant || !online ? SOON : PATIENCE) || error !== null;
  const distribution = useMemo(() => {
    if (isOver) return null;
    if (answer) return scoreDistributionFromJson(answer);
    return isAlone && isQuick(position) ? scoreDistribution(position) : null;
  }, [answer, isAlone, position]);
  const own = answers.get(path(`target:${target}`)); // of the play for the target
  const shown = useMemo(() => (own ? scoreDistributionFromJson(own) : target === null ? distribution : null), [own, distribution, target]);
  const average = target === null ? worthOf(position) : shown && moments(shown).mean;
  const mark = useMemo(() => (distribution ? markOf(distribution) : null), [distribution]);
  const marked = target ?? mark;
  useEffect(() => suggest(mark), [mark]);
  return html`<section class="stack outlook" aria-label=${texts.lab.expect}><h2>${texts.lab.expect}</h2>
    <div class="stack">
      <dl class="facts">
        <div><dt>${isOver ? texts.lab.score : texts.lab.mean}</dt><dd>${isOver ? told(score(position)) : average === null ? "…" : exact2(average)}</dd></div>
        <div><dt>${texts.lab.spread}</dt><dd>${shown ? exact2(moments(shown).sd) : spread !== undefined ? exact2(spread) : isOver ? "0" : "…"}</dd></div>
      </dl>
      ${error && html`<p class="note s" role="status">${toldError(error)}</p>`}
      ${isAsking && !shown && html`<p class="s muted chart-space" role="status">${texts.lab.askingDistribution}</p>`}
      ${isInstant && !shown && !isAsking && target === null && html`<div class="chart-space"></div>`}
      ${!shown && !isOver && !isAsking && !online && html`<p class="note s">${target === null ? texts.lab.largeAway : texts.lab.targetAway}</p>`}
      ${shown && html`<${DistributionChart} distribution=${shown} target=${marked} label=${target === null ? texts.charts.distribution : texts.lab.distributionFor(told(target))} />
        <${Quantiles} distribution=${shown} />`}
    </div>
    <div class="stack">
      ${!distribution && !isOver && !error && (isInstant || isAsking) && html`<div class="reach-space"></div>`}
      ${distribution && html`<${Targets} position=${position} distribution=${distribution} target=${target} played=${played} online=${online} />`}
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
function Targets({ position, distribution, target, played, online }) {
  const targets = useMemo(() => targetsOf(distribution), [distribution]);
  const paths = useMemo(() => (online ? targets.map((score) => pathOf("target", position, { target: String(score) })) : []), [position, targets, online]);
  const { answers, isAsking } = useAnswers(paths);
  const found = [...answers.values(), ...(played ? [played] : [])];
  const dots = useMemo(() => [...new Map(found.map((answer) => [answer.target, answer])).values()], [answers, played]);
  const shown = target ?? markOf(distribution);
  const best = dots.find((dot) => dot.target === shown);
  return html`<h3>${texts.lab.chance}</h3>
    <${ReachChart} distribution=${distribution} dots=${dots} target=${shown} />
    <p class="s muted reach-says" role="status">${best
      ? texts.lab.chances(percent(best.probability), told(shown), points(best.mean), percent(atLeast(distribution, shown)))
      : isAsking
        ? texts.lab.askingTargets
        : online || isStatic
          ? ""
          : texts.lab.dotsAway}</p>`;
}

/** Three players of the whole game, on average. */
function Players({ position }) {
  const expected = useMemo(() => expectedScores(position.game), [position.game]);
  return html`<h3>${texts.lab.whole}</h3>
    <dl class="players">
      <div><dt>${texts.lab.random}</dt><dd>${exact2(expected.random)}</dd></div>
      <div><dt>${texts.lab.optimal}</dt><dd>${exact2(expected.optimal)}</dd></div>
      <div><dt>${texts.lab.hindsight}</dt><dd>${exact2(expected.hindsight)}</dd></div>
    </dl>`;
}

// A round score that about one game in seven reaches: what is marked while nobody asks for another.
function markOf(distribution) {
  const step = stepOf(distribution);
  return Math.round(quantile(distribution, 0.857) / step) * step;
}

// A round step, of which about six lie between the lower quarter and the highest fiftieth.
function stepOf(distribution) {
  const span = (quantile(distribution, 0.98) - quantile(distribution, 0.2)) / (DOTS - 1);
  const power = 10 ** Math.floor(Math.log10(Math.max(span, 1)));
  return [1, 2, 2.5, 5, 10].map((factor) => factor * power).filter((step) => step === Math.round(step)).findLast((step) => step <= span * 1.3) ?? 1;
}

function targetsOf(distribution) {
  const step = stepOf(distribution);
  const first = Math.ceil(quantile(distribution, 0.2) / step) * step;
  const found = Array.from({ length: DOTS }, (_, i) => first + i * step).filter((score) => score <= distribution.scores.at(-1));
  const mark = markOf(distribution);
  return [mark, ...found.filter((score) => score !== mark)];
}

// Questions to the server about a game, sent a moment after the last change; those no longer needed are cancelled.

const PAUSE = 250; // ms: somebody who is typing has not finished yet
const SECONDS = 120; // the first question about a game may need a table that is made while one waits

/** The path of a question about a position. @param {string} question @param {import("../../game/position.js").Position} position */
export function pathOf(question, position, more = {}) {
  const { dice, slots } = position.game;
  const moves = formatMoves(position.placements);
  const query = new URLSearchParams({ dice, slots, ...(moves ? { moves } : {}), ...more });
  return `/lab/${question}?${query}`;
}

/**
 * The answers to questions, one after the other, as they come.
 * @param {string[]} paths  in the order of their weight
 * @returns {{answers: Map<string, any>, error: ?Error, isAsking: boolean}}  error: the first one
 */
export function useAnswers(paths) {
  const key = paths.join("\n");
  const [state, setState] = useState({ key: "", answers: new Map(), error: null, isAsking: false });
  useEffect(() => {
    if (!key) return undefined;
    const given = new AbortController();
    const answers = new Map();
    const tell = (isAsking, error = null) => {
      if (!given.signal.aborted) setState({ key, answers: new Map(answers), error, isAsking });
    };
    const ask = async () => {
      for (const path of key.split("\n")) {
        try {
          answers.set(path, await get(path, { signal: given.signal, seconds: SECONDS }));
          tell(true);
        } catch (error) {
          if (given.signal.aborted) return;
          if (!(error instanceof Problem) && !(error instanceof Away)) throw error;
          tell(false, error);
          return;
        }
      }
      tell(false);
    };
    setState((before) => ({ ...before, isAsking: true }));
    const timer = setTimeout(ask, PAUSE);
    return () => {
      clearTimeout(timer);
      given.abort();
    };
  }, [key]);
  return state.key === key ? state : { answers: new Map(), error: null, isAsking: key !== "" };
}

/** A rejected question, or a missing answer, in a sentence. @param {Error} error */
export function toldError(error) {
  if (!(error instanceof Problem)) return texts.lab.noAnswer;
  if (error.status === 429) return texts.lab.tooMany;
  return texts.lab.tooLarge(error.message.replace(/\.$/, ""));
}
