// The distribution of a final score as bars, those from a target on in green; and the chance to reach a target, as a line.
import { html, useCallback, useEffect, useMemo, useRef, useState } from "../html.js";
import { percent } from "../core/format.js";
import { texts } from "../texts.js";
import { useDark } from "../core/settings.js";
import { binName, binned, binsOf, startOf } from "../game/bins.js";
import { atLeast, quantile } from "../game/scores.js";

/** The shares of a distribution that are shown as quantiles. */
const QUANTILES = [0.05, 0.25, 0.5, 0.75, 0.95];

/**
 * The distribution of a final score.
 * @param {object} props
 * @param {import("../game/scores.js").ScoreDistribution} props.distribution
 * @param {number | null} [props.target]  scores from here on are marked, and their chance is written
 * @param {string} [props.label]  the chart in a sentence
 * @param {number} [props.height]
 */
export function DistributionChart({ distribution, target = null, label = texts.charts.distribution, height = 150 }) {
  const shown = useMemo(() => {
    const bins = binsOf(distribution);
    const pairs = distribution.scores.map((score, i) => [score, distribution.chances[i]]);
    const reached = target === null ? null : binned(pairs.filter(([score]) => score >= target), bins);
    return { bins, shares: binned(pairs, bins), reached, chance: target === null ? null : atLeast(distribution, target) };
  }, [distribution, target]);
  const make = useCallback((tokens, uPlot) => distributionDrawing(shown, target, tokens, uPlot), [shown, target]);
  const whole = target === null ? label : `${label}; ${texts.charts.reaching(percent(shown.chance), target)}`;
  const table = {
    caption: whole,
    head: [texts.charts.score, texts.charts.chance],
    rows: shown.shares.map((share, place) => [binName(shown.bins, place), percent(share)]),
  };
  const told = (place) => (place < shown.bins.count ? `${binName(shown.bins, place)}: ${percent(shown.shares[place])}` : "");
  return html`<${Plot} make=${make} label=${whole} table=${table} height=${height} told=${told} />`;
}

function distributionDrawing({ bins, shares, reached, chance }, target, tokens, uPlot) {
  const edges = Array.from({ length: bins.count + 1 }, (_, place) => startOf(bins, place));
  const columns = uPlot.paths.bars({ size: [1, Infinity], gap: 1, align: 1 });
  const bar = (colour) => ({ paths: columns, fill: colour, stroke: colour, width: 0, points: { show: false } });
  const words = (plot) => {
    if (target === null) return;
    const { left, top, width } = plot.bbox;
    const text = texts.charts.reaching(percent(chance), target);
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
 * @param {import("../game/scores.js").ScoreDistribution} props.distribution  of the play for the average
 * @param {{target: number, probability: number}[]} props.dots
 * @param {number | null} [props.target]  the one that is asked about
 * @param {number} [props.height]
 */
export function ReachChart({ distribution, dots, target = null, height = 170 }) {
  const shown = useMemo(() => {
    const ends = [quantile(distribution, 0.04), quantile(distribution, 0.9995)];
    const asked = [...dots.map((dot) => dot.target), ...(target === null ? [] : [target])];
    const [low, high] = [Math.min(ends[0], ...asked), Math.max(ends[1], ...asked)];
    const places = [...new Set([low, ...distribution.scores.filter((score) => score > low && score < high), high, ...asked])].sort((a, b) => a - b);
    return { places, line: places.map((score) => atLeast(distribution, score)), at: new Map(dots.map((dot) => [dot.target, dot.probability])) };
  }, [distribution, dots, target]);
  const make = useCallback((tokens, uPlot) => reachDrawing(shown, target, tokens, uPlot), [shown, target]);
  const label = texts.charts.reach;
  const rows = dots.map((dot) => [String(dot.target), percent(atLeast(distribution, dot.target)), percent(dot.probability)]);
  const table = { caption: label, head: texts.charts.reachHead, rows };
  const told = (place) => texts.charts.orMore(shown.places[place], percent(shown.line[place]));
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
      const text = texts.charts.playingFor(percent(best), target);
      const from = left + width - text.length * 7 * devicePixelRatio * tokens.scale; // above the line where the word begins
      const start = line[Math.max(0, places.findLastIndex((place) => plot.valToPos(place, "x", true) <= from))];
      writeWord(plot, tokens, { text, x: left + width, y: Math.max(y(Math.max(start, best)) - gap * 0.8, plot.bbox.top + gap), colour: tokens["felt-ink"], align: "right" });
    }
    const under = Math.min(y(average) + gap * 0.9, y(0) - gap / 2);
    writeWord(plot, tokens, { text: texts.charts.forAverage(percent(average)), x: x - gap, y: under, colour: tokens.ink, align: "right" });
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
          size: 42 * tokens.scale,
          gap: 6 * tokens.scale,
          splits: () => [0, 0.5, 1],
          values: (_, splits) => splits.map((chance) => `${100 * chance}%`),
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

/** The quantiles of a distribution, as a small table. @param {{distribution: import("../game/scores.js").ScoreDistribution}} props */
export function Quantiles({ distribution }) {
  return html`<table class="quant">
    <thead><tr><th scope="row">${texts.charts.percent}</th>${QUANTILES.map((share) => html`<th scope="col" key=${share}>${Math.round(100 * share)}</th>`)}</tr></thead>
    <tbody><tr><th scope="row">${texts.charts.score}</th>${QUANTILES.map((share) => html`<td key=${share}>${String(quantile(distribution, share)).replace("-", "−")}</td>`)}</tr></tbody>
  </table>`;
}

// A histogram of scores: bars for the games that were played, beneath the exact distribution of the perfect player as a line of steps.

/**
 * Bars of scores and the distribution they follow on average.
 * @param {object} props
 * @param {[number, number][]} props.counts  pairs of a score and how many made it
 * @param {import("../game/scores.js").ScoreDistribution} props.distribution  of the perfect player
 * @param {number | null} [props.own]  the reader's score: its bar is marked
 * @param {string} props.label  the chart in a sentence
 * @param {string} [props.unit]  what is counted: players, games
 * @param {string} [props.ownWord]  beside the reader's bar
 * @param {number} [props.height]
 */
export function Histogram({ counts, distribution, own = null, label, unit = "players", ownWord = texts.charts.you, height = 190 }) {
  const shown = useMemo(() => {
    const scores = [...counts.map(([score]) => score), ...(own === null ? [] : [own])];
    const bins = binsOf(distribution, scores);
    const total = counts.reduce((sum, [, count]) => sum + count, 0);
    const bars = binned(counts, bins);
    const shares = binned(distribution.scores.map((score, i) => [score, distribution.chances[i]]), bins);
    const ownPlace = own === null ? -1 : binned([[own, 1]], bins).indexOf(1);
    return { bins, total, bars, shares, ownPlace };
  }, [counts, distribution, own]);
  const make = useCallback((tokens, uPlot) => drawing(shown, ownWord, tokens, uPlot), [shown, ownWord]);
  const told = (place) => (place < shown.bins.count ? texts.charts.bar(binName(shown.bins, place), `${shown.bars[place]} ${texts.charts.units[unit]}`, percent(shown.shares[place])) : "");
  const table = {
    caption: label,
    head: [texts.charts.score, texts.charts.units[unit], texts.charts.exact],
    rows: shown.bars.map((count, place) => [binName(shown.bins, place), String(count), percent(shown.shares[place])]),
  };
  return html`<${Plot} make=${make} label=${label} table=${table} height=${height} told=${told} />`;
}

function drawing({ bins, total, bars, shares, ownPlace }, ownWord, tokens, uPlot) {
  const edges = Array.from({ length: bins.count + 1 }, (_, place) => startOf(bins, place));
  const distribution = shares.map((share) => share * (total || 1));
  const most = Math.max(...bars, ...distribution);
  const columns = uPlot.paths.bars({ size: [0.96, Infinity], gap: 1, align: 1, radius: 0.12 });
  const bar = (colour) => ({ paths: columns, fill: colour, stroke: colour, width: 0, points: { show: false } });
  const words = (plot) => {
    const top = (value) => plot.valToPos(value, "y", true) - 8 * devicePixelRatio;
    const middle = (place) => plot.valToPos(edges[place] + bins.width / 2, "x", true);
    const peak = distribution.indexOf(Math.max(...distribution));
    const side = ownPlace >= 0 && ownPlace <= peak ? 1 : -1; // the label of the distribution is where the reader's bar is not
    const at = Math.min(Math.max(peak + side * Math.round(bins.count / 4), 0), bins.count - 1);
    const height = Math.max(...distribution.slice(Math.max(0, at - 3), at + 4), ...bars.slice(Math.max(0, at - 3), at + 4));
    writeWord(plot, tokens, { text: texts.charts.exact, x: middle(at), y: top(height), colour: tokens.luck });
    if (ownPlace >= 0) {
      const reached = Math.max(bars[ownPlace], distribution[ownPlace]);
      writeWord(plot, tokens, { text: ownWord, x: middle(ownPlace), y: top(reached), colour: tokens["felt-ink"] });
    }
  };
  return {
    data: [
      edges,
      [...distribution, distribution.at(-1)],
      [...bars.map((count, place) => (place === ownPlace ? null : count || null)), null],
      [...bars.map((count, place) => (place === ownPlace ? Math.max(count, 1) : null)), null],
      [...distribution, distribution.at(-1)],
    ],
    options: {
      padding: [18 * tokens.scale, 0, 0, 0],
      scales: { x: { time: false, range: () => [edges[0], edges.at(-1)] }, y: { range: () => [0, most || 1] } },
      axes: [scoreAxis(tokens), { show: false }],
      series: [
        {},
        { paths: uPlot.paths.stepped({ align: 1 }), fill: faded(tokens["luck-soft"]), width: 0, points: { show: false } },
        bar(tokens.edge),
        bar(tokens.felt),
        { paths: uPlot.paths.stepped({ align: 1 }), stroke: tokens.luck, width: 2, points: { show: false } },
      ],
      hooks: { draw: [words] },
    },
  };
}

function faded(colour) {
  return `color-mix(in srgb, ${colour} 55%, transparent)`;
}

// A chart on a canvas: uPlot, loaded when the first chart comes near the window, in the colours of the page, drawn again when these or
// its width change. What it shows is also told: a label, and a table for those who cannot see it.

const NEAR = 200; // px: what nobody scrolls to is not loaded
const TOKENS = ["ink", "ink-2", "line", "edge", "paper", "card", "felt", "felt-ink", "felt-soft", "luck", "luck-soft", "loss", "rival"];

/** @typedef {Record<string, string> & {font: (weight: number, size?: number) => string}} Tokens */

let library = null;

/** uPlot and its styles, once; null where they cannot be had now. */
function load() {
  library ??= Promise.all([
    import("../../vendor/uplot.js").then((module) => module.default),
    styled("../../vendor/uplot.css"),
    styled("../../style/plot.css"),
  ]).then(([uPlot]) => uPlot, () => (library = null));
  return library;
}

function styled(address) {
  return new Promise((resolve) => {
    const sheet = document.createElement("link");
    sheet.rel = "stylesheet";
    sheet.href = new URL(address, import.meta.url).href;
    sheet.addEventListener("load", resolve);
    sheet.addEventListener("error", resolve); // without its sheet a chart is plainer, not gone
    document.head.append(sheet);
  });
}

/** The colours and type of the page as they are now. @returns {Tokens} */
function tokensOf(element) {
  const style = getComputedStyle(element);
  const found = Object.fromEntries(TOKENS.map((name) => [name, style.getPropertyValue(`--${name}`).trim()]));
  const scale = parseFloat(getComputedStyle(document.documentElement).fontSize) / 16;
  return { ...found, scale, font: (weight, size = 12) => `${weight} ${size * scale}px ${style.fontFamily}` };
}

/**
 * A chart.
 * @param {object} props
 * @param {(tokens: Tokens, uPlot: any) => {options: object, data: any[]}} props.make  what is drawn; the same function as
 *   long as that is the same (useMemo or useCallback)
 * @param {string} props.label  the chart in a sentence
 * @param {{caption: string, head: string[], rows: string[][]}} props.table
 * @param {number} [props.height]  in pixels
 * @param {(index: number) => string} [props.told]  what is said of the place under the pointer
 */
export function Plot({ make, label, table, height = 150, told = null }) {
  const frame = useRef(null);
  const dark = useDark();
  const [word, setWord] = useState("");
  useEffect(() => {
    const element = frame.current;
    let [plot, isGone] = [null, false];
    const resized = new ResizeObserver(() => {
      if (plot && element.clientWidth && plot.width !== element.clientWidth) plot.setSize({ width: element.clientWidth, height: plot.height });
    });
    const near = new IntersectionObserver((found) => {
      if (!found.some(({ isIntersecting }) => isIntersecting)) return;
      near.disconnect();
      come();
    }, { rootMargin: `${NEAR}px` });
    const come = async () => {
      const uPlot = await load();
      if (isGone) return;
      if (uPlot) draw(uPlot);
      else addEventListener("online", come, { once: true }); // until then there is the table
    };
    const draw = (uPlot) => {
      const tokens = tokensOf(element);
      const { options, data } = make(tokens, uPlot);
      const hooks = options.hooks ?? {};
      const pointed = ({ cursor }) => setWord(told && cursor.idx != null ? told(cursor.idx) : "");
      plot = new uPlot(
        {
          ...options,
          width: element.clientWidth || 300,
          height: Math.round(height * Math.max(1, (1 + tokens.scale) / 2)),
          legend: { show: false },
          cursor: { show: told !== null, x: told !== null, y: false, points: { show: false }, drag: { x: false, y: false, setScale: false } },
          hooks: { ...hooks, setCursor: [pointed] },
        },
        data,
        element,
      );
      resized.observe(element);
    };
    near.observe(element);
    return () => {
      isGone = true;
      removeEventListener("online", come);
      near.disconnect();
      resized.disconnect();
      plot?.destroy();
      setWord("");
    };
  }, [make, dark, height]);
  return html`<figure class="plot">
    <div class="plot-frame" role="img" aria-label=${label} ref=${(element) => {
      frame.current = element;
      element?.style.setProperty("min-height", `${height}px`); // nothing moves when the chart comes
    }}></div>
    ${told && html`<p class="plot-told xs" aria-hidden="true">${word}</p>`}
    <div class="vh"><table>
      <caption>${table.caption}</caption>
      <thead><tr>${table.head.map((text) => html`<th scope="col" key=${text}>${text}</th>`)}</tr></thead>
      <tbody>${table.rows.map((row) => html`<tr key=${row[0]}>${row.map((text, i) => (i ? html`<td>${text}</td>` : html`<th scope="row">${text}</th>`))}</tr>`)}</tbody>
    </table></div>
  </figure>`;
}

/** The axis of scores beneath a chart. @param {Tokens} tokens */
function scoreAxis(tokens, { size = 24 } = {}) {
  return {
    font: tokens.font(500),
    stroke: tokens["ink-2"],
    size: size * tokens.scale,
    gap: 6 * tokens.scale,
    space: 56 * tokens.scale,
    grid: { show: false },
    ticks: { show: false },
    border: { show: true, stroke: tokens.line, width: 1 },
    values: ({ scales, width }, splits) => splits.map((score) => {
      const text = String(Number(score.toFixed(4))).replace("-", "−");
      const at = ((score - scales.x.min) / (scales.x.max - scales.x.min)) * width;
      const room = text.length * 3.5 * tokens.scale; // a number that would be cut is left out
      return at < room || at > width - room ? "" : text;
    }),
  };
}

/** A word inside a chart, at a score and a height of the plotting area. */
function writeWord(plot, tokens, { text, x, y, colour, weight = 700, align = "center" }) {
  const { ctx } = plot;
  const ratio = devicePixelRatio;
  ctx.save();
  ctx.font = tokens.font(weight).replace(/([\d.]+)px/, (_, size) => `${size * ratio}px`);
  ctx.fillStyle = colour;
  ctx.textAlign = align;
  ctx.textBaseline = "alphabetic";
  const half = ctx.measureText(text).width / 2;
  const { left, width } = plot.bbox;
  const reach = { center: [half, half], left: [0, 2 * half], right: [2 * half, 0] }[align];
  const place = Math.min(Math.max(x, left + reach[0]), left + width - reach[1]);
  Object.assign(ctx, { lineJoin: "round", lineWidth: 5 * ratio, strokeStyle: tokens.paper }); // a line behind the text does not hide it
  ctx.strokeText(text, place, y);
  ctx.fillText(text, place, y);
  ctx.restore();
}
