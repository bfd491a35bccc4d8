// A player of a group: joining, waiting for the start, playing, and the result among the others.
import { html, useEffect, useState } from "../html.js";
import { Away, Problem, get, patch, post } from "../core/api.js";
import { fullDateOf } from "../core/dates.js";
import { points, signed } from "../core/format.js";
import { link, styleOf } from "../core/links.js";
import { gameOf } from "../game/game.js";
import { start } from "../game/position.js";
import { worthOf } from "../game/thresholds.js";
import { Board } from "../parts/board.js";
import { Dice } from "../parts/dice.js";
import { Failed, Loading } from "../parts/notes.js";
import { shownCost, told } from "../parts/scale.js";
import { Shell } from "../parts/shell.js";
import { useSolo } from "../solo/keeper.js";
import { isOver } from "../solo/rounds.js";
import { Table } from "../solo/table.js";
import { texts } from "../texts.js";
import { Scores } from "./charts.js";

const SAMPLE = 9; // the roll of the question, with its dice

const pillOf = (group) => html`<span class="s pill">${group.number > 1 ? texts.group.number(group.number) : texts.group.pill} <b class="code-s">${group.code}</b></span>`;

/**
 * A player who has not joined: the question, a name, one button.
 * @param {{group: object, joined: (game: object) => void}} props
 */
export function Join({ group, joined }) {
  const [name, write] = useState("");
  const [known, know] = useState(null);
  const [state, say] = useState("");
  useEffect(() => {
    get("/me").then((me) => {
      know(me.name);
      write((typed) => typed || (me.name ?? ""));
    }, () => {});
  }, []);
  const join = async (event) => {
    event.preventDefault();
    say("busy");
    try {
      if (name.trim() && name.trim() !== known) await patch("/me", { name: name.trim() });
      joined(await post(`/groups/${group.code}/join`));
    } catch (error) {
      if (!(error instanceof Away || error instanceof Problem)) throw error;
      say(error instanceof Problem ? error.detail : `${texts.group.failed} ${texts.group.nothingLost}`);
    }
  };
  return html`<${Shell} page="group" end=${pillOf(group)}><form class="hand" onSubmit=${join}>
    <section class="felt cloth"><${Dice} roll=${SAMPLE} faces=${[4, 3, 2].map((face) => ({ face, sides: 6 }))} still /><h1>${texts.group.question(SAMPLE)}</h1><p>${texts.group.rules}</p></section>
    <div class="page">
      ${group.name && html`<p class="lead">${group.name}</p>`}
      ${group.open ? html`<div class="field"><label for="player-name">${texts.group.yourName} ${texts.group.optional}</label>
          <input id="player-name" class="in" maxlength="30" autocomplete="nickname" value=${name} onInput=${(event) => write(event.target.value)} aria-describedby="name-hint" />
          <p id="name-hint" class="s muted">${texts.group.nameShown}</p></div>
        ${state && state !== "busy" && html`<p class="wrong" role="alert">${state}</p>`}
        <button class="btn" disabled=${state === "busy"}>${state === "busy" ? texts.group.joining : texts.group.join}</button>`
      : html`<p class="note"><b>${texts.group.closed}</b> ${texts.group.closedText}</p>`}
      <p class="s muted">${texts.group.kept(fullDateOf(group.until))}</p>
    </div></form><//>`;
}

/** A player in the lobby. @param {{group: object, name: ?string}} props */
export function Waiting({ group, name }) {
  const rules = gameOf(group.dice, group.slots);
  return html`<${Shell} page="group" end=${pillOf(group)}><div class="hand">
    <section class="felt cloth"><${Dice} count=${3} /><h1>${texts.group.in(name)}</h1><p>${texts.group.lookUp}</p></section>
    <div class="page"><p class="waits" role="status"><i aria-hidden="true"></i>${texts.group.atTable(group.players)}</p><p class="muted">${texts.group.opens}</p>
      <${Board} game=${rules} board=${{}} /></div>
  </div><//>`;
}

/**
 * The game on the table, with the coach that the host chose.
 * @param {{group: object, game: object, finish: () => void}} props  game: of the API. finish: called when every roll is placed and sent
 */
export function Playing({ group, game, finish }) {
  const keeper = useSolo(game, "group");
  const isDone = keeper.solo === null || isOver(keeper.solo);
  useEffect(() => {
    if (isDone) finish();
  }, [isDone]);
  useEffect(() => void styleOf("play"), []);
  if (isDone) return html`<${Shell} page="group"><div class="page"><h1 class="vh">${texts.group.board}</h1><${Loading} text=${texts.group.fetching} /></div><//>`;
  return html`<${Shell} page="group" hasActions end=${pillOf(group)}><h1 class="vh">${texts.group.board}</h1><${Table} keeper=${keeper} coach=${group.coach} begin=${finish} /><//>`;
}

/** The result of a player, among all who have finished. @param {{group: object}} props */
export function Result({ group }) {
  const { own, optimal, best, finished, players } = group;
  const par = worthOf(start(gameOf(group.dice, group.slots)));
  const over = own.score - par;
  const [isShown, showPlace] = useState(false);
  const isLow = own.rank * 2 > finished + 1 && !isShown; // a place in the lower half is shown on request
  const [place, among] = texts.group.place(own.rank, finished);
  const praise = own.score > optimal ? "more" : own.loss === 0 ? "all" : over > 0 ? "above" : "below";
  return html`<${Shell} page="group" end=${pillOf(group)}><div class="hand">
    <section class="felt cloth"><h1 class="vh">${texts.group.board}</h1><div class="row between">
      <div class="hero"><p class="muted">${texts.group.yourScore}</p><p class="num">${told(own.score)}</p></div>
      <p class="lead right">${isLow ? html`<button type="button" class="link" onClick=${() => showPlace(true)}>${texts.group.showPlace}</button>` : html`<b>${place}</b> ${among}${finished < players && ` ${texts.group.soFar}`}`}
        <br /><span class="s muted">${over < 0 ? texts.group.underPar(points(-over)) : texts.group.overPar(points(over))}</span></p></div></section>
    <div class="page">
      <p class="lead">${texts.group.praise[praise]} ${texts.group.perfectMade(told(optimal), told(best))}</p>
      ${group.next && html`<a class="btn" href=${link("group", { code: group.next })}>${texts.group.toNext(group.number + 1)}</a>`}
      <section class="stack"><h2>${texts.group.yourGroup}</h2><${Scores} group=${group} par=${par} own=${own.score} />
        <p class="s muted">${texts.group.onlyYou} ${finished < players && texts.group.stillPlaying(players - finished)}</p></section>
      <dl class="facts"><div><dt>${texts.group.luck}</dt><dd class="c-luck">${signed(over + own.loss)}</dd></div><div><dt>${texts.group.mistakes}</dt><dd class="c-loss">${own.loss ? `−${shownCost(own.loss)}` : "0"}</dd></div></dl>
      <div class="row"><a class="btn quiet" href=${link("review", { id: own.game })}>${texts.group.review}</a>${group.host && html`<a class="btn" href=${link("group", { code: group.code })}>${texts.group.hostView}</a>`}</div>
      <p class="s muted">${!group.next && texts.group.comeBack} ${texts.group.kept(fullDateOf(group.until))}</p>
    </div>
  </div><//>`;
}

/** The page of a group that could not be shown. @param {{error: Error, again: () => void}} props */
export const Unreachable = ({ error, again }) => html`<${Failed} what=${error instanceof Problem ? error.detail : texts.group.failed} safe=${texts.group.nothingLost} again=${again} />`;
