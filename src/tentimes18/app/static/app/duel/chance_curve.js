// The chance to win, round by round: up is good for you. Drawn in the pixels of its place, and told again as a table.
import { percent } from "../core/format.js";
import { html, useEffect, useRef, useState } from "../html.js";

const HEIGHT = 200;
const TOP = 22;
const BOTTOM = 26;
const LEFT = 44;
const RIGHT = 52;

/**
 * The curve.
 * @param {{chances: number[], rounds: number, rival: string}} props  chances: after each round, as the Game has them
 */
export function ChanceCurve({ chances, rounds, rival }) {
  const frame = useRef(null);
  const [width, setWidth] = useState(560);
  useEffect(() => {
    const watcher = new ResizeObserver(([{ contentRect }]) => contentRect.width && setWidth(Math.round(contentRect.width)));
    watcher.observe(frame.current);
    return () => watcher.disconnect();
  }, []);
  const all = [0.5, ...chances];
  const round = (pixels) => Math.round(pixels * 10) / 10;
  const x = (turn) => round(LEFT + (turn / rounds) * (width - LEFT - RIGHT));
  const y = (chance) => round(TOP + (1 - chance) * (HEIGHT - TOP - BOTTOM));
  const line = all.map((chance, turn) => `${turn ? "L" : "M"}${x(turn)} ${y(chance)}`).join("");
  const area = `${line}V${y(0.5)}H${x(0)}Z`;
  const last = all.at(-1);
  const label = `Your chance to win, draws counted half: ${percent(0.5, 0)} at the start, ${percent(last, 0)} after round ${chances.length}`;
  return html`<figure class="curve chances" ref=${frame}>
    <svg width=${width} height=${HEIGHT} viewBox=${`0 0 ${width} ${HEIGHT}`} role="img" aria-label=${label}>
      <clipPath id="c-above"><rect x="0" y="0" width=${width} height=${y(0.5)} /></clipPath>
      <clipPath id="c-below"><rect x="0" y=${y(0.5)} width=${width} height=${HEIGHT} /></clipPath>
      <path class="c-you" clip-path="url(#c-above)" d=${area} /><path class="c-rival" clip-path="url(#c-below)" d=${area} />
      <path class="g-grid" d=${`M${x(0)} ${y(1)}H${x(rounds)}M${x(0)} ${y(0)}H${x(rounds)}`} />
      <path class="g-par" d=${`M${x(0)} ${y(0.5)}H${x(rounds)}`} />
      <path class="g-line" d=${line} />
      ${all.slice(0, -1).map((chance, turn) => html`<circle key=${turn} class="g-dot" cx=${x(turn)} cy=${y(chance)} r="3.5" />`)}
      <circle class="g-you" cx=${x(chances.length)} cy=${y(last)} r="6" />
      <text x=${LEFT - 8} y=${y(1) + 4} text-anchor="end">you</text>
      <text x=${LEFT - 8} y=${y(0.5) + 4} text-anchor="end">even</text>
      <text x=${LEFT - 8} y=${y(0) + 4} text-anchor="end">rival</text>
      <text class="strong" x=${x(chances.length) + 11} y=${y(last) + 4}>${percent(last, 0)}</text>
      ${all.map((_, turn) => turn > 0 && html`<text key=${turn} x=${x(turn)} y=${HEIGHT - 4} text-anchor="middle">${turn}</text>`)}
    </svg>
    <table class="vh"><caption>The chance to win after each round, against ${rival}</caption>
      <thead><tr><th scope="col">Round</th><th scope="col">Your chance</th></tr></thead>
      <tbody>${chances.map((chance, place) => html`<tr key=${place}><td>${place + 1}</td><td>${percent(chance)}</td></tr>`)}</tbody></table>
  </figure>`;
}
