// A review that is one file: its games and what they come to are in the page, and nobody is asked for anything.
import { html, render, useEffect, useState } from "./html.js";
import { count, exact2, percent, signed } from "./core/format.js";
import { liftLimits } from "./game/notation.js";
import { recordFromJson } from "./game/record.js";
import { score } from "./game/position.js";
import { dateOfTag } from "./core/dates.js";
import { Review, unitOf } from "./pages/review/reviewed.js";
import { Patterns } from "./parts/dice.js";
import { Mark } from "./parts/icons.js";
import { told } from "./parts/scale.js";

const CHART = { width: 420, height: 120, left: 44, right: 8, top: 10, bottom: 20 };
const RESULTS = ["lost", "drawn", "won"];

liftLimits();
const { title, kinds, more } = JSON.parse(document.getElementById("games").textContent);
const games = kinds.flatMap((kind) => kind.games.map(({ number, record, review }) => {
  const reviewed = { record: recordFromJson(record), found: review, isChance: review.aim !== "mean", source: null, isHere: false };
  return { number, kind, reviewed };
}));

const placeOf = (number) => `#game-${number}`;
const current = () => (games.length === 1 ? games[0] : games.find(({ number }) => location.hash === placeOf(number)));

function Page() {
  const [game, show] = useState(current);
  useEffect(() => {
    const follow = () => {
      show(current());
      window.scrollTo(0, 0);
    };
    window.addEventListener("hashchange", follow);
    return () => window.removeEventListener("hashchange", follow);
  }, []);
  return html`<div class="app">
    <header class="felt bar"><div class="top"><span class="brand"><${Mark} />10×18</span>${game && games.length > 1 && html`<a class="back" href="#">All games</a>`}</div></header>
    <main id="main" tabindex="-1">${game ? html`<${Review} key=${game.number} reviewed=${game.reviewed} />` : html`<${Games} />`}</main>
    <${Patterns} />
  </div>`;
}

/** All games, grouped by kind. */
function Games() {
  return html`<div class="page games">
    <h1>${title}</h1>
    ${kinds.map((kind) => html`<${Kind} key=${kind.heading} kind=${kind} />`)}
    ${more > 0 && html`<p class="muted">${count(more)} more ${more === 1 ? "kind" : "kinds"} of game left out.</p>`}
  </div>`;
}

function Kind({ kind }) {
  const { heading, notes, summary, isChance } = kind;
  const unit = unitOf({ isChance });
  const own = games.filter((game) => game.kind === kind);
  return html`<section class="stack"><h2>${heading}</h2>
    <p class="lead">${lead(summary, unit)}</p>
    ${notes.map((note) => html`<p key=${note} class="s muted">${note}</p>`)}
    <dl class="facts">${factsOf(summary, unit).map(([name, value]) => html`<div key=${name}><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>
    <div class="pair">
      <${Classes} summary=${summary} />
      ${summary.rounds.length > 0 && html`<${Rounds} rounds=${summary.rounds} unit=${unit} />`}
      ${kind.scores.length > 1 && html`<${Bars} caption="Scores" head="Games" rows=${kind.scores} write=${count} />`}
      ${summary.progress.length > 1 && html`<${Progress} parts=${summary.progress} unit=${unit} />`}
    </div>
    ${summary.costliest.length > 0 && html`<${Costliest} moves=${summary.costliest} listed=${new Set(own.map(({ number }) => number))} unit=${unit} />`}
    <${List} games=${own} all=${summary.games} unit=${unit} />
  </section>`;
}

function lead({ skill, mean_loss: loss, error_rate: errors }, unit) {
  if (skill === null) return "No move was a choice.";
  return `A game lost ${unit.amount(loss)} on average, a choice ${unit.amount(skill)}; ${percent(errors)} of the choices were errors.`;
}

function factsOf(summary, unit) {
  const { mean_score: mean, mean_optimal: optimal, mean_best: best, value, mean_luck: luck, mean_loss: loss, skill, level, error_rate: errors } = summary;
  const facts = [["Mean score", mean], ["Perfect player, same rolls", optimal], ["Best possible in hindsight", best], ["Par", value]]
    .filter(([, points]) => points !== null).map(([name, points]) => [name, exact2(points)]);
  facts.push(["Luck per game", unit.signed(luck)], ["Mistakes per game", unit.amount(loss)]);
  if (skill !== null) facts.push(["Skill: loss per choice", unit.amount(skill)], ["Choices that were errors", percent(errors)]);
  if (level) facts.push(["Level", level]);
  return facts;
}

/** A table whose rows have bars: [name, number]. */
function Bars({ caption, head, rows, write }) {
  const most = Math.max(...rows.map(([, number]) => number)) || 1;
  return html`<table class="bars"><caption><h3>${caption}</h3></caption><thead><tr><th scope="col"></th><th scope="col"></th><th scope="col">${head}</th></tr></thead>
    <tbody>${rows.map(([name, number]) => html`<tr key=${name}><th scope="row">${name}</th>
      <td><svg width="100%" height="14" aria-hidden="true" focusable="false"><rect class="bar-n" width=${`${(100 * number) / most}%`} height="14" rx="2" /></svg></td>
      <td>${write(number)}</td></tr>`)}</tbody></table>`;
}

function Classes({ summary: { classes, moves } }) {
  return html`<${Bars} caption="Moves by class" head="Moves" rows=${Object.entries(classes)} write=${(number) => `${count(number)} (${percent(number / (moves || 1))})`} />`;
}

function Rounds({ rounds, unit }) {
  const errors = new Map(rounds.map(({ round, error_rate: rate }) => [round, rate]));
  const rows = rounds.map(({ round, mean_loss: loss }) => [round, loss]);
  return html`<div class="stack tight"><${Bars} caption="Loss per choice, by round" head="Loss" rows=${rows} write=${unit.amount} />
    <p class="s muted">Errors: ${rounds.map(({ round }) => `round ${round} ${percent(errors.get(round), 0)}`).join(", ")}.</p></div>`;
}

/** The skill in stretches of games, in their order: the lower the line, the better. */
function Progress({ parts, unit }) {
  const known = parts.filter(({ skill }) => skill !== null);
  if (known.length < 2) return null;
  const { width, height, left, right, top, bottom } = CHART;
  const most = Math.max(...known.map(({ skill }) => skill)) || 1;
  const x = (place) => (left + (place / (known.length - 1)) * (width - left - right)).toFixed(1);
  const y = (skill) => (top + (1 - skill / most) * (height - top - bottom)).toFixed(1);
  const label = `Loss per choice from game ${known[0].first} to game ${known.at(-1).last}: first ${unit.amount(known[0].skill)}, last ${unit.amount(known.at(-1).skill)}`;
  return html`<figure class="stack tight"><figcaption><h3>Loss per choice, game by game</h3></figcaption>
    <svg viewBox=${`0 0 ${width} ${height}`} role="img" aria-label=${label}>
      <path class="rule" d=${`M${left} ${y(0)}H${width - right}M${left} ${y(most)}H${width - right}`} />
      <text x=${left - 6} y=${Number(y(most)) + 4} text-anchor="end">${unit.amount(most)}</text><text x=${left - 6} y=${Number(y(0)) + 4} text-anchor="end">0</text>
      <path class="course-line" d=${known.map(({ skill }, place) => `${place ? "L" : "M"}${x(place)} ${y(skill)}`).join("")} />
      <text x=${left} y=${height - 4}>game ${count(known[0].first)}</text><text x=${width - right} y=${height - 4} text-anchor="end">game ${count(known.at(-1).last)}</text>
    </svg></figure>`;
}

function Costliest({ moves, listed, unit }) {
  return html`<div class="scroll-x"><table><caption><h3>The costliest moves</h3></caption>
    <thead><tr>${["Game", "Round", "Roll", "Slot", "Best", "Loss"].map((name) => html`<th key=${name} scope="col">${name}</th>`)}</tr></thead>
    <tbody>${moves.map(({ game, round, roll, slot, best, loss }) => html`<tr key=${`${game} ${round}`}>
      <td>${listed.has(game) ? html`<a href=${placeOf(game)}>${count(game)}</a>` : count(game)}</td><td>${round}</td><td>${told(roll)}</td><td>${slot}</td><td>${best}</td>
      <td class="c-loss">−${unit.amount(loss)}</td></tr>`)}</tbody></table></div>`;
}

function List({ games: own, all, unit }) {
  const which = own.length < all ? `${count(own.length)} of ${count(all)}: the latest games, and those with the costliest moves.` : `All ${count(all)}, the latest first.`;
  return html`<div class="stack tight"><h3>Game by game</h3><p class="s muted">${which} Open a game to see its moves.</p>
    <ol class="picker">${own.map(({ number, reviewed }) => html`<li key=${number}><a href=${placeOf(number)}>
      <b>${told(score(reviewed.record.position))}</b><span>${aboutOf(number, reviewed)}</span>
      <span class="num">${signed(reviewed.found.luck * unit.factor, 2)} <b class="c-loss">${reviewed.found.loss ? `−${unit.amount(reviewed.found.loss)}` : "✓"}</b></span></a></li>`)}</ol></div>`;
}

function aboutOf(number, { record: { position, opponent, tags }, found }) {
  const parts = [`Game ${count(number)}`, dateOfTag(tags.date), tags.name, opponent && `against ${tags.against ?? "an opponent"}`];
  if (opponent && found.finished) parts.push(RESULTS[1 + Math.sign(found.score - found.opponent_score)]);
  if (found.takebacks) parts.push(`${found.takebacks} taken back: practice`);
  if (found.level) parts.push(found.level);
  if (!found.finished) parts.push(`${position.placements.length} of ${position.game.size} rounds`);
  return parts.filter(Boolean).join(" · ");
}

render(html`<${Page} />`, document.getElementById("app"));
