// Where duels begin: the ones that go on, a friend by invite, and the bots with what each tries to do.
import { html, useEffect, useState } from "../html.js";
import { Away, Problem, get, post } from "../core/api.js";
import { percent } from "../core/format.js";
import { go, link } from "../core/links.js";
import { useOnline } from "../core/online.js";
import { Failed, Loading, OfflineNote } from "../parts/notes.js";
import { againstWords, botName } from "./words.js";

const LOOK = 3000; // ms, while the table of a bot is being made

export function Lobby() {
  const [bots, setBots] = useState(null);
  const [open, setOpen] = useState([]);
  const [error, setError] = useState(null);
  const [beginning, begin] = useState(null);
  const online = useOnline();

  const load = async () => {
    setError(null);
    try {
      const [found, going] = await Promise.all([get("/duels/bots"), get("/me/history?kind=duel&finished=false&limit=20")]);
      setBots(easiestFirst(found));
      setOpen(going.games);
    } catch (problem) {
      if (!(problem instanceof Away || problem instanceof Problem)) throw problem;
      setError({ what: "The lobby did not come.", again: load });
    }
  };
  useEffect(() => void load(), [online]);
  useEffect(() => {
    if (!bots || bots.every(({ ready }) => ready)) return undefined;
    const timer = setTimeout(async () => {
      try {
        setBots(easiestFirst(await get("/duels/bots", { retries: 0 })));
      } catch {
        setBots([...bots]); // the next look tries again
      }
    }, LOOK);
    return () => clearTimeout(timer);
  }, [bots]);

  const start = async (against) => {
    begin(against);
    setError(null);
    try {
      go(link("game", { id: (await post("/duels", { against })).id }));
    } catch (problem) {
      if (!(problem instanceof Away || problem instanceof Problem)) throw problem;
      begin(null);
      setError({ what: problem.detail || "The duel did not begin.", again: () => start(against) });
    }
  };

  return html`<div class="page lobby">
    <section class="stack">
      <h1>Two boards, the same rolls</h1>
      <p class="lead">Both place each roll before either move is shown. After ten rolls the higher score wins.</p>
      <${OfflineNote} text="A duel needs the network: the rolls are drawn by the service, and the other one’s move comes over it." again=${error?.again}><a class="btn quiet" href=${link("play")}>Play solo</a><//>
      ${error && online && html`<${Failed} what=${error.what} safe="Nothing is lost." again=${error.again} />`}
    </section>
    ${open.length > 0 && html`<section class="stack"><h2>Your open duels</h2><ul class="going">${open.map((one) => html`<${Going} key=${one.id} one=${one} />`)}</ul></section>`}
    <section class="friend card stack">
      <h2>A friend</h2>
      <p>You get a link and a QR code. Whoever opens it first plays against you, here or at the other end of the world; either of you may take days for a move.</p>
      <div class="row"><button class="btn" type="button" disabled=${!online || beginning !== null} onClick=${() => start("friend")}>${beginning === "friend" ? "Making the link…" : "Invite a friend"}</button></div>
    </section>
    <section class="stack">
      <h2>Bots</h2>
      <p class="s muted">The easiest first, by how each does against the perfect player.</p>
      ${bots === null && !error && html`<${Loading} text="Asking who is there…" />`}
      ${bots && html`<ul class="bots">${bots.map((bot) => html`<${Bot} key=${bot.name} bot=${bot} isBeginning=${beginning === bot.name} locked=${!online || beginning !== null} start=${start} />`)}</ul>
        <p class="xs muted">The chances are exact: computed over all rolls, not played out.</p>`}
    </section>
  </div>`;
}

/** Bots by their exact chance against the perfect player, a draw counting half; those that have none stay at the end. */
function easiestFirst(bots) {
  const strength = ({ against_optimal: chances }) => (chances ? chances.win + chances.draw / 2 : 2);
  return bots.toSorted((one, other) => strength(one) - strength(other));
}

/** A duel to go on with. */
function Going({ one }) {
  const rival = one.bot ? botName(one.against) : one.against;
  const state = one.against === null ? "waiting for your friend" : one.turn === "you" ? "your move" : `waiting for ${rival}`;
  return html`<li><a href=${link("game", { id: one.id })}><b>${rival ?? "Invite"}</b><span class=${one.turn === "you" && one.against !== null ? "now" : "muted"}>${state}</span>
    <span class="muted">round ${Math.min(one.slots.length, one.placed + (one.turn === "you" ? 1 : 0))} of ${one.slots.length}</span></a></li>`;
}

function Bot({ bot, isBeginning, locked, start }) {
  const name = botName(bot.name);
  const share = bot.progress;
  return html`<li class="bot card">
    <h3>${name}</h3>
    <p>${bot.what}</p>
    ${bot.against_optimal && html`<${Chances} chances=${bot.against_optimal} />`}
    <div class="row">
      ${bot.ready
        ? html`<button class="btn small" type="button" disabled=${locked} onClick=${() => start(bot.name)} aria-label=${`Play against ${name}`}>${isBeginning ? "Beginning…" : "Play"}</button>`
        : html`<p class="s muted notyet"><b>Not ready yet.</b> Its table is ${share === null ? "still to be made" : `being made: ${percent(share, 0)}`}.
            ${share !== null && html`<progress max="1" value=${share} aria-label=${`The table of ${name}`}></progress>`}</p>`}
    </div>
  </li>`;
}

/** Win, draw and loss against the perfect player: a bar, and the same in words. */
function Chances({ chances }) {
  const { win, draw, loss } = chances;
  return html`<div class="odds"><div class="odds-bar" aria-hidden="true">
    <i class="o-win" style=${{ "--share": win }}></i><i class="o-draw" style=${{ "--share": draw }}></i><i class="o-loss" style=${{ "--share": loss }}></i></div>
    <p class="s muted">${againstWords(chances)}</p></div>`;
}
