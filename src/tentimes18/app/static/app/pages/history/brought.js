// Games that the service has as records alone: played without the network and sent later, or imported.
import { html } from "../../html.js";
import { get } from "../../core/api.js";
import { score } from "../../game/position.js";
import { isFinishedRecord, readPasted, recordFromJson } from "../../game/record.js";
import { told } from "../../parts/scale.js";
import { recordPath } from "../review/links.js";
import { dateWords, kindWords } from "./words.js";

const MOST = 50;

/** The latest of them, the latest first. @returns {Promise<import("../../game/record.js").GameRecord[]>} */
export async function broughtGames() {
  const lines = readPasted(String(await get(`/me/games?source=imported&limit=${MOST}`)));
  return lines.flatMap(({ value }) => readable(value)).sort((one, other) => String(other.tags.date ?? "").localeCompare(String(one.tags.date ?? "")));
}

function readable(value) {
  try {
    const record = recordFromJson(value);
    return isFinishedRecord(record) ? [record] : [];
  } catch {
    return []; // larger than this browser plays
  }
}

/** The list; nothing where there are none. @param {{games: import("../../game/record.js").GameRecord[]}} props */
export function Brought({ games }) {
  if (!games.length) return null;
  return html`<section class="stack own-games"><h2>Played offline or imported</h2>
    <ul class="games" aria-label="Games played offline or imported, latest first">${games.map((game) => html`<${Game} key=${recordPath(game)} game=${game} />`)}</ul></section>`;
}

function Game({ game }) {
  const { position, opponent, tags } = game;
  const { dice, slots } = position.game;
  const what = opponent ? "Duel" : kindWords({ kind: "solo", dice, slots, coach: tags.coach ?? "off" });
  const date = Number.isNaN(Date.parse(tags.date)) ? "" : dateWords(tags.date);
  return html`<li><a href=${recordPath(game)}>
    <span class="what"><b>${what}</b><span class="s muted">${date}</span></span>
    <span class="made"><b>${told(score(position))}</b></span>
  </a></li>`;
}
