// The course of score and of skill over the games that count, as two small charts with tables; one point a game.
import { html, useEffect, useRef, useState } from "../../html.js";
import { exact2, points } from "../../core/format.js";
import { told } from "../../parts/scale.js";
import { counted, dateWords } from "./words.js";

const HEIGHT = 170;
const SIDE = { left: 36, right: 8, top: 14, bottom: 22 };
const FEW = 10; // games from which a player is rated
const WINDOW = 30; // games that a rating, and a running mean, is of
const DOTTED = 200; // games that are shown one by one

/**
 * @param {{skill: object, par: number}} props  skill: of GET /me/skill. par: what the perfect player makes on average
 */
export function Course({ skill: { course, own, players }, par }) {
  const last = course.at(-1);
  const mean = course.reduce((sum, { score }) => sum + score, 0) / course.length;
  const rest = FEW - course.length;
  return html`<section class="stack"><h2>Skill</h2>
    <dl class="facts">
      <div><dt>A choice costs you</dt><dd>${exact2(last.cost)} ${last.error !== null && html`<span class="band">± ${exact2(last.error)}</span>`}</dd></div>
      <div><dt>Rank by skill</dt><dd>${own ? html`${own.rank} <span class="band">of ${players}</span>` : "–"}</dd></div>
    </dl>
    <p class="s muted">Luck is taken out: points given up by a move that was a choice, on average ${last.games === 1 ? "in your first game" : `over your last ${last.games} games`}${last.error === null ? "" : ", with its standard error"}.
      ${rest > 0 ? ` ${counted(rest, "more game")} without a coach, and you are on the board of players.` : ""}</p>
    <${Chart} label=${`Cost of a choice after each of ${course.length} games, with its band; now ${exact2(last.cost)}`} kind="of-skill"
      values=${course.map(({ cost }) => cost)} bands=${course.map(({ cost, error }) => (error === null ? [cost, cost] : [Math.max(0, cost - error), cost + error]))} from=${0}
      head="Cost of a choice" write=${exact2} dates=${course.map(({ finished }) => finished)} />
    <h3>Score</h3>
    <p class="s muted">${points(mean)} on average over ${counted(course.length, "game")}; the perfect player makes ${exact2(par)}. A single score is mostly dice: the line is the mean of the last ${WINDOW} games.</p>
    <${Chart} label=${`Score of each of ${course.length} games and their running mean; the dashed line is par, ${exact2(par)}`} kind="of-scores" values=${course.map(({ score }) => score)}
      drawn=${runningMeans(course.map(({ score }) => score))} line=${par} lineName="par" head="Score" write=${told} dates=${course.map(({ finished }) => finished)} />
  </section>`;
}

/** The mean of the last games up to each. */
function runningMeans(values) {
  return values.map((_, place) => {
    const last = values.slice(Math.max(0, place + 1 - WINDOW), place + 1);
    return last.reduce((sum, value) => sum + value, 0) / last.length;
  });
}

/** Points in their order, the line that is drawn for them, a band around it, another line across. */
function Chart({ label, kind, values, drawn = values, bands = null, line = null, lineName = "", from = null, head, write, dates }) {
  const [frame, width] = useWidth(340);
  const all = [...values, ...(bands ?? []).flat(), ...(line === null ? [] : [line])];
  const low = from ?? Math.min(...all);
  const high = Math.max(...all);
  const ticks = ticksOf(low, high);
  const [bottom, top] = [Math.min(low, ticks[0]), Math.max(high, ticks.at(-1))];
  const x = (place) => round(SIDE.left + (values.length > 1 ? place / (values.length - 1) : 0.5) * (width - SIDE.left - SIDE.right));
  const y = (value) => round(SIDE.top + ((top - value) / (top - bottom || 1)) * (HEIGHT - SIDE.top - SIDE.bottom));
  const path = drawn.map((value, place) => `${place ? "L" : "M"}${x(place)} ${y(value)}`).join("");
  const band = bands && `M${bands.map(([, most], place) => `${x(place)} ${y(most)}`).join("L")}L${bands.map(([least], place) => `${x(place)} ${y(least)}`).reverse().join("L")}Z`;
  const isDotted = values.length <= DOTTED;
  return html`<figure class=${`course ${kind}`} ref=${frame}>
    <svg width=${width} height=${HEIGHT} viewBox=${`0 0 ${width} ${HEIGHT}`} role="img" aria-label=${label}>
      ${ticks.map((tick) => html`<g key=${tick}><path class="rule" d=${`M${SIDE.left} ${y(tick)}H${width - SIDE.right}`} /><text x=${SIDE.left - 6} y=${y(tick) + 4} text-anchor="end">${shortTick(tick)}</text></g>`)}
      ${band && html`<path class="band-fill" d=${band} />`}
      ${line !== null && html`<path class="par-line" d=${`M${SIDE.left} ${y(line)}H${width - SIDE.right}`} /><text class="par-word" x=${width - SIDE.right} y=${y(line) - 5} text-anchor="end">${lineName}</text>`}
      <path class="course-line" d=${path} />
      ${isDotted && values.map((value, place) => html`<circle key=${place} class="course-dot" cx=${x(place)} cy=${y(value)} r="2.5" />`)}
      <circle class="course-last" cx=${x(values.length - 1)} cy=${y(drawn.at(-1))} r="4.5" />
      <text x=${SIDE.left} y=${HEIGHT - 4}>${dateWords(dates[0])}</text>
      ${values.length > 1 && html`<text x=${width - SIDE.right} y=${HEIGHT - 4} text-anchor="end">${dateWords(dates.at(-1))}</text>`}
    </svg>
    <div class="vh"><table><caption>${label}</caption><thead><tr><th scope="col">Game</th><th scope="col">Date</th><th scope="col">${head}</th></tr></thead>
      <tbody>${values.map((value, place) => html`<tr key=${place}><th scope="row">${place + 1}</th><td>${dateWords(dates[place])}</td><td>${write(value)}</td></tr>`)}</tbody></table></div>
  </figure>`;
}

const round = (pixels) => Math.round(pixels * 10) / 10;
const shortTick = (tick) => String(Number(tick.toFixed(4)));

/** Three to five round numbers between two. */
function ticksOf(low, high) {
  const reach = Math.max(high - low, 1e-6);
  const power = 10 ** Math.floor(Math.log10(reach / 3));
  const step = [1, 2, 5, 10].map((part) => part * power).find((part) => reach / part <= 4.5);
  const ticks = [];
  for (let tick = Math.ceil(low / step - 1e-9) * step; tick <= high + 1e-9; tick += step) ticks.push(tick);
  return ticks.length ? ticks : [low];
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
