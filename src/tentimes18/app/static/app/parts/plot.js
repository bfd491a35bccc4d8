// A chart on a canvas: uPlot, loaded when the first chart comes near the window, in the colours of the page, drawn anew when these or
// its width change. What it shows is also told: a label, and a table for those who cannot see it.
import { html, useEffect, useRef, useState } from "../html.js";
import { useDark } from "../core/theme.js";

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
export function scoreAxis(tokens, { size = 24 } = {}) {
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
export function writeWord(plot, tokens, { text, x, y, colour, weight = 700, align = "center" }) {
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
  ctx.fillText(text, Math.min(Math.max(x, left + reach[0]), left + width - reach[1]), y);
  ctx.restore();
}
