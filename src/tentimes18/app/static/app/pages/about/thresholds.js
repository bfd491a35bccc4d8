// Why thresholds work, as a figure that moves: what the other free slots can expect, in order, and where a roll stands among
// them. Its place is its slot.
import { html, useEffect, useRef, useState } from "../../html.js";
import { fixed } from "../../game/exact.js";
import { gameOf } from "../../game/game.js";
import { rankName } from "../../game/card.js";
import { rowsOf } from "../../game/thresholds.js";

const HEIGHT = 240;
const TOP = 26;
const FOOT = 44;
const SIDE = 28;

/** The figure, with a slider for the roll and one for the number of free slots. */
export function Thresholds() {
  const { law } = gameOf();
  const [roll, setRoll] = useState(12);
  const [free, setFree] = useState(7);
  const expected = rowsOf(law, free - 1).at(-1).expected;
  const rank = expected.filter((value) => value < roll).length;
  const most = law.support.at(-1);
  const [frame, width] = useWidth();
  const step = (width - SIDE) / free;
  const wide = step - Math.min(12, step * 0.2);
  const tall = (value) => ((HEIGHT - TOP - FOOT) * value) / most;
  const line = HEIGHT - FOOT - tall(roll);
  const shown = (value) => fixed(value, 1);
  const [below, above] = [expected[rank - 1], expected[rank]];
  const where = below === undefined ? `below all that the others can expect, from ${shown(above)} on` : above === undefined ? `above all that the others can expect, up to ${shown(below)}` : `between ${shown(below)} and ${shown(above)}`;
  const says = `With ${free} free slots, a ${roll} stands ${where}. So it goes to the ${rankName(rank + 1, free)} of them.`;
  return html`<figure class="why card"><div ref=${frame}>
    <svg width=${width} height=${HEIGHT} viewBox=${`0 0 ${width} ${HEIGHT}`} role="img" aria-label=${says}>
      ${[6, 12, 18].map((tick) => html`<g key=${tick}><path class="rule" d=${`M${SIDE} ${HEIGHT - FOOT - tall(tick)}H${width}`} /><text x=${SIDE - 8} y=${HEIGHT - FOOT - tall(tick) + 4} text-anchor="end">${tick}</text></g>`)}
      <path class="why-line" d=${`M${SIDE} ${line}H${width}`} />
      ${expected.map((value, i) => html`<g key=${i} class="why-bar" style=${{ "--x": `${SIDE + (i + (i >= rank ? 1 : 0)) * step}px` }}>
        <rect class="why-slot" x="0" y=${HEIGHT - FOOT - tall(value)} width=${wide} height=${tall(value)} rx="4" />
        <text class="strong" x=${wide / 2} y=${HEIGHT - FOOT - tall(value) - 7} text-anchor="middle">${shown(value)}</text></g>`)}
      <g class="why-bar" style=${{ "--x": `${SIDE + rank * step}px` }}>
        <rect class="why-roll" x="0" y=${line} width=${wide} height=${tall(roll)} rx="4" />
        <text class="strong" x=${wide / 2} y=${line - 7} text-anchor="middle">${roll}</text></g>
      ${Array.from({ length: free }, (_, i) => html`<text key=${i} class=${i === rank ? "strong" : ""} x=${SIDE + i * step + wide / 2} y=${HEIGHT - FOOT + 20} text-anchor="middle">${rankName(i + 1, free)}</text>`)}
      <text x=${SIDE + (width - SIDE) / 2} y=${HEIGHT - 4} text-anchor="middle">free slots, by their multipliers</text>
    </svg></div>
    <figcaption class="lead">${says}</figcaption>
    <div class="why-sliders">
      <label><span>Roll <b>${roll}</b></span><input type="range" min=${law.support[0]} max=${most} value=${roll} onInput=${({ target }) => setRoll(Number(target.value))} /></label>
      <label><span>Free slots <b>${free}</b></span><input type="range" min="2" max="10" value=${free} onInput=${({ target }) => setFree(Number(target.value))} /></label>
    </div>
  </figure>`;
}

/** The width of an element in pixels, so that text keeps its size. */
function useWidth() {
  const frame = useRef(null);
  const [width, setWidth] = useState(320);
  useEffect(() => {
    const look = () => setWidth(Math.round(frame.current.clientWidth) || 320);
    const observer = new ResizeObserver(look);
    observer.observe(frame.current);
    look();
    return () => observer.disconnect();
  }, []);
  return [frame, width];
}
