// The host's page, for a projector: the lobby with link and code, then the results as they come in.
import { html, useMemo, useRef, useState } from "../html.js";
import { Away, Problem, apiAddress, del, patch, post } from "../core/api.js";
import { fullDateOf } from "../core/dates.js";
import { go, link } from "../core/links.js";
import { gameOf } from "../game/game.js";
import { start } from "../game/position.js";
import { advise, worthOf } from "../game/thresholds.js";
import { Shell } from "../parts/shell.js";
import { told } from "../parts/scale.js";
import { texts } from "../texts.js";
import { Dots, Placed, Scores } from "./charts.js";

/** The address of the page without https://, short enough to type. */
const shortAddress = (path) => `${location.host}${path}`;

/**
 * @param {{group: object, show: (group: object) => void}} props  group: of the API. show: called with the group as an action has changed it
 */
export function Host({ group, show }) {
  const [hasCode, showCode] = useState(false);
  const [hasNames, showNames] = useState(false);
  const [trouble, say] = useState("");
  const dialog = useRef(null);
  const path = `/groups/${group.code}`;
  const act = async (action) => {
    say("");
    try {
      await action();
    } catch (error) {
      if (!(error instanceof Away || error instanceof Problem)) throw error;
      say(error instanceof Problem ? error.detail : `${texts.group.actionFailed} ${texts.group.nothingLost}`);
    }
  };
  const change = (fields) => act(async () => show(await patch(path, fields)));
  const begin = () => act(async () => go(link("group", { code: group.next ?? (await post(`${path}/next`)).code })));
  const isLobby = !group.started || hasCode;
  const end = html`<p class="host-state s"><b>${texts.group.number(group.number)}</b>${group.started && html`<span> · ${texts.group.finishedOf(group.finished, group.players)} · ${texts.group.codeIs} <b class="code-s">${group.code}</b></span>`}</p>
    ${group.started && html`<button type="button" class="btn small quiet" onClick=${() => showCode(!hasCode)}>${hasCode ? texts.group.started : texts.group.showCode}</button>`}
    <button type="button" class="btn small quiet" aria-haspopup="dialog" onClick=${() => dialog.current.showModal()}>${texts.group.manage}</button>
    ${group.started && html`<button type="button" class="btn small next-game" onClick=${begin}>${group.next ? texts.group.toNext(group.number + 1) : texts.group.next}</button>`}`;
  return html`<${Shell} page="group" hasActions end=${end}><div class="host">
    ${trouble && html`<p class="note bad" role="alert"><b>${trouble}</b></p>`}
    ${isLobby ? html`<${Lobby} group=${group} begin=${() => change({ started: true })} />` : html`<${Results} group=${group} hasNames=${hasNames} />`}
    <${Manage} dialog=${dialog} group=${group} hasNames=${hasNames} showNames=${showNames} change=${change} act=${act} />
  </div><//>`;
}

function Lobby({ group, begin }) {
  const finished = new Set((group.scores ?? []).map(({ name }) => name));
  return html`<div class="lobby">
    <section class="felt wall">
      <h1>${texts.group.hostPage(group.name)}</h1>
      <div><p class="big-line">${texts.group.openAddress} <b>${shortAddress(link("group"))}</b> ${texts.group.andType}</p>
        <p class="code" aria-label=${`${texts.group.code} ${[...group.code].join(" ")}`}>${group.code}</p></div>
      <div class="scan"><img class="qr" src=${apiAddress(`/groups/${group.code}/qr.svg`)} width="220" height="220" alt=${texts.group.qr} />
        <p><b>${texts.group.scan}</b><br />${texts.group.sameRolls(group.slots.length)}<br /><a href=${link("group", { code: group.code })}>${shortAddress(link("group", { code: group.code }))}</a></p></div>
    </section>
    <section class="crowd">
      <h2><b class="n">${group.players}</b> ${texts.group.joined(group.players)}</h2>
      <div aria-live="polite">${group.players === 0 && html`<p class="muted">${texts.group.nobodyYet}</p>`}
        <ul class="names-in">${(group.names ?? []).map((name, place) => html`<li key=${place}>${name}${finished.has(name) && html` <b class="c-ok" role="img" aria-label=${texts.group.hasFinished}>✓</b>`}</li>`)}
          ${group.players > (group.names ?? []).length && html`<li class="rest">${texts.group.others(group.players - (group.names ?? []).length)}</li>`}</ul></div>
      <div class="stack">${!group.started && html`<button type="button" class="btn" onClick=${begin}>${texts.group.start}</button>`}
        <p class="muted">${texts.group.settings(group.coach, group.open)}</p>
        <p class="kept muted">${texts.group.kept(fullDateOf(group.until))}</p></div>
    </section>
  </div>`;
}

function Results({ group, hasNames }) {
  const rules = gameOf(group.dice, group.slots);
  const par = useMemo(() => worthOf(start(rules)), [rules]);
  const [round, turn] = useState(1);
  const [isEarly, showEarly] = useState(false);
  const isOver = group.finished > 0 && group.finished === group.players;
  const entry = group.rounds?.[round - 1];
  const advice = useMemo(() => (entry && round === 1 ? advise(start(rules), entry.roll) : null), [entry?.roll, round, rules]);
  if (!group.scores?.length) {
    return html`<div class="waiting"><h1>${texts.group.hostPage(group.name)}</h1><p class="big-line">${group.game && !group.own ? texts.group.playFirst : texts.group.noScores}</p>
      ${group.game && !group.own && html`<a class="btn" href=${link("game", { id: group.game })}>${texts.group.ownBoard}</a>`}</div>`;
  }
  const top = group.scores[0].score;
  return html`<div class="results"><h1 class="vh">${texts.group.hostPage(group.name)}</h1>
    <section class="card wide"><h2>${texts.group.scores}</h2><p class="muted">${texts.group.block} ${texts.group.best(told(top), top > group.optimal ? told(top - group.optimal) : "")}</p><${Scores} group=${group} par=${par} /></section>
    <section class="card"><h2>${texts.group.dots}</h2><p class="muted">${texts.group.dotsText}</p><${Dots} group=${group} par=${par} hasNames=${hasNames} /></section>
    <section class="card whole">
      ${isOver || isEarly ? html`<div class="where"><div><h2>${texts.group.where(told(entry.roll))}</h2><p class="muted">${advice && isOver ? texts.group.whereCosts : texts.group.whereCounts}</p></div>
        <div class="rolls" role="group" aria-label=${texts.group.rounds}>${group.rounds.map(({ roll }, place) => html`<button key=${place} type="button" aria-pressed=${String(place + 1 === round)} aria-label=${texts.group.round(place + 1, told(roll))} onClick=${() => turn(place + 1)}>${told(roll)}</button>`)}</div></div>
        <${Placed} entry=${entry} labels=${rules.labels} advice=${isOver ? advice : null} />`
      : html`<h2>${texts.group.whereLater}</h2><p class="muted">${texts.group.whereLaterText}</p><div class="row"><button type="button" class="btn quiet" onClick=${() => showEarly(true)}>${texts.group.whereNow}</button></div>`}
    </section>
  </div>`;
}

/** The sheet with what a host does rarely: names, who can join, playing too, and the end of the group. */
function Manage({ dialog, group, hasNames, showNames, change, act }) {
  const [isSure, ask] = useState(false);
  const path = `/groups/${group.code}`;
  const close = () => dialog.current.close();
  const play = () => act(async () => go(link("game", { id: group.game ?? (await post(`${path}/join`)).id })));
  const remove = () => act(async () => {
    await del(path);
    go(link("group"), { replace: true });
  });
  const button = (label, press) => html`<button type="button" class="btn quiet" onClick=${press}>${label}</button>`;
  return html`<dialog class="sheet-up" ref=${dialog} aria-labelledby="manage-title" onClose=${() => ask(false)} onClick=${(event) => event.target === dialog.current && close()}><div class="stack">
    <h2 id="manage-title">${isSure ? texts.group.removeAsk : texts.group.hostPage(group.name)}</h2>
    ${isSure ? html`<p>${texts.group.removeText}</p><div class="pair">${button(texts.group.removeYes, remove)}<button type="button" class="btn" onClick=${close}>${texts.group.removeNo}</button></div>`
      : html`<p class="s muted">${texts.group.kept(fullDateOf(group.until))}</p>
        ${group.scores?.length > 0 && button(hasNames ? texts.group.hideNames : texts.group.showNames, () => { showNames(!hasNames); close(); })}
        ${button(group.open ? texts.group.close : texts.group.reopen, () => { change({ open: !group.open }); close(); })}
        ${button(group.game ? texts.group.ownBoard : texts.group.playToo, play)}
        ${button(texts.group.remove, () => ask(true))}
        <button type="button" class="btn" onClick=${close}>${texts.shell.close}</button>`}
  </div></dialog>`;
}
