// A duel in play and its end: both boards, the roll between them, resigning, a rematch, and the curve of the chance to win.
import { html, useEffect, useRef, useState } from "../html.js";
import { announce } from "../core/messages.js";
import { Away, Problem, apiAddress, del, post } from "../core/api.js";
import { percent } from "../core/format.js";
import { go, link } from "../core/links.js";
import { useOnline } from "../core/online.js";
import { useSetting } from "../core/settings.js";
import { useDuel } from "./keeper.js";
import { isBot, ownBoard, rollToPlace, roundOf, shownRoll } from "./rounds.js";
import { askWords, endWords, openedWords, rivalName, rivalWithin, shortName, stateWords, swingWords } from "./words.js";
import { diceShown, facesOf, facesShown } from "../game/faces.js";
import { gameOf } from "../game/game.js";
import { pointsOf } from "../game/position.js";
import { Actions, Keys } from "../parts/actions.js";
import { Dice, Rounds } from "../parts/dice.js";
import { Duo } from "../parts/duo.js";
import { Icon } from "../parts/icons.js";
import { told } from "../parts/scale.js";
import { Shell } from "../parts/shell.js";
import { useBoardKeys } from "../solo/keys.js";
import { rollWords } from "../solo/words.js";
import { texts } from "../texts.js";

/** @param {{game: object, rematch?: string}} props  game: of the API. rematch: whom the player asked for it, where nobody has joined yet */
export function Table({ game: begun, rematch }) {
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
  const faces = useFaces(game, shown);
  return html`<${Shell} page="duel" hasActions=${!game.finished}><h1 class="vh">${texts.duel.pageHeading}</h1><div class="duel">
    <section class="felt cloth" aria-label=${texts.duel.scoresAndDice}>
      <div class="score">
        <dl><dt><span class="who"></span>${texts.duel.you}</dt><dd>${told(score)}</dd></dl>
        <div class="tray">${game.finished ? html`<p class="verdict">${texts.duel.verdicts[game.result ?? "none"]}</p>`
          : html`<${Dice} roll=${shown} faces=${faces} count=${diceShown(game.dice)} turn=${round} still=${fresh.left === null} /><p class="sum">${shown === null ? "" : told(shown)}</p>`}</div>
        <dl><dt><span class="who rivals"></span>${shortName(game)}</dt><dd>${told(game.opponent?.score ?? 0)}</dd></dl>
      </div>
      <${Rounds} rounds=${rules.size} round=${round} />
    </section>
    ${game.opponent === null && !game.finished && html`<${Invite} code=${game.invite} isPlaced=${roll === null} rematch=${rematch} />`}
    ${game.finished && html`<${End} duel=${duel} />`}
    <section class="boards" aria-label=${texts.duel.bothBoards}>
      <div class="heads s muted"><span>${texts.duel.yourBoard}</span><${Sealed} game=${game} /></div>
      <${Duo} game=${rules} left=${{ name: texts.duel.youWithin, board, fresh: fresh.left }} right=${{ name: rivalWithin(game), board: game.opponent?.board ?? {}, fresh: fresh.right }}
        roll=${roll} armed=${armed} arming=${placing === "arm"} locked=${isLocked} opening=${opening} pick=${pick} />
    </section>
    ${game.finished ? game.ended_by === "moves" && html`<${Chances} duel=${duel} rules=${rules} />` : html`<${Bar} duel=${duel} rules=${rules} roll=${roll} armed=${armed} placing=${placing} commit=${commit} putBack=${() => arm(null)} />`}
  </div><//>`;
}

/** What the dice of a round show, as the server says; after one's own placement the same as before. */
function useFaces(game, shown) {
  const latest = useRef({ round: 0, faces: [] });
  const round = roundOf(game);
  if (game.faces.length > 0) latest.current = { round, faces: facesShown(game.dice, game.faces) };
  if (shown === null) return [];
  return latest.current.round === round ? latest.current.faces : facesOf(game.dice, shown, game.opened.at(-1).nonce);
}

/** Whether the opponent has placed. Nobody sees where before both have. */
function Sealed({ game }) {
  const rival = rivalName(game);
  if (game.finished || game.opponent === null) return html`<span>${rival}</span>`;
  return game.opponent.placed ? html`<span class="sealed"><${Icon} name="lock" />${texts.duel.hasPlaced(rival)}</span>` : html`<span>${texts.duel.isChoosing(rival)}</span>`;
}

function Bar({ duel, rules, roll, armed, placing, commit, putBack }) {
  const { game, unsent, isLate, how, rejected } = duel;
  const online = useOnline();
  const trouble = how === "gone" ? texts.duel.gone : rejected;
  if (trouble) return html`<${Actions} ask=${trouble} primary=${{ label: texts.duel.toDuels, href: link("duel") }} second=${{ label: texts.duel.lookAgain, act: () => location.reload() }} />`;
  const leave = game.opponent !== null && html`<${Resign} game=${game} refresh=${duel.refresh} />`;
  if (roll === null) {
    if (unsent && (isLate || !online)) return html`<${Actions} ask=${texts.duel.notSent} words=${texts.duel.notSentText} second=${{ label: texts.duel.sendAgain, act: duel.sendAgain }} />`;
    return html`<${Actions} ask=${texts.duel.placedWaiting(rivalWithin(game))} words=${texts.duel.mayLeave}><p class="s row more-act"><a class="link" href=${link("duel")}>${texts.duel.allDuels}</a>${leave}</p><//>`;
  }
  const state = [(!online || how === "away") && texts.duel.keptForLater, stateWords(game)].filter(Boolean).join(" ");
  if (armed !== null) {
    const label = texts.duel.place(told(roll), rules.labels[armed - 1]);
    return html`<${Actions} words=${state} primary=${{ label, act: () => commit(armed) }} second=${{ label: texts.duel.pickAnother, act: putBack }} />`;
  }
  return html`<${Actions} ask=${askWords(game)} words=${state}><${Keys} places=${placing === "tap"} most=${rules.size} /><p class="s row more-act">${leave}</p><//>`;
}

/** A quiet link that asks once more before it resigns the duel. */
function Resign({ game, refresh }) {
  const dialog = useRef(null);
  const [trouble, say] = useState("");
  const resign = async () => {
    try {
      await post(`/games/${game.id}/resign`);
      dialog.current?.close();
    } catch (error) {
      if (!(error instanceof Away || error instanceof Problem)) throw error;
      say(error instanceof Problem ? error.detail : texts.duel.resignFailed);
    }
    await refresh();
  };
  return html`<button type="button" class="link s" aria-haspopup="dialog" onClick=${() => dialog.current.showModal()}>${texts.duel.resign}</button>
    <dialog class="sheet-up" ref=${dialog} aria-labelledby="resign-title"><div class="stack"><h2 id="resign-title">${texts.duel.resignAsk}</h2>
      <p>${texts.duel.resignText(rivalName(game))}</p>${trouble && html`<p class="wrong" role="alert">${trouble}</p>`}
      <div class="pair"><button type="button" class="btn quiet" onClick=${resign}>${texts.duel.resignYes}</button><button type="button" class="btn" onClick=${() => dialog.current.close()}>${texts.duel.resignNo}</button></div></div></dialog>`;
}

const OFFERS = 3000; // ms between two looks for a rematch that the friend asks for
const OFFERS_HIDDEN = 20_000; // while the page is not in sight

/** The result, and what can be done next. */
function End({ duel }) {
  const { game, refresh } = duel;
  const [trouble, say] = useState("");
  const { head, rest } = endWords(game);
  const isOther = game.opponent !== null && isBot(game);
  const hasRival = game.opponent !== null && (isOther || game.opponent.name !== "someone");
  const offer = game.rematch ?? null;
  useEffect(() => {
    if (isOther || !hasRival || offer?.game) return undefined;
    let timer = 0;
    const look = async () => {
      if (!document.hidden) await refresh();
      timer = setTimeout(look, document.hidden ? OFFERS_HIDDEN : OFFERS);
    };
    timer = setTimeout(look, OFFERS);
    return () => clearTimeout(timer);
  }, [offer?.game]);
  const again = async () => {
    say("");
    try {
      const next = hasRival ? await post(`/games/${game.id}/rematch`) : await post("/duels", { against: "friend" });
      go(link("game", { id: next.id, rematch: hasRival && next.opponent === null ? game.opponent.name : undefined }));
    } catch (error) {
      if (!(error instanceof Away || error instanceof Problem)) throw error;
      say(error instanceof Problem ? error.detail : texts.duel.againFailed);
    }
  };
  const isOffered = offer?.by === "them" && !offer.game;
  const label = !hasRival ? texts.duel.inviteAgain : isOffered ? texts.duel.acceptRematch : texts.duel.rematch;
  const isFull = game.ended_by === "moves";
  return html`<section class="ending stack" aria-labelledby="ending-title">
    <h2 id="ending-title">${head}</h2>
    <p class="lead">${rest}</p>
    <p class=${isOffered ? "waits" : "vh"} role="status">${isOffered && html`<i aria-hidden="true"></i>${texts.duel.rematchOffered(rivalName(game))}`}</p>
    <div class="row">
      ${offer?.game ? html`<a class="btn" href=${link("game", { id: offer.game })}>${texts.duel.toRematch}</a>` : html`<button class="btn" type="button" onClick=${again}>${label}</button>`}
      ${isFull && html`<a class="btn quiet" href=${link("review", { id: game.id })}>${texts.duel.review}</a>`}
      <a class="btn quiet" href=${link("duel")}>${texts.duel.duels}</a>
    </div>
    ${trouble && html`<p class="wrong" role="alert">${trouble}</p>`}
  </section>`;
}

function Chances({ duel, rules }) {
  const { game, refresh } = duel;
  useEffect(() => {
    if (game.chances === null) refresh(); // the answer to a move has none
  }, []);
  if (game.chances === null) {
    return html`<section class="ending stack"><h2>${texts.duel.chances}</h2>
      <p class="muted">${texts.duel.chancesMissing}</p>
      <div class="row"><button class="btn quiet small" type="button" onClick=${refresh}>${texts.duel.lookAgain}</button></div></section>`;
  }
  return html`<section class="ending stack"><h2>${texts.duel.chances}</h2>
    <${ChanceCurve} chances=${game.chances} rounds=${rules.size} rival=${rivalWithin(game)} />
    <p>${swingWords(game.chances)}</p>
    <p class="s muted">${texts.duel.chancesText}</p></section>`;
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

// The invite of a duel: its link to copy or share, and as a picture for the friend's camera.

/** The whole address of an invite's page. @param {string} code */
const inviteAddress = (code) => new URL(link("duel", { code }), location.href).href;

/**
 * What to send to the friend, until the friend has joined; after a rematch is asked for, that the friend is asked.
 * @param {{code: string, isPlaced: boolean, rematch?: string}} props  isPlaced: the first roll is. rematch: the friend's name
 */
export function Invite({ code, isPlaced, rematch }) {
  const address = inviteAddress(code);
  const [state, say] = useState("");
  const copy = async (event) => {
    const field = event.currentTarget.closest(".invite").querySelector("input");
    try {
      await navigator.clipboard.writeText(address);
      say(texts.duel.copied);
      announce(texts.duel.linkCopied);
    } catch {
      field.select(); // where the browser does not let us: one key away
      say(texts.duel.copyByKeys);
    }
  };
  const share = async () => {
    try {
      await navigator.share({ title: texts.duel.shareTitle, text: texts.duel.shareText, url: address });
    } catch (error) {
      if (error.name !== "AbortError") say(texts.duel.shareFailed);
    }
  };
  const withdraw = async () => {
    try {
      await del(`/duels/${encodeURIComponent(code)}`);
      go(link("duel"), { replace: true });
    } catch (error) {
      if (!(error instanceof Away || error instanceof Problem)) throw error;
      say(error instanceof Problem ? error.detail : texts.duel.withdrawFailed);
    }
  };
  return html`<section class="invite card" aria-labelledby="invite-title">
    <div class="stack">
      <h2 id="invite-title">${rematch ? texts.duel.rematchAsked(rematch) : texts.duel.sendLink}</h2>
      <p class="s muted">${rematch ? texts.duel.rematchAskedText : texts.duel.sendLinkText}</p>
      ${!rematch && html`<div class="field"><label for="invite-link">${texts.duel.link}</label><input id="invite-link" class="in" readonly value=${address} onFocus=${(event) => event.target.select()} /></div>
        <div class="row">
          <button class="btn small" type="button" onClick=${copy}>${texts.duel.copyLink}</button>
          ${navigator.share && html`<button class="btn small quiet" type="button" onClick=${share}>${texts.duel.share}</button>`}
        </div>`}
      <p class="waits" role="status"><i aria-hidden="true"></i>${texts.duel.waiting} ${rematch && !isPlaced ? "" : isPlaced ? texts.duel.firstPlaced : texts.duel.firstMeanwhile}</p>
      <div class="row"><button class="link s" type="button" onClick=${withdraw}>${texts.duel.withdraw}</button><span class="s muted" role="status">${state}</span></div>
    </div>
    ${!rematch && html`<figure class="qr"><img src=${apiAddress(`/duels/${code}/qr.svg`)} width="164" height="164" alt=${texts.duel.qr} /><figcaption class="xs muted">${texts.duel.scan}</figcaption></figure>`}
  </section>`;
}

// The chance to win, round by round: up is good for you. Drawn in the pixels of its place, with the same numbers in a table.

const HEIGHT = 200;
const TOP = 22;
const BOTTOM = 26;
const LEFT = 44;
const RIGHT = 52;

/**
 * The curve.
 * @param {{chances: number[], rounds: number, rival: string}} props  chances: after each round, as the Game has them
 */
function ChanceCurve({ chances, rounds, rival }) {
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
  const label = texts.duel.curve(percent(0.5, 0), percent(last, 0), chances.length);
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
      <text x=${LEFT - 8} y=${y(1) + 4} text-anchor="end">${texts.duel.curveYou}</text>
      <text x=${LEFT - 8} y=${y(0.5) + 4} text-anchor="end">${texts.duel.curveEven}</text>
      <text x=${LEFT - 8} y=${y(0) + 4} text-anchor="end">${texts.duel.curveRival}</text>
      <text class="strong" x=${x(chances.length) + 11} y=${y(last) + 4}>${percent(last, 0)}</text>
      ${all.map((_, turn) => turn > 0 && html`<text key=${turn} x=${x(turn)} y=${HEIGHT - 4} text-anchor="middle">${turn}</text>`)}
    </svg>
    <table class="vh"><caption>${texts.duel.curveTable(rival)}</caption>
      <thead><tr><th scope="col">${texts.duel.curveRound}</th><th scope="col">${texts.duel.curveChance}</th></tr></thead>
      <tbody>${chances.map((chance, place) => html`<tr key=${place}><td>${place + 1}</td><td>${percent(chance)}</td></tr>`)}</tbody></table>
  </figure>`;
}
