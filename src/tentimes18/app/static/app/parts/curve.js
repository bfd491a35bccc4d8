// The curve of a game: the score that a player was on course for, round by round. Luck moves it, ▼ marks a mistake.
// It is drawn in the pixels of its place, so that text keeps its size. A hidden table has the same numbers.
import { points, signed } from "../core/format.js";
import { html, useLayoutEffect, useRef, useState } from "../html.js";
import { texts } from "../texts.js";
import { shownCost, told } from "./scale.js";

const SMALL = { height: 96, sides: 8, right: 8, top: 22, bottom: 14, dot: 3.5, miss: 4.5, told: 0 };
const LARGE = { height: 230, sides: 44, right: 68, top: 30, bottom: 28, dot: 4.5, miss: 5.5, told: 3 };
const NARROW = { ...LARGE, height: 212, sides: 8, right: 12, top: 38 }; // the large one on a phone
const NARROWER = 560; // pixels
const LETTER = 7; // pixels of type of 12 px
const SAMPLES = 12; // of the curve along a text

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
 * @param {(score: number) => string} [props.ended]  how the last one is, of a finished game
 */
export function Curve({ game, par, moves, now = null, size = "small", at = null, shown = points, ended = told }) {
  const [frame, width] = useWidth(size === "small" ? 344 : 640);
  const shape = size === "small" ? SMALL : width < NARROWER ? NARROW : LARGE;
  const drawn = draw({ game, par, moves, now, shape, width, shown });
  const last = now ? now.worth : moves.at(-1)?.after ?? par;
  const label = texts.board.curve(shown(par), shown(last), Boolean(now) || moves.length < game.size);
  return html`<figure class="curve" ref=${frame}>
    <svg width=${width} height=${shape.height} viewBox=${`0 0 ${width} ${shape.height}`} role="img" aria-label=${label}>
      ${at && html`<path class="g-now" d=${`M${drawn.x(at)} 0V${shape.height}`} />`}
      <path class="g-fill" d=${`${drawn.line}V${drawn.y(par)}H${drawn.x(0)}Z`} />
      <path class="g-par" d=${`M${drawn.x(0)} ${drawn.y(par)}H${drawn.x(game.size)}`} />
      <path class="g-line" d=${drawn.line} />
      ${moves.map((move) => html`<${Mark} key=${move.round} x=${drawn.x(move.round)} y=${drawn.y(move.after)} loss=${move.loss} shape=${shape} />`)}
      <circle class="g-you" cx=${drawn.x(drawn.end)} cy=${drawn.y(last)} r=${shape.dot + 1.5} />
      ${drawn.words.map(({ key, kind, x, y, anchor, text }) => html`<text key=${key} class=${kind} x=${x} y=${y} text-anchor=${anchor}>${text}</text>`)}
      ${size === "small" && html`<text x=${drawn.x(0)} y=${drawn.y(par) + (drawn.startsUp ? 16 : -6)}>${shown(par)}</text>`}
      <text class=${size === "small" ? "strong" : "big"} x=${drawn.lastX} y=${Math.max(14, drawn.y(last) + drawn.lastDown)} text-anchor=${drawn.lastAnchor}>${
        !now && moves.length === game.size ? ended(last) : shown(last)}</text>
    </svg>
    <${CurveTable} game=${game} moves=${moves} now=${now} shown=${shown} />
  </figure>`;
}

/** The same as a table, heard and not seen. */
function CurveTable({ game, moves, now, shown }) {
  return html`<div class="vh"><table>
    <caption>${texts.board.curveTable}</caption>
    <thead><tr>${texts.board.curveHead.map((head) => html`<th key=${head} scope="col">${head}</th>`)}</tr></thead>
    <tbody>
      ${moves.map((move) => html`<tr key=${move.round}><td>${move.round}</td><td>${told(move.roll)}</td><td>${texts.board.curveSlot(game.labels[move.slot - 1])}</td>
        <td>${signed(move.luck)}</td><td>${move.loss ? shownCost(move.loss) : texts.board.curveNone}</td><td>${shown(move.after)}</td></tr>`)}
      ${now && html`<tr><td>${moves.length + 1}</td><td>${told(now.roll)}</td><td>${texts.board.curveToPlace}</td><td></td><td></td><td>${shown(now.worth)}</td></tr>`}
    </tbody>
  </table></div>`;
}

function Mark({ x, y, loss, shape: { dot, miss } }) {
  if (!loss) return html`<circle class="g-dot" cx=${x} cy=${y} r=${dot} />`;
  return html`<path class="g-miss" d=${`M${x - miss} ${y - miss * 0.55}h${miss * 2}l${-miss} ${miss * 1.55}z`} />`;
}

/** Where everything lies. */
function draw({ game, par, moves, now, shape, width, shown }) {
  const worths = [par, ...moves.flatMap((move) => [move.before + move.luck, move.after]), ...(now ? [now.worth] : [])];
  const [low, high] = [Math.min(...worths), Math.max(...worths)];
  const reach = Math.max(high - low, 1e-9);
  const round = (pixels) => Math.round(pixels * 10) / 10;
  const x = (turn) => round(shape.sides + (turn / game.size) * (width - shape.sides - shape.right));
  const y = (worth) => round(shape.top + ((high - worth) / reach) * (shape.height - shape.top - shape.bottom));
  const steps = moves.map((move) => `L${x(move.round)} ${y(move.before + move.luck)}V${y(move.after)}`);
  const end = moves.length + (now ? 1 : 0);
  const line = `M${x(0)} ${y(par)}${steps.join("")}${now ? `L${x(end)} ${y(now.worth)}` : ""}`;
  const isNearEnd = x(end) > width - 56;
  const heights = [par, ...moves.map(({ after }) => after)].map(y);
  return {
    x, y, line, end, words: shape.told ? words({ par, moves, shape, x, y, width, shown, heights }) : [],
    lastX: isNearEnd ? width : x(end) + (shape.told ? 11 : 8),
    lastAnchor: isNearEnd ? "end" : "start",
    lastDown: !shape.told ? -6 : isNearEnd ? -13 : 7,
    startsUp: (moves[0]?.luck ?? (now ? now.worth - par : 0)) > 0,
  };
}

/** The dearest mistake, the largest strokes of luck and par, beside their marks, where they do not hide each other. */
function words({ par, moves, shape, x, y, width, shown, heights }) {
  const dearest = moves.reduce((most, move) => (move.loss > (most?.loss ?? 0.1) ? move : most), null);
  const lucks = moves.filter((move) => Math.abs(move.luck) >= 0.1 && move !== dearest).sort((one, other) => Math.abs(other.luck) - Math.abs(one.luck)).slice(0, shape.told);
  const wanted = [
    ...(dearest ? [{ key: "loss", kind: "t-loss", text: `−${shownCost(dearest.loss)}`, anchor: "start", x: x(dearest.round) + 10, y: y(dearest.after) + 4 }] : []),
    ...lucks.map((move) => ({
      key: `luck ${move.round}`, kind: "t-luck", text: signed(move.luck), anchor: move.luck < 0 ? "middle" : "end",
      x: x(move.round) - (move.luck < 0 ? 0 : 8), y: y(move.before + move.luck) + (move.luck < 0 ? 20 : -6),
    })),
    clearest({ key: "par", kind: "", text: texts.board.curvePar(shown(par)), anchor: "middle" }, { moves, x, width, heights }),
  ];
  return wanted.reduce((kept, label) => (sidesOf(label)[0] < 0 || kept.some((other) => meet(label, other)) ? kept : [...kept, label]), []);
}

const sidesOf = ({ x, anchor, text }) => {
  const wide = text.length * LETTER;
  const left = x - (anchor === "start" ? 0 : anchor === "end" ? wide : wide / 2);
  return [left, left + wide];
};

function meet(one, other) {
  const [[left, right], [from, to]] = [sidesOf(one), sidesOf(other)];
  return left < to && from < right && Math.abs(one.y - other.y) < 13;
}

/** A text above or below the line of par, where the curve is farthest from it. */
function clearest(label, { moves, x, width, heights }) {
  const half = (label.text.length * LETTER) / 2;
  const places = moves.flatMap((_, turn) => [16, -7].map((down) => ({ ...label, x: Math.min(Math.max(x(turn + 0.5), half), width - half), y: heights[0] + down })));
  const heightAt = (pixels) => {
    const turn = ((pixels - x(0)) / (x(moves.length) - x(0) || 1)) * moves.length;
    const before = Math.min(Math.max(Math.floor(turn), 0), moves.length - 1);
    return heights[before] + (turn - before) * (heights[before + 1] - heights[before]);
  };
  const clearance = (place) => {
    const [left, right] = sidesOf(place);
    return Math.min(...Array.from({ length: SAMPLES + 1 }, (_, step) => Math.abs(heightAt(left + ((right - left) * step) / SAMPLES) - place.y + 4)));
  };
  return places.reduce((best, place) => (clearance(place) > clearance(best) ? place : best), places[0] ?? { ...label, x: half, y: heights[0] - 7 });
}

/** The width of an element, known before it is painted, and kept up to date. */
export function useWidth(first) {
  const frame = useRef(null);
  const [width, setWidth] = useState(first);
  useLayoutEffect(() => {
    setWidth(Math.round(frame.current.clientWidth) || first);
    const watcher = new ResizeObserver(([{ contentRect }]) => contentRect.width && setWidth(Math.round(contentRect.width)));
    watcher.observe(frame.current);
    return () => watcher.disconnect();
  }, []);
  return [frame, width];
}
