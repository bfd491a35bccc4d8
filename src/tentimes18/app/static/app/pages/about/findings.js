// What is known of the duel: exact chances, from the certified solution that docs/duel.md tells of.
import { html, useEffect, useState } from "../../html.js";
import { fileAt } from "../../core/place.js";
import { count, percent } from "../../core/format.js";

const NAMES = { hunter: "Hunter", nearest: "Nearest", bands: "Bands", greedy: "Greedy", random: "Random", optimal: "Perfect player" };
const SAYS = {
  hunter: "made to beat the perfect player",
  nearest: "a rule of thumb that needs no table",
  bands: "a home slot for every roll, or the next free one",
  greedy: "the largest free slot for a high roll, the smallest for a low one",
  random: "any free slot",
  optimal: "the most points on average",
};

/** Two tables: against the perfect player, and against what cannot be beaten. */
export function Findings() {
  const facts = useFacts();
  if (!facts) return html`<p class="s muted" role="status">Fetching the numbers…</p>`;
  const hunter = facts.against_optimal.find(({ name }) => name === "hunter");
  const nearest = facts.against_optimal.find(({ name }) => name === "nearest");
  return html`<div class="findings stack">
    <p>The most points on average is not the most wins. With the same rolls for both, the hunter wins ${percent(hunter.win)} of its duels against the perfect player, draws ${percent(hunter.draw)} and loses ${percent(hunter.loss)}. Even a rule of thumb comes out ahead: ${percent(nearest.win)} won, ${percent(nearest.loss)} lost, the rest drawn.</p>
    <${Outcomes} caption="Against the perfect player" rows=${facts.against_optimal} />
    <p>What cannot be beaten is the equilibrium: it looks at both boards, and where that is best it chooses by chance. It was found by solving ${count(facts.matrix_games)} small games, ${percent(facts.mixed_share, 2)} of which have no single best move.</p>
    <${Outcomes} caption="Against the equilibrium" rows=${facts.against_equilibrium} />
  </div>`;
}

const margin = ({ win, loss }) => win - loss;

/** Chances, the best player first. */
function Outcomes({ caption, rows }) {
  const ordered = rows.toSorted((one, other) => margin(other) - margin(one));
  return html`<div class="scroll-x" tabindex="0" role="region" aria-label=${caption}><table class="outcomes"><caption><h3>${caption}</h3></caption>
    <thead><tr><th scope="col">Player</th><th scope="col">Win</th><th scope="col">Draw</th><th scope="col">Loss</th></tr></thead>
    <tbody>${ordered.map(({ name, win, draw, loss }) => html`<tr key=${name}><th scope="row"><b>${NAMES[name] ?? name}</b> <span class="xs muted">${SAYS[name]}</span></th>
      <td>${percent(win)}</td><td>${percent(draw)}</td><td>${percent(loss)}</td></tr>`)}</tbody></table></div>`;
}

function useFacts() {
  const [facts, setFacts] = useState(null);
  useEffect(() => {
    let isGone = false;
    fetch(fileAt("duel.json"))
      .then((answer) => answer.json())
      .then((found) => isGone || setFacts(found))
      .catch(() => {}); // offline before the first visit: the rest of the page is there
    return () => {
      isGone = true;
    };
  }, []);
  return facts;
}
