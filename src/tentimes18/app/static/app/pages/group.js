// Groups: joining by a code, hosting a group, and the page of a group for its host and for each player.
import { html, useEffect, useState } from "../html.js";
import { Away, Problem, get, post } from "../core/api.js";
import { follow } from "../core/follow.js";
import { go, link } from "../core/links.js";
import { useOnline } from "../core/online.js";
import { Host } from "../group/host.js";
import { Join, Playing, Result, Unreachable, Waiting } from "../group/player.js";
import { Empty, Loading, OfflineNote } from "../parts/notes.js";
import { Shell } from "../parts/shell.js";
import { texts } from "../texts.js";

export const title = texts.group.title;

const GAMES = { classic: { dice: "3d6", slots: "1-10" }, blitz: { dice: "3d6", slots: "1-5" }, house: { dice: "1d6", slots: "1,10,100" } };

/** @param {{params: {code?: string}, game?: object}} props  game: a Game of the API, as of /game/{id} */
export default function Page({ params, game = null }) {
  const code = params.code ?? game?.group;
  if (code) return html`<${Group} key=${code} code=${code.toUpperCase()} begun=${game} />`;
  return html`<${Shell} page="group"><${Start} /><//>`;
}

/** The page of a group. @param {{code: string, begun: ?object}} props  begun: the player's own game, to show instead of the host’s page */
function Group({ code, begun }) {
  const [{ group, game, name, error }, show] = useState({ game: begun });
  const change = (part) => show((now) => ({ ...now, ...part }));
  const path = `/groups/${encodeURIComponent(code)}`;
  /** The group and the player's game. A host sees the game only at its own address. */
  const load = async () => {
    try {
      const found = await get(path);
      const id = begun?.id ?? (found.host ? null : found.game);
      const [own, me] = await Promise.all([id && get(`/games/${id}`), id && !found.started ? get("/me") : null]);
      change({ group: found, game: own, error: null, ...(me && { name: me.name }) });
    } catch (problem) {
      if (!(problem instanceof Away || problem instanceof Problem)) throw problem;
      change({ error: problem });
    }
  };
  useEffect(() => void load(), [code]);
  const isKnown = group !== undefined;
  useEffect(() => {
    if (!isKnown) return undefined;
    const gone = () => change({ error: new Problem({ status: 404, title: texts.group.missing }) });
    return follow(path, { event: "group", show: (found) => change({ group: found }), now: (how) => how === "gone" && gone() });
  }, [isKnown, code]);
  const isStarted = group?.started;
  useEffect(() => {
    if (isStarted && game) load(); // its first roll is open now
  }, [isStarted]);

  const isMissing = error instanceof Problem && error.status === 404;
  if (isMissing || !isKnown) {
    return html`<${Shell} page="group"><div class="page"><h1 class="vh">${texts.group.title}</h1>
      ${isMissing ? html`<${Empty} lead=${texts.group.missing} text=${texts.group.missingText} action=${texts.group.toGroups} href=${link("group")} />`
        : error ? html`<${Unreachable} error=${error} again=${load} />` : html`<${Loading} text=${texts.group.opening} />`}</div><//>`;
  }
  if (group.host && !begun) return html`<${Host} group=${group} show=${(found) => change({ group: found })} />`;
  if (!game) return html`<${Join} group=${group} joined=${(own) => { change({ game: own }); load(); }} />`;
  if (!group.started || game.round < 1 || (!game.finished && game.opened.length === 0)) return html`<${Waiting} group=${group} name=${name} />`;
  if (!group.own) return html`<${Playing} key=${game.id} group=${group} game=${game} finish=${load} />`;
  return html`<${Result} group=${group} />`;
}

/** Where groups begin: a code to type, a group to host, and the groups there are. */
function Start() {
  const online = useOnline();
  const [code, write] = useState("");
  const [{ groups, error, isBusy }, show] = useState({ groups: [] });
  const [wanted, choose] = useState({ name: "", game: "classic", coach: "off" });
  useEffect(() => void get("/groups").then(({ groups: found }) => show((now) => ({ ...now, groups: found })), () => {}), [online]);
  const open = (event) => {
    event.preventDefault();
    go(link("group", { code: code.trim().toUpperCase() }));
  };
  const create = async (event) => {
    event?.preventDefault();
    show({ groups, isBusy: true });
    try {
      const { name, game, coach } = wanted;
      go(link("group", { code: (await post("/groups", { ...(name.trim() && { name: name.trim() }), ...GAMES[game], coach, lobby: true })).code }));
    } catch (problem) {
      if (!(problem instanceof Away || problem instanceof Problem)) throw problem;
      show({ groups, error: problem });
    }
  };
  const select = (field, label, options) => html`<div class="field"><label for=${`group-${field}`}>${label}</label>
    <select id=${`group-${field}`} value=${wanted[field]} onChange=${(event) => choose({ ...wanted, [field]: event.target.value })}>${Object.entries(options).map(([value, text]) => html`<option key=${value} value=${value}>${text}</option>`)}</select></div>`;
  return html`<div class="page groups">
    <section class="stack"><h1>${texts.group.heading}</h1><p class="lead">${texts.group.lead}</p><${OfflineNote} text=${texts.group.offline} />${error && html`<${Unreachable} error=${error} again=${create} />`}</section>
    <form class="card stack" onSubmit=${open}><h2>${texts.group.joinHeading}</h2>
      <div class="field"><label for="group-code">${texts.group.code}</label><input id="group-code" class="in code-in" value=${code} onInput=${(event) => write(event.target.value)} minlength="6" maxlength="8" required autocomplete="off" autocapitalize="characters" spellcheck=${false} aria-describedby="code-hint" />
        <p id="code-hint" class="xs muted">${texts.group.codeHint}</p></div>
      <div class="row"><button class="btn" disabled=${!online}>${texts.group.open}</button></div></form>
    <form class="card stack" onSubmit=${create}><h2>${texts.group.hostHeading}</h2><p>${texts.group.hostText}</p>
      <div class="field"><label for="group-name">${texts.group.name}</label><input id="group-name" class="in" maxlength="30" value=${wanted.name} onInput=${(event) => choose({ ...wanted, name: event.target.value })} aria-describedby="group-name-hint" /><p id="group-name-hint" class="xs muted">${texts.group.nameHint}</p></div>
      ${select("game", texts.group.game, texts.group.games)}
      ${select("coach", texts.group.coach, texts.group.coaches)}
      <div class="row"><button class="btn" disabled=${!online || isBusy}>${isBusy ? texts.group.creating : texts.group.create}</button></div>
      <p class="s muted">${texts.group.keptAll}</p></form>
    ${groups.length > 0 && html`<section class="stack"><h2>${texts.group.yours}</h2><ul class="own-groups">${groups.map((one) => html`<li key=${one.code}><a href=${link("group", { code: one.code })}><b>${one.name ?? texts.group.unnamed(one.code)}</b>
      <span class="muted">${one.host ? texts.group.hosting : texts.group.playing}, ${texts.group.finishedOf(one.finished, one.players)}</span></a></li>`)}</ul></section>`}
  </div>`;
}
