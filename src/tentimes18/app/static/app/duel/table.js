// A duel in play and its end: both boards, the roll between them, what is sealed, and at last the curve of the chance to win.
import { html, useEffect, useRef, useState } from "../html.js";
import { announce } from "../core/announce.js";
import { Away, Problem, post } from "../core/api.js";
import { go, link } from "../core/links.js";
import { useOnline } from "../core/online.js";
import { useSetting } from "../core/settings.js";
import { diceShown, facesOf } from "../game/faces.js";
import { gameOf } from "../game/game.js";
import { pointsOf } from "../game/position.js";
import { Actions, Keys } from "../parts/actions.js";
import { Dice } from "../parts/dice.js";
import { Duo } from "../parts/duo.js";
import { Icon } from "../parts/icons.js";
import { told } from "../parts/scale.js";
import { Shell } from "../parts/shell.js";
import { Rounds } from "../parts/tray.js";
import { useBoardKeys } from "../solo/keys.js";
import { rollWords } from "../solo/words.js";
import { ChanceCurve } from "./chance_curve.js";
import { Invite } from "./invite.js";
import { useDuel } from "./keeper.js";
import { isBot, ownBoard, rollToPlace, roundOf, shownRoll } from "./rounds.js";
import { askWords, endWords, openedWords, rivalName, rivalWithin, shortName, stateWords, swingWords, waitingWords } from "./words.js";

/** @param {{game: object}} props  a Game of the API */
export function Table({ game: begun }) {
  const duel = useDuel(begun);
  const { game, unsent, fresh, opening, how } = duel;
  const rules = gameOf(game.dice, game.slots);
  const [placing] = useSetting("placing");
  const [armed, arm] = useState(null);
  const roll = rollToPlace(game, unsent);
  const board = ownBoard(game, unsent);
  const round = roundOf(game);
  const isLocked = roll === null || how === "gone";
  const isFree = (slot) => !isLocked && !(slot in board) && slot <= rules.size;

  useEffect(() => arm(null), [round]);
  useSaid(duel, rules, round);
  const commit = (slot) => {
    arm(null);
    duel.place(slot);
  };
  const pick = (slot) => {
    if (!isFree(slot)) return;
    if (armed === slot || placing === "tap") commit(slot);
    else arm(slot);
  };
  useBoardKeys({
    size: rules.size, isFree, pick, arm: (slot) => arm(slot), cancel: () => arm(null),
    commit: armed !== null && !isLocked ? () => commit(armed) : undefined,
  });

  const score = game.score + (unsent && game.roll !== null ? pointsOf(rules, game.roll, unsent.slot) : 0);
  const rival = rivalName(game);
  const shown = shownRoll(game);
  const faces = shown === null ? [] : facesOf(game.dice, shown, `${game.id} ${round}`);
  return html`<${Shell} page="duel" hasActions=${!game.finished}><h1 class="vh">A duel</h1><div class="duel">
    <section class="felt cloth" aria-label="Scores and dice">
      <div class="score">
        <dl><dt><span class="who"></span>You</dt><dd>${told(score)}</dd></dl>
        <div class="tray">${game.finished ? html`<p class="verdict">${{ win: "Won", draw: "Draw", loss: "Lost" }[game.result] ?? "Over"}</p>`
          : html`<${Dice} roll=${shown} faces=${faces} count=${diceShown(game.dice)} turn=${round} still=${fresh.left === null} /><p class="sum">${shown === null ? "" : told(shown)}</p>`}</div>
        <dl><dt><span class="who rivals"></span>${shortName(rival)}</dt><dd>${told(game.opponent?.score ?? 0)}</dd></dl>
      </div>
      <${Rounds} rounds=${rules.size} round=${round} />
    </section>
    ${game.opponent === null && !game.finished && html`<${Invite} code=${game.invite} isPlaced=${roll === null} />`}
    <section class="boards" aria-label="Both boards">
      <div class="heads s muted"><span>Your board</span><${Sealed} game=${game} /></div>
      <${Duo} game=${rules} left=${{ name: "you", board, fresh: fresh.left }} right=${{ name: rivalWithin(game), board: game.opponent?.board ?? {}, fresh: fresh.right }}
        roll=${roll} armed=${armed} arming=${placing === "arm"} locked=${isLocked} opening=${opening} pick=${pick} />
    </section>
    ${game.finished ? html`<${End} duel=${duel} rules=${rules} />` : html`<${Bar} duel=${duel} rules=${rules} roll=${roll} armed=${armed} placing=${placing} commit=${commit} putBack=${() => arm(null)} />`}
  </div><//>`;
}

/** Whether the other one has placed; where, nobody is told before both have. */
function Sealed({ game }) {
  const rival = rivalName(game);
  if (game.finished || game.opponent === null) return html`<span>${rival}</span>`;
  return game.opponent.placed ? html`<span class="sealed"><${Icon} name="lock" />${rival} has placed</span>` : html`<span>${rival} is choosing</span>`;
}

function Bar({ duel, rules, roll, armed, placing, commit, putBack }) {
  const { game, unsent, isLate, how, refused } = duel;
  const online = useOnline();
  const trouble = how === "gone" ? "The service does not know this duel any more." : refused;
  if (trouble) return html`<${Actions} ask=${trouble} primary=${{ label: "Go to duels", href: link("duel") }} second=${{ label: "Look again", act: () => location.reload() }} />`;
  if (roll === null) {
    const { ask, rest } = waitingWords(game);
    if (unsent && (isLate || !online)) {
      return html`<${Actions} ask="Placed here, not sent yet." words="A duel needs the network. Your move is kept, and sent as soon as the service answers." second=${{ label: "Send again", act: duel.sendAgain }} />`;
    }
    return html`<${Actions} ask=${ask} words=${rest}><p class="s"><a href=${link("duel")}>All your duels</a></p><//>`;
  }
  const away = !online || how === "away" ? "No answer from the service: your move will be kept and sent later. " : "";
  if (armed !== null) {
    const label = `Place ${told(roll)} in ×${rules.labels[armed - 1]}`;
    return html`<${Actions} words=${`${away}${stateWords(game)}`} primary=${{ label, act: () => commit(armed) }} second=${{ label: "Pick another", act: putBack }} />`;
  }
  return html`<${Actions} ask=${askWords(game)} words=${`${away}${stateWords(game)}`}><${Keys} places=${placing === "tap"} most=${rules.size} /><//>`;
}

/** The result, the curve, and what can be done next. */
function End({ duel, rules }) {
  const { game } = duel;
  const [trouble, say] = useState("");
  const { head, rest } = endWords(game);
  const isOther = isBot(game);
  const again = async () => {
    say("");
    try {
      go(link("game", { id: (await post("/duels", { against: isOther ? game.opponent.name : "friend" })).id }));
    } catch (error) {
      if (!(error instanceof Away || error instanceof Problem)) throw error;
      say(error.detail || "The service did not answer. Try again in a moment.");
    }
  };
  const isFull = game.ended_by === "moves";
  return html`<section class="ending stack" aria-labelledby="ending-title">
    <h2 id="ending-title">${head}</h2>
    <p class="lead">${rest}</p>
    <div class="row">
      <button class="btn" type="button" onClick=${again}>${isOther ? "Rematch" : "Invite again"}</button>
      ${isFull && html`<a class="btn quiet" href=${link("review", { id: game.id })}>Review your game</a>`}
      <a class="btn quiet" href=${link("duel")}>All duels</a>
    </div>
    ${trouble && html`<p class="wrong" role="alert">${trouble}</p>`}
    ${game.opponent !== null && html`<${Chances} duel=${duel} rules=${rules} />`}
  </section>`;
}

function Chances({ duel, rules }) {
  const { game, refresh } = duel;
  useEffect(() => {
    if (game.chances === null) refresh(); // the answer to a move has none
  }, []);
  if (game.chances === null) {
    return html`<div class="stack"><h3>The chance to win, move by move</h3>
      <p class="muted">It is read off a table of the whole duel, which the service is still making. The curve is here when you come back.</p>
      <div class="row"><button class="btn quiet small" type="button" onClick=${refresh}>Look again</button></div></div>`;
  }
  return html`<div class="stack"><h3>The chance to win, move by move</h3>
    <${ChanceCurve} chances=${game.chances} rounds=${rules.size} rival=${rivalWithin(game)} />
    <p>${swingWords(game.chances)}</p>
    <p class="s muted">After each round that both have placed, draws counted half, if both play best from there on.</p></div>`;
}

/** Tell the live region what opened, what was rolled, and how it ended. */
function useSaid({ game, fresh }, rules, round) {
  const before = useRef(0);
  useEffect(() => {
    if (before.current === round) return;
    const opened = before.current === 0 ? "" : openedWords(game, fresh.right, rules.labels);
    before.current = round;
    const { head, rest } = game.finished ? endWords(game) : { head: rollWords(round, rules.size, shownRoll(game)), rest: "" };
    announce([opened, head, rest].filter(Boolean).join(" "));
  }, [round, game.finished]);
}
