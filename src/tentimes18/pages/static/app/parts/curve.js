// The curve of a game: the score that a player was on course for, round by round. Luck moves it, ▼ marks a mistake.
// It is drawn in the pixels of its place, so that text keeps its size, and told again as a table for those who cannot see it.
import { points, signed } from "../core/format.js";
import { html, useEffect, useRef, useState } from "../html.js";
import { shownCost } from "./costs.js";
import { told } from "./scale.js";

const SMALL = { height: 96, sides: 8, top: 22, bottom: 14, dot: 3.5, miss: 4.5, told: 0 };
const LARGE = { height: 230, sides: 44, top: 30, bottom: 28, dot: 4.5, miss: 5.5, told: 3 };

/**
 * The curve.
 * @param {object} props
 * @param {import("../game/game.js").Game} props.game
 * @param {number} props.par  the worth of the empty board
 * @param {{round: number, roll: number, slot: number, luck: number, loss: number, before: number, after: number}[]} props.moves
 *   as of review()
 * @param {{roll: number, worth: number} | null} [props.now]  the roll that waits, and what the game is worth with it
 * @param {"small" | "large"} [props.size]
 * @param {number | null} [props.at]  a round to mark
 * @param {(worth: number) => string} [props.shown]  how worths are written
 */
export function Curve({ game, par, moves, now = null, size = "small", at = null, shown = points }) {
  const [frame, width] = useWidth(size === "small" ? 344 : 640);
  const shape = size === "small" ? SMALL : LARGE;
  const drawn = draw({ game, par, moves, now, shape, width });
  const last = now ? now.worth : moves.at(-1)?.after ?? par;
  const label = `Expected final score: ${shown(par)} at the start, ${shown(last)} ${now || moves.length < game.size ? "now" : "at the end"}`;
  return html`<figure class="curve" ref=${frame}>
    <svg width=${width} height=${shape.height} viewBox=${`0 0 ${width} ${shape.height}`} role="img" aria-label=${label}>
      ${at && html`<path class="g-now" d=${`M${drawn.x(at)} 0V${shape.height}`} />`}
      <path class="g-fill" d=${`${drawn.line}V${drawn.y(par)}H${drawn.x(0)}Z`} />
      <path class="g-par" d=${`M${drawn.x(0)} ${drawn.y(par)}H${drawn.x(game.size)}`} />
      <path class="g-line" d=${drawn.line} />
      ${moves.map((move) => html`<${Mark} key=${move.round} x=${drawn.x(move.round)} y=${drawn.y(move.after)} loss=${move.loss} shape=${shape} />`)}
      <circle class="g-you" cx=${drawn.x(drawn.end)} cy=${drawn.y(last)} r=${shape.dot + 1.5} />
      ${drawn.words.map(({ key, kind, x, y, anchor, text }) => html`<text key=${key} class=${kind} x=${x} y=${y} text-anchor=${anchor}>${text}</text>`)}
      <text x=${drawn.x(0)} y=${drawn.y(par) + (drawn.startsUp ? 16 : -6)}>${size === "small" ? shown(par) : `par ${shown(par)}`}</text>
      <text class=${size === "small" ? "strong" : "big"} x=${drawn.lastX} y=${Math.max(14, drawn.y(last) - (size === "small" ? 6 : 10))} text-anchor=${drawn.lastAnchor}>${
        !now && moves.length === game.size ? told(last) : shown(last)}</text>
    </svg>
    <${CurveTable} game=${game} moves=${moves} now=${now} shown=${shown} />
  </figure>`;
}

/** The same as a table, heard and not seen. */
function CurveTable({ game, moves, now, shown }) {
  return html`<div class="vh"><table>
    <caption>Round by round</caption>
    <thead><tr><th scope="col">Round</th><th scope="col">Roll</th><th scope="col">Slot</th><th scope="col">Luck</th><th scope="col">Cost</th><th scope="col">On course for</th></tr></thead>
    <tbody>
      ${moves.map((move) => html`<tr key=${move.round}><td>${move.round}</td><td>${told(move.roll)}</td><td>times ${game.labels[move.slot - 1]}</td>
        <td>${signed(move.luck)}</td><td>${move.loss ? shownCost(move.loss) : "none"}</td><td>${shown(move.after)}</td></tr>`)}
      ${now && html`<tr><td>${moves.length + 1}</td><td>${told(now.roll)}</td><td>to place</td><td></td><td></td><td>${shown(now.worth)}</td></tr>`}
    </tbody>
  </table></div>`;
}

function Mark({ x, y, loss, shape: { dot, miss } }) {
  if (!loss) return html`<circle class="g-dot" cx=${x} cy=${y} r=${dot} />`;
  return html`<path class="g-miss" d=${`M${x - miss} ${y - miss * 0.55}h${miss * 2}l${-miss} ${miss * 1.55}z`} />`;
}

/** Where everything lies. */
function draw({ game, par, moves, now, shape, width }) {
  const worths = [par, ...moves.flatMap((move) => [move.before + move.luck, move.after]), ...(now ? [now.worth] : [])];
  const [low, high] = [Math.min(...worths), Math.max(...worths)];
  const reach = Math.max(high - low, 1e-9);
  const right = shape.sides + (shape.told ? 24 : 0);
  const round = (pixels) => Math.round(pixels * 10) / 10;
  const x = (turn) => round(shape.sides + (turn / game.size) * (width - shape.sides - right));
  const y = (worth) => round(shape.top + ((high - worth) / reach) * (shape.height - shape.top - shape.bottom));
  const steps = moves.map((move) => `L${x(move.round)} ${y(move.before + move.luck)}V${y(move.after)}`);
  const end = moves.length + (now ? 1 : 0);
  const line = `M${x(0)} ${y(par)}${steps.join("")}${now ? `L${x(end)} ${y(now.worth)}` : ""}`;
  const isNearEnd = x(end) > width - 56;
  return {
    x, y, line, end, words: words(moves, shape, x, y),
    lastX: isNearEnd && !shape.told ? width : x(end) + 8,
    lastAnchor: isNearEnd && !shape.told ? "end" : "start",
    startsUp: (moves[0]?.luck ?? (now ? now.worth - par : 0)) > 0,
  };
}

/** The largest strokes of luck and the dearest mistake, written beside their marks. */
function words(moves, shape, x, y) {
  if (!shape.told) return [];
  const dearest = moves.reduce((most, move) => (move.loss > (most?.loss ?? 0.1) ? move : most), null);
  const lucks = moves.filter((move) => Math.abs(move.luck) >= 0.1 && move !== dearest).sort((one, other) => Math.abs(other.luck) - Math.abs(one.luck)).slice(0, shape.told);
  return [
    ...lucks.map((move) => ({
      key: `luck ${move.round}`, kind: "t-luck", text: signed(move.luck), anchor: move.luck < 0 ? "middle" : "end",
      x: x(move.round) - (move.luck < 0 ? 0 : 8), y: y(move.before + move.luck) + (move.luck < 0 ? 20 : -6),
    })),
    ...(dearest ? [{ key: "loss", kind: "t-loss", text: `−${shownCost(dearest.loss)}`, anchor: "start", x: x(dearest.round) + 10, y: y(dearest.after) + 4 }] : []),
  ];
}

/** The width of an element, kept up to date. */
function useWidth(first) {
  const frame = useRef(null);
  const [width, setWidth] = useState(first);
  useEffect(() => {
    const watcher = new ResizeObserver(([{ contentRect }]) => contentRect.width && setWidth(Math.round(contentRect.width)));
    watcher.observe(frame.current);
    return () => watcher.disconnect();
  }, []);
  return [frame, width];
}
