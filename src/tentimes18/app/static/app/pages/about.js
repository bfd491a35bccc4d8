// About: the rules in a minute with a row to try, why thresholds work, whether the rolls are fair, what is known, and the keys.
import { html } from "../html.js";
import { exact2 } from "../core/format.js";
import { link } from "../core/links.js";
import { isStatic } from "../core/online.js";
import { expectedScores } from "../game/expected.js";
import { gameOf } from "../game/game.js";
import { Shell } from "../parts/shell.js";
import { FairnessCheck, plainCheck } from "./about/fairness.js";
import { Findings } from "./about/findings.js";
import { Thresholds } from "./about/thresholds.js";
import { TryIt } from "./about/try.js";

export const title = "About";

const KEYS = [
  [["1", "…", "9", "0"], "picks slot 1 to 10; the same key again places"],
  [["↑", "↓"], "goes from one free slot to the next"],
  [["Enter"], "places the picked slot"],
  [["Esc"], "puts it back"],
  [["N"], "begins the next game, after the last move"],
];

/** The page. */
export default function Page() {
  const expected = expectedScores(gameOf());
  return html`<${Shell}><div class="page about">
    <section class="stack rules"><h1>The rules in a minute</h1>
      <p class="lead">Roll three dice, ten times. Put each roll at once into one of ten slots, ×1 to ×10, where it stays. Every slot pays its multiplier times its roll; the sum is your score.</p>
      <div class="row"><a class="btn" href=${link("play")}>Play a game</a>${!isStatic && html`<a class="btn quiet" href=${link("daily")}>Today’s game</a>`}</div></section>
    <section class="stack" aria-labelledby="about-try"><h2 id="about-try">Try it</h2><${TryIt} />
      <p class="s muted">A block is as long as its roll and as thick as its multiplier: score is area.</p></section>
    <section class="stack" aria-labelledby="about-why"><h2 id="about-why">Why a row of numbers plays perfectly</h2>
      <p>Once a roll is placed, every other free slot can expect some roll later on. Put these in order. The best slot for a roll is its place in that row, whatever the multipliers are.</p>
      <${Thresholds} />
      <p class="s muted">The same is true of any dice and slots: the <a href=${link("lab")}>lab</a> has the rows.</p></section>
    <section class="stack" aria-labelledby="about-fair"><h2 id="about-fair">Are the rolls fair?</h2>
      <p>All rolls of a game are drawn before its first move, and a digest of each is published: SHA-256 of a secret number, the round and the roll. Nobody can change a roll after that without being found out here.</p>
      <${FairnessCheck} />
      ${!isStatic && html`<p class="s muted">The same <a href=${plainCheck()}>without a script</a>, and the <a href=${plainCheck().replace("verify", "commitments")}>commitments of the daily games</a>, published a day ahead. It shows that no roll was changed, not that nobody knew them.</p>`}</section>
    <section class="stack about-duel" aria-labelledby="about-duel"><h2 id="about-duel">What is known of the duel</h2><${Findings} /></section>
    <section class="stack" aria-labelledby="about-paper"><h2 id="about-paper">The paper</h2>
      <p>The game and its perfect play are from <cite>Ten times eighteen</cite> by Sebastian Böcker. Any slot at random makes ${exact2(expected.random)} points on average, the perfect player ${exact2(expected.optimal)}, and one who knew all rolls before ${exact2(expected.hindsight)}.</p>
      ${!isStatic && html`<p class="s muted">All of it, with proofs, the command and the library: <a href=${plainCheck().replace("verify", "docs")}>the documentation</a>.</p>`}</section>
    <section class="stack" aria-labelledby="about-keys"><h2 id="about-keys">Keys</h2>
      <dl class="keys">${KEYS.map(([keys, what]) => html`<div key=${what}><dt>${keys.map((key) => (key === "…" ? " … " : html`<kbd>${key}</kbd> `))}</dt><dd>${what}</dd></div>`)}</dl></section>
  </div><//>`;
}
