// All games as records: to take along as a file, and to bring along from a file or pasted.
import { html, useState } from "../../html.js";
import { Away, Problem, apiAddress, post } from "../../core/api.js";
import { announce } from "../../core/announce.js";
import { parseRecord, recordToJson } from "../../game/record.js";
import { counted } from "./words.js";

const MOST_BYTES = 1_500_000; // of a request; the service takes a little more
const MOST_LINES = 10_000;
const TOLD = 20; // refused lines that are shown

/** @param {{games: number, change: () => void}} props  games: how many there are. change: called when some came */
export function Records({ games, change }) {
  const [text, setText] = useState("");
  const [{ wrong, isBusy, found }, show] = useState({ wrong: "", isBusy: false, found: null });
  const bring = async (whole) => {
    show({ wrong: "", isBusy: true, found: null });
    try {
      const result = await brought(whole);
      show({ wrong: "", isBusy: false, found: result });
      announce(resultWords(result));
      if (result.imported) change();
      if (!result.bad) setText("");
    } catch (error) {
      if (!(error instanceof Away || error instanceof Problem)) throw error;
      show({ wrong: error instanceof Problem ? error.detail : "The service is away. Nothing was taken; the text is still here.", isBusy: false, found: null });
    }
  };
  const choose = async (event) => {
    const [file] = event.currentTarget.files;
    event.currentTarget.value = "";
    if (file) await bring(await file.text());
  };
  return html`<section class="stack"><h2>Take along, bring along</h2>
    <p class="muted">Every game as a line of text that <code>ten18 review</code> reads, with what proves its rolls.</p>
    <div class="row">
      ${games > 0 ? html`<a class="btn quiet small" href=${apiAddress("/me/games")} download="games.ndjson">Download my games</a>` : html`<p class="s muted">There is nothing to download yet.</p>`}
      <label class="btn quiet small file">Bring a file<input type="file" accept=".ndjson,.jsonl,.json,.txt,application/x-ndjson,text/plain" disabled=${isBusy} onChange=${choose} /></label>
    </div>
    <div class="field"><label for="pasted">Or paste records, one a line</label>
      <textarea id="pasted" class="in" rows="3" spellcheck="false" autocapitalize="off" autocomplete="off" value=${text} onInput=${(event) => setText(event.currentTarget.value)}></textarea></div>
    <div class="row"><button type="button" class="btn small" disabled=${isBusy || !text.trim()} onClick=${() => bring(text)}>Bring these</button></div>
    ${wrong && html`<p class="wrong" role="alert">${wrong}</p>`}
    ${found && html`<${Taken} found=${found} />`}
  </section>`;
}

function Taken({ found }) {
  const { bad, bad_lines: lines } = found;
  return html`<div class=${bad ? "note bad" : "note"}><p><b>${resultWords(found)}</b> Imported games count nowhere.</p>
    ${bad > 0 && html`<ul class="refused s">${lines.slice(0, TOLD).map(({ line, reason }) => html`<li key=${line}>Line ${line}: ${reason}</li>`)}
      ${bad > TOLD && html`<li>and ${bad - TOLD} more</li>`}</ul>`}</div>`;
}

/** What was taken and what not, in a sentence. */
function resultWords({ imported, known, bad }) {
  const parts = [`${counted(imported, "game")} taken`, known && `${known} known already`, bad && `${counted(bad, "line")} refused`];
  return `${parts.filter(Boolean).join(", ")}.`;
}

/** Send records in parts that the service takes, and add up what it says. */
async function brought(whole) {
  const sum = { imported: 0, known: 0, bad: 0, bad_lines: [] };
  let first = 0; // lines before the part
  for (const part of parts(whole.split(/\r?\n/).map(asJson))) {
    const found = await post("/me/games", part.join("\n"), { type: "application/x-ndjson" });
    sum.imported += found.imported;
    sum.known += found.known;
    sum.bad += found.bad;
    const before = first;
    sum.bad_lines.push(...found.bad_lines.map(({ line, reason }) => ({ line: line + before, reason })));
    first += part.length;
  }
  return sum;
}

/** A line of text notation as a record in JSON; anything else as it is, for the service to judge. */
function asJson(line) {
  if (!line.trim() || line.trim().startsWith("{")) return line;
  try {
    return JSON.stringify(recordToJson(parseRecord(line)));
  } catch {
    return line;
  }
}

function* parts(lines) {
  const encoder = new TextEncoder();
  let [part, bytes] = [[], 0];
  for (const line of lines) {
    const size = encoder.encode(line).length + 1;
    if (part.length && (bytes + size > MOST_BYTES || part.length >= MOST_LINES)) {
      yield part;
      [part, bytes] = [[], 0];
    }
    part.push(line);
    bytes += size;
  }
  if (part.some((line) => line.trim())) yield part;
}
