// A histogram of scores: bars for the games that were played, beneath the exact law of the perfect player as a line of steps.
import { html, useCallback, useMemo } from "../html.js";
import { binName, binned, binsOf, startOf } from "../game/bins.js";
import { percent } from "../core/format.js";
import { Plot, scoreAxis, writeWord } from "./plot.js";

/**
 * Bars of scores and the law they follow on average.
 * @param {object} props
 * @param {[number, number][]} props.counts  pairs of a score and how many made it
 * @param {import("../game/scores.js").ScoreLaw} props.law  of the perfect player
 * @param {number | null} [props.own]  the reader's score: its bar is marked
 * @param {string} props.label  the chart in a sentence
 * @param {string} [props.unit]  what is counted: players, games
 * @param {string} [props.ownWord]  beside the own bar
 * @param {number} [props.height]
 */
export function Histogram({ counts, law, own = null, label, unit = "players", ownWord = "you", height = 190 }) {
  const shown = useMemo(() => {
    const scores = [...counts.map(([score]) => score), ...(own === null ? [] : [own])];
    const bins = binsOf(law, scores);
    const total = counts.reduce((sum, [, count]) => sum + count, 0);
    const bars = binned(counts, bins);
    const shares = binned(law.scores.map((score, i) => [score, law.chances[i]]), bins);
    const ownPlace = own === null ? -1 : binned([[own, 1]], bins).indexOf(1);
    return { bins, total, bars, shares, ownPlace };
  }, [counts, law, own]);
  const make = useCallback((tokens, uPlot) => drawing(shown, ownWord, tokens, uPlot), [shown, ownWord]);
  const told = (place) => (place < shown.bins.count ? `${binName(shown.bins, place)}: ${shown.bars[place]} ${unit}, exact law ${percent(shown.shares[place])}` : "");
  const table = {
    caption: label,
    head: ["Score", `Number of ${unit}`, "Exact law"],
    rows: shown.bars.map((count, place) => [binName(shown.bins, place), String(count), percent(shown.shares[place])]),
  };
  return html`<${Plot} make=${make} label=${label} table=${table} height=${height} told=${told} />`;
}

function drawing({ bins, total, bars, shares, ownPlace }, ownWord, tokens, uPlot) {
  const edges = Array.from({ length: bins.count + 1 }, (_, place) => startOf(bins, place));
  const law = shares.map((share) => share * (total || 1));
  const most = Math.max(...bars, ...law);
  const columns = uPlot.paths.bars({ size: [0.96, Infinity], gap: 1, align: 1, radius: 0.12 });
  const bar = (colour) => ({ paths: columns, fill: colour, stroke: colour, width: 0, points: { show: false } });
  const words = (plot) => {
    const top = (value) => plot.valToPos(value, "y", true) - 8 * devicePixelRatio;
    const middle = (place) => plot.valToPos(edges[place] + bins.width / 2, "x", true);
    const peak = law.indexOf(Math.max(...law));
    const side = ownPlace >= 0 && ownPlace <= peak ? 1 : -1; // the word for the law stands where the own bar is not
    const at = Math.min(Math.max(peak + side * Math.round(bins.count / 4), 0), bins.count - 1);
    const height = Math.max(...law.slice(Math.max(0, at - 3), at + 4), ...bars.slice(Math.max(0, at - 3), at + 4));
    writeWord(plot, tokens, { text: "exact law", x: middle(at), y: top(height), colour: tokens.luck });
    if (ownPlace >= 0) {
      const reached = Math.max(bars[ownPlace], law[ownPlace]);
      writeWord(plot, tokens, { text: ownWord, x: middle(ownPlace), y: top(reached), colour: tokens["felt-ink"] });
    }
  };
  return {
    data: [
      edges,
      [...law, law.at(-1)],
      [...bars.map((count, place) => (place === ownPlace ? null : count || null)), null],
      [...bars.map((count, place) => (place === ownPlace ? Math.max(count, 1) : null)), null],
      [...law, law.at(-1)],
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
