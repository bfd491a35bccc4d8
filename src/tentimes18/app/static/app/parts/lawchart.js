// The law of a final score as bars, those from a target on in green; and the chance to reach a target, as a line.
import { html, useCallback, useMemo } from "../html.js";
import { binName, binned, binsOf, startOf } from "../game/bins.js";
import { atLeast, quantile } from "../game/scores.js";
import { percent } from "../core/format.js";
import { Plot, scoreAxis, writeWord } from "./plot.js";

/** The shares of a law that are told as quantiles. */
const QUANTILES = [0.05, 0.25, 0.5, 0.75, 0.95];

/**
 * The law of a final score.
 * @param {object} props
 * @param {import("../game/scores.js").ScoreLaw} props.law
 * @param {number | null} [props.target]  scores from here on are marked, and their chance is written
 * @param {string} [props.label]  the chart in a sentence
 * @param {number} [props.height]
 */
export function LawChart({ law, target = null, label = "Law of the final score", height = 150 }) {
  const shown = useMemo(() => {
    const bins = binsOf(law);
    const pairs = law.scores.map((score, i) => [score, law.chances[i]]);
    const reached = target === null ? null : binned(pairs.filter(([score]) => score >= target), bins);
    return { bins, shares: binned(pairs, bins), reached, chance: target === null ? null : atLeast(law, target) };
  }, [law, target]);
  const make = useCallback((tokens, uPlot) => lawDrawing(shown, target, tokens, uPlot), [shown, target]);
  const whole = target === null ? label : `${label}; ${percent(shown.chance)} reach ${target}`;
  const table = {
    caption: whole,
    head: ["Score", "Chance"],
    rows: shown.shares.map((share, place) => [binName(shown.bins, place), percent(share)]),
  };
  const told = (place) => (place < shown.bins.count ? `${binName(shown.bins, place)}: ${percent(shown.shares[place])}` : "");
  return html`<${Plot} make=${make} label=${whole} table=${table} height=${height} told=${told} />`;
}

function lawDrawing({ bins, shares, reached, chance }, target, tokens, uPlot) {
  const edges = Array.from({ length: bins.count + 1 }, (_, place) => startOf(bins, place));
  const columns = uPlot.paths.bars({ size: [1, Infinity], gap: 1, align: 1 });
  const bar = (colour) => ({ paths: columns, fill: colour, stroke: colour, width: 0, points: { show: false } });
  const words = (plot) => {
    if (target === null) return;
    const { left, top, width } = plot.bbox;
    const text = `${percent(chance)} reach ${target}`;
    const isRight = plot.valToPos(target, "x", true) > left + width * 0.4;
    const x = isRight ? left + width : left;
    writeWord(plot, tokens, { text, x, y: top - 6 * devicePixelRatio, colour: tokens["felt-ink"], align: isRight ? "right" : "left" });
  };
  return {
    data: [edges, [...shares.map((share) => share || null), null], [...(reached ?? shares.map(() => null)).map((share) => share || null), null]],
    options: {
      padding: [target === null ? 4 : 20 * tokens.scale, 0, 0, 0],
      scales: { x: { time: false, range: () => [edges[0], edges.at(-1)] }, y: { range: () => [0, Math.max(...shares)] } },
      axes: [scoreAxis(tokens), { show: false }],
      series: [{}, bar(tokens.edge), bar(tokens.felt)],
      hooks: { draw: [words] },
    },
  };
}

/**
 * The chance to reach a target: the line when one plays for the average, dots when one plays for the target.
 * @param {object} props
 * @param {import("../game/scores.js").ScoreLaw} props.law  of the play for the average
 * @param {{target: number, probability: number}[]} props.dots
 * @param {number | null} [props.target]  the one that is asked about
 * @param {number} [props.height]
 */
export function ReachChart({ law, dots, target = null, height = 170 }) {
  const shown = useMemo(() => {
    const ends = [quantile(law, 0.04), quantile(law, 0.9995)];
    const asked = [...dots.map((dot) => dot.target), ...(target === null ? [] : [target])];
    const [low, high] = [Math.min(ends[0], ...asked), Math.max(ends[1], ...asked)];
    const places = [...new Set([low, ...law.scores.filter((score) => score > low && score < high), high, ...asked])].sort((a, b) => a - b);
    return { places, line: places.map((score) => atLeast(law, score)), at: new Map(dots.map((dot) => [dot.target, dot.probability])) };
  }, [law, dots, target]);
  const make = useCallback((tokens, uPlot) => reachDrawing(shown, target, tokens, uPlot), [shown, target]);
  const label = "Chance to reach a target: line when playing for the average, dots when playing for the target";
  const rows = dots.map((dot) => [String(dot.target), percent(atLeast(law, dot.target)), percent(dot.probability)]);
  const table = { caption: label, head: ["Target", "Playing for the average", "Playing for the target"], rows };
  const told = (place) => `${shown.places[place]} or more: ${percent(shown.line[place])}`;
  return html`<${Plot} make=${make} label=${label} table=${table} height=${height} told=${told} />`;
}

function reachDrawing({ places, line, at }, target, tokens, uPlot) {
  const words = (plot) => {
    if (target === null) return;
    const { left, width } = plot.bbox;
    const average = line[places.indexOf(target)];
    const best = at.get(target);
    const x = plot.valToPos(target, "x", true);
    const y = (chance) => plot.valToPos(chance, "y", true);
    const gap = 12 * devicePixelRatio * tokens.scale;
    if (best !== undefined) {
      const text = `${percent(best)} playing for ${target}`;
      const from = left + width - text.length * 7 * devicePixelRatio * tokens.scale; // above the line where the word begins
      const start = line[Math.max(0, places.findLastIndex((place) => plot.valToPos(place, "x", true) <= from))];
      writeWord(plot, tokens, { text, x: left + width, y: Math.max(y(Math.max(start, best)) - gap * 0.8, plot.bbox.top + gap), colour: tokens["felt-ink"], align: "right" });
    }
    const under = Math.min(y(average) + gap * 0.9, y(0) - gap / 2);
    writeWord(plot, tokens, { text: `${percent(average)} for the average`, x: x - gap, y: under, colour: tokens.ink, align: "right" });
  };
  return {
    data: [places, line, places.map((place) => at.get(place) ?? null)],
    options: {
      padding: [6 * tokens.scale, 6, 0, 0],
      scales: { x: { time: false, range: () => (places.length > 1 ? [places[0], places.at(-1)] : [places[0] - 1, places[0] + 1]) }, y: { range: () => [0, 1] } },
      axes: [
        scoreAxis(tokens),
        {
          font: tokens.font(500),
          stroke: tokens["ink-2"],
          size: 34 * tokens.scale,
          gap: 6 * tokens.scale,
          splits: () => [0, 0.5, 1],
          values: (_, splits) => splits.map((chance) => String(100 * chance)),
          grid: { stroke: tokens.line, width: 1 },
          ticks: { show: false },
        },
      ],
      series: [
        {},
        { stroke: tokens.ink, width: 2, pxAlign: 0, points: { show: false } },
        { stroke: null, width: 0, paths: () => null, points: { show: true, size: 9, fill: tokens.felt, stroke: tokens.paper, width: 1.5 } },
      ],
      hooks: { draw: [words] },
    },
  };
}

/** The quantiles of a law, as a small table. @param {{law: import("../game/scores.js").ScoreLaw}} props */
export function Quantiles({ law }) {
  return html`<table class="quant">
    <thead><tr><th scope="row">Percent</th>${QUANTILES.map((share) => html`<th scope="col" key=${share}>${Math.round(100 * share)}</th>`)}</tr></thead>
    <tbody><tr><th scope="row">Score</th>${QUANTILES.map((share) => html`<td key=${share}>${String(quantile(law, share)).replace("-", "−")}</td>`)}</tr></tbody>
  </table>`;
}
