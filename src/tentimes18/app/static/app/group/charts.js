// What a group made of its rolls, drawn in the pixels of the place: scores as blocks, luck against mistakes as dots, and
// where everybody put a roll. Each has its numbers in a table for those who cannot see it.
import { html, useLayoutEffect, useRef, useState } from "../html.js";
import { signed } from "../core/format.js";
import { shownCost, told } from "../parts/scale.js";
import { texts } from "../texts.js";

const MAX_BINS = 14;

/**
 * The size of an element in pixels, and of its type, from before the first paint.
 * @returns {[object, {width: number, height: number, em: number}]}
 */
function useSize(width, height) {
  const frame = useRef(null);
  const [size, show] = useState({ width, height, em: 16 });
  useLayoutEffect(() => {
    const look = () => {
      const { clientWidth, clientHeight } = frame.current;
      if (clientWidth) show({ width: clientWidth, height: clientHeight || height, em: parseFloat(getComputedStyle(frame.current).fontSize) });
    };
    look();
    const watcher = new ResizeObserver(look);
    watcher.observe(frame.current);
    return () => watcher.disconnect();
  }, []);
  return [frame, size];
}

/** The smallest round step that divides a span into at most `most` parts. */
function stepOf(span, most) {
  const rough = Math.max(span / most, 1e-9);
  const power = 10 ** Math.floor(Math.log10(rough));
  return [1, 2, 5, 10].map((factor) => factor * power).find((step) => step >= rough);
}

const ticksOf = (low, high, step) => Array.from({ length: Math.floor((high - low) / step + 1e-9) + 1 }, (_, n) => Math.round((low + n * step) * 1e6) / 1e6);

function Numbers({ caption, heads, rows }) {
  return html`<div class="vh"><table><caption>${caption}</caption>
    <thead><tr>${heads.map((head) => html`<th key=${head} scope="col">${head}</th>`)}</tr></thead>
    <tbody>${rows.map((row, place) => html`<tr key=${place}>${row.map((cell, at) => html`<td key=${at}>${cell}</td>`)}</tr>`)}</tbody></table></div>`;
}

/**
 * The scores: a block per player, and what they are compared with.
 * @param {{group: object, par: number, own?: ?number}} props  group: with its results. own: the score of the player who looks
 */
export function Scores({ group, par, own = null }) {
  const [frame, { width, height, em }] = useSize(640, 260);
  const { histogram, optimal, best } = group;
  const marks = [{ key: "par", at: par, text: `${texts.group.par} ${told(Math.round(par))}` }, { key: "perfect", at: optimal, text: `${texts.group.perfect} ${told(optimal)}` },
    ...(best === optimal ? [] : [{ key: "best", at: best, text: `${texts.group.possible} ${told(best)}` }])];
  const values = [...histogram.map(([score]) => score), ...marks.map(({ at }) => at)];
  const step = Math.max(stepOf(Math.max(...values) - Math.min(...values), MAX_BINS), Number.isInteger(values[0]) ? 1 : 0);
  const low = Math.floor(Math.min(...values) / step) * step;
  const bins = Math.floor((Math.max(...values) - low) / step + 1e-9) + 1;
  const counts = Array(bins).fill(0);
  const binOf = (score) => Math.min(Math.floor((score - low) / step + 1e-9), bins - 1);
  for (const [score, count] of histogram) counts[binOf(score)] += count;
  const rowHeight = 1.3 * em;
  const base = height - 1.7 * em;
  const top = rowHeight * marks.length + 0.4 * em;
  const tall = Math.max(2, Math.min(1.4 * em, (base - top) / Math.max(...counts)));
  const wide = width / bins;
  const x = (score) => ((score - low) / step) * wide;
  const every = Math.ceil((4.5 * em) / wide);
  const ownBin = own === null ? -1 : binOf(own);
  return html`<figure class="g-chart scores" ref=${frame}>
    <svg width=${width} height=${height} viewBox=${`0 0 ${width} ${height}`} role="img" aria-label=${texts.group.scoresLabel(group.finished, told(histogram[0][0]), told(histogram.at(-1)[0]))}>
      ${counts.flatMap((count, bin) => Array.from({ length: count }, (_, n) => html`<rect key=${`${bin} ${n}`} class=${own === null || (bin === ownBin && n === 0) ? "you" : "others"}
        x=${bin * wide + 1} y=${base - (n + 1) * tall} width=${Math.max(1, wide - 2)} height=${Math.max(1, tall - 2)} rx="3" />`))}
      <path class="axis" d=${`M0 ${base}H${width}`} />
      ${counts.map((_, bin) => bin % every === 0 && bin > 0 && html`<text key=${bin} x=${bin * wide} y=${height - 0.4 * em} text-anchor="middle">${told(low + bin * step)}</text>`)}
      ${marks.map(({ key, at, text }, row) => {
        const y = rowHeight * (row + 0.8);
        const isRight = x(at) > width * 0.6;
        return html`<g key=${key} class=${`mark-${key}`}><path d=${`M${x(at)} ${y - 0.3 * em}V${base}`} />${key === "perfect" && html`<circle cx=${x(at)} cy=${y - 0.35 * em} r=${0.32 * em} />`}
          <text class="strong" x=${x(at) + (isRight ? -0.6 : 0.6) * em} y=${y} text-anchor=${isRight ? "end" : "start"}>${text}</text></g>`;
      })}
      ${ownBin >= 0 && html`<text class="strong you-text" x=${Math.min(Math.max((ownBin + 0.5) * wide, em), width - em)} y=${base - counts[ownBin] * tall - 0.35 * em} text-anchor="middle">${texts.group.you}</text>`}
    </svg>
    <${Numbers} caption=${texts.group.scoresTable} heads=${[texts.group.score, texts.group.players]}
      rows=${[...histogram.map(([score, count]) => [told(score), count]), ...marks.map(({ text }) => [text, ""])]} />
  </figure>`;
}

/**
 * Luck up, mistakes to the right, a dot per player; the perfect player is a ring.
 * @param {{group: object, par: number, hasNames: boolean}} props
 */
export function Dots({ group, par, hasNames }) {
  const [frame, { width, height, em }] = useSize(420, 260);
  const dots = group.scores.map(({ name, score, loss }) => ({ name, loss, luck: score - par + loss }));
  const perfect = group.optimal - par;
  const lucks = [0, perfect, ...dots.map(({ luck }) => luck)];
  const upStep = stepOf(Math.max(...lucks) - Math.min(...lucks) || 1, 4);
  const [low, high] = [Math.floor(Math.min(...lucks) / upStep) * upStep, Math.ceil(Math.max(...lucks) / upStep + 0.2) * upStep];
  const rightStep = stepOf(Math.max(...dots.map(({ loss }) => loss), upStep), 4);
  const far = Math.ceil(Math.max(...dots.map(({ loss }) => loss), upStep) / rightStep) * rightStep;
  const [left, right, top, bottom] = [3.2 * em, width - 1.2 * em, 1.6 * em, height - 3 * em];
  const x = (loss) => left + (loss / far) * (right - left);
  const y = (luck) => bottom - ((luck - low) / (high - low)) * (bottom - top);
  const reach = Math.min(far, high); // where the line of par leaves the picture
  return html`<figure class="g-chart dots" ref=${frame}>
    <svg width=${width} height=${height} viewBox=${`0 0 ${width} ${height}`} role="img" aria-label=${texts.group.dotsLabel(dots.length)}>
      <path class="above" d=${`M${x(0)} ${y(0)}L${x(reach)} ${y(reach)}${reach < high ? `V${top}` : ""}H${x(0)}Z`} />
      <path class="par-line" d=${`M${x(0)} ${y(0)}L${x(reach)} ${y(reach)}`} />
      <path class="axis" d=${`M${left} ${top}V${bottom}H${right}`} />
      ${ticksOf(low, high, upStep).map((tick) => html`<text key=${`u${tick}`} x=${left - 0.5 * em} y=${y(tick) + 0.35 * em} text-anchor="end">${signed(tick, upStep < 1 ? 1 : 0)}</text>`)}
      ${ticksOf(0, far, rightStep).map((tick) => html`<text key=${`r${tick}`} x=${x(tick)} y=${bottom + 1.2 * em} text-anchor="middle">${told(tick)}</text>`)}
      <text class="strong" x="0" y=${0.9 * em}>${texts.group.luck} ↑</text>
      <text class="strong" x=${right} y=${height - 0.4 * em} text-anchor="end">${texts.group.mistakes} →</text>
      <rect class="above" x=${left + 4.2 * em} y=${0.15 * em} width=${em} height=${0.8 * em} /><text x=${left + 5.6 * em} y=${0.9 * em}>${texts.group.abovePar}</text>
      ${dots.map(({ loss, luck }, place) => html`<circle key=${place} class="dot" cx=${x(loss)} cy=${y(luck)} r=${0.36 * em} />`)}
      ${hasNames && apart(dots.map(({ name, loss, luck }) => ({ name, x: x(loss), y: y(luck), isLeft: loss > far * 0.6 })), em).map((label, place) => html`<text key=${`n${place}`} class="strong" x=${label.x + (label.isLeft ? -0.6 : 0.6) * em} y=${label.y + 0.3 * em} text-anchor=${label.isLeft ? "end" : "start"}>${label.name}</text>`)}
      <circle class="ring" cx=${x(0)} cy=${y(perfect)} r=${0.4 * em} />
    </svg>
    <${Numbers} caption=${texts.group.dotsTable} heads=${[texts.group.luck, texts.group.mistakes, texts.group.score, ...(hasNames ? [texts.group.player] : [])]}
      rows=${group.scores.map(({ score, loss, name }, place) => [signed(dots[place].luck), shownCost(loss), told(score), ...(hasNames ? [name] : [])])} />
  </figure>`;
}

/** The labels that hide no label before them; the table has all names. */
const apart = (labels, em) => labels.reduce((kept, label) => {
  const [from, to] = label.isLeft ? [label.x - (1 + 0.6 * label.name.length) * em, label.x] : [label.x, label.x + (1 + 0.6 * label.name.length) * em];
  return kept.some((one) => Math.abs(one.y - label.y) < 1.1 * em && one.from < to && from < one.to) ? kept : [...kept, { ...label, from, to }];
}, []);

/**
 * Where everybody put the roll of a round: a block per player above each slot.
 * @param {{entry: object, labels: string[], advice: ?import("../game/thresholds.js").Advice}} props  entry: of a Group's rounds. advice: where all boards were equal
 */
export function Placed({ entry, labels, advice }) {
  const [frame, { width, height, em }] = useSize(1200, 220);
  const counts = labels.map((_, place) => entry.placed[String(place + 1)] ?? 0);
  const base = height - 3.6 * em;
  const tall = Math.max(1.5, Math.min(0.8 * em, (base - 1.4 * em) / Math.max(1, ...counts)));
  const wide = width / labels.length;
  const costOf = (place) => advice?.bySlot.get(place + 1).loss ?? null;
  const words = (place) => {
    const cost = costOf(place);
    if (cost === null) return place + 1 === entry.optimal ? "✓" : "";
    if (wide < 3 * em && cost > 0) return cost < 1 ? "<1" : `−${Math.round(cost)}`;
    return cost === 0 ? (wide > 5 * em ? `✓ ${texts.group.bestSlot}` : "✓") : cost < 0.1 && wide > 5 * em ? texts.group.costless : `−${shownCost(cost)}`;
  };
  return html`<figure class="g-chart placed" ref=${frame}>
    <svg width=${width} height=${height} viewBox=${`0 0 ${width} ${height}`} role="img" aria-label=${texts.group.whereLabel(told(entry.roll))}>
      ${counts.map((count, place) => html`<g key=${place}>
        ${Array.from({ length: count }, (_, n) => html`<rect key=${n} class="you" x=${(place + 0.22) * wide} y=${base - (n + 1) * tall} width=${wide * 0.56} height=${Math.max(1, tall * 0.78)} rx="2" />`)}
        ${count > 0 && html`<text class="strong count" x=${(place + 0.5) * wide} y=${base - count * tall - 0.4 * em} text-anchor="middle">${count}</text>`}
        <rect class="slot" x=${(place + 0.1) * wide} y=${base + 0.2 * em} width=${wide * 0.8} height=${(0.12 + (0.7 * (place + 1)) / labels.length) * em} rx="2" />
        <text class="strong" x=${(place + 0.5) * wide} y=${base + 2.2 * em} text-anchor="middle">×${labels[place]}</text>
        <text class=${place + 1 === entry.optimal || costOf(place) === 0 ? "best" : costOf(place) >= 1 ? "dear" : ""} x=${(place + 0.5) * wide} y=${base + 3.3 * em} text-anchor="middle">${words(place)}</text></g>`)}
    </svg>
    <${Numbers} caption=${texts.group.whereLabel(told(entry.roll))} heads=${[texts.group.slot, texts.group.players, texts.group.cost]} rows=${counts.map((count, place) => [`×${labels[place]}`, count, words(place)])} />
  </figure>`;
}
