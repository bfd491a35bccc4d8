// Any game, pasted in or from a file: a line of text, a JSON record, or many of them, one a line, to pick from.
import { html, useState } from "../../html.js";
import { count } from "../../core/format.js";
import { go } from "../../core/links.js";
import { score } from "../../game/position.js";
import { parseRecord, readPasted, recordFromJson } from "../../game/record.js";
import { Wrong } from "../../game/wrong.js";
import { told } from "../../parts/scale.js";
import { recordPath } from "./links.js";
import { shownDate } from "./summary.js";

const MOST_SHOWN = 200; // records to pick from
const MOST_BYTES = 2_000_000; // of a file
const PAPERS = "8@5,4@1,16@10,13@9,8@2,12@6,8@4,11@7,18@8,12@3"; // a game as the paper's first figure has it

/**
 * The field for a game; where the text is one, its review opens.
 * @param {{text?: string, problem?: string}} props  what was in the address, and why it is no game
 */
export function Paste({ text: first = "", problem: known = "" }) {
  const [text, write] = useState(first);
  const [problem, tell] = useState(known);
  const [games, offer] = useState(null);
  const read = (source) => {
    const { records, bad } = recordsIn(source);
    offer(null);
    if (!records.length) tell(bad[0]?.reason ?? "Nothing is pasted yet; a game is written like 8@5 4@1 16@10.");
    else if (records.length === 1 && !bad.length) go(recordPath(records[0].record));
    else {
      tell("");
      offer({ records, bad });
    }
  };
  const open = async ({ target }) => {
    const [file] = target.files;
    if (!file) return;
    if (file.size > MOST_BYTES) {
      tell(`${file.name} has ${count(file.size)} bytes; at most ${count(MOST_BYTES)} are read here.`);
      return;
    }
    const content = await file.text();
    write(content);
    read(content);
  };
  const submit = (event) => {
    event.preventDefault();
    read(text);
  };
  return html`<section class="stack" aria-labelledby="paste-title">
    <h2 id="paste-title">Any game</h2>
    <form class="stack" onSubmit=${submit}>
      <div class="field"><label for="pasted">A record: one line of text, or JSON; several to pick from</label>
        <textarea class="in" id="pasted" rows="4" spellcheck="false" autocomplete="off" placeholder="3d6 1-10: 8@5 4@1 16@10 13@9" value=${text}
          aria-invalid=${problem ? "true" : null} aria-describedby=${problem ? "paste-problem" : null} onInput=${({ target }) => write(target.value)}></textarea></div>
      ${problem && html`<p class="wrong" id="paste-problem" role="alert">${problem}</p>`}
      <div class="row"><button class="btn" type="submit">Review it</button>
        <label class="btn quiet file">Choose a file<input class="vh" type="file" accept=".txt,.json,.ndjson,text/plain,application/json" onChange=${open} /></label></div>
    </form>
    ${games && html`<${Picker} games=${games} />`}
    ${!games && html`<p class="s muted">What you paste is measured, and not kept. <a href=${`#${PAPERS}`}>See the game of the paper</a>.</p>`}
  </section>`;
}

function Picker({ games: { records, bad } }) {
  const shown = records.slice(0, MOST_SHOWN);
  return html`<div class="stack" role="group" aria-label="Which one?">
    <p><b>${records.length === 1 ? "One game" : `${count(records.length)} games`}.</b>${bad.length > 0 && html` <span class="c-loss">${bad.length === 1 ? "One line is none" : `${count(bad.length)} lines are none`}:
      line ${bad[0].line}, ${bad[0].reason}</span>`}${records.length > MOST_SHOWN && ` The first ${MOST_SHOWN} are shown.`}</p>
    <ol class="picker">${shown.map(({ record, line }) => html`<li key=${line}><a href=${recordPath(record)}>
      <b>${told(score(record.position))}</b> <span>${aboutOf(record)}</span></a></li>`)}</ol>
  </div>`;
}

function aboutOf({ position, opponent, tags }) {
  const { game, placements } = position;
  const parts = [shownDate(tags.date), tags.name, opponent && `against ${tags.against ?? "an opponent"}`, `${game.dice}, slots ${game.slots}`];
  if (placements.length < game.size) parts.push(`${placements.length} of ${game.size} rounds`);
  return parts.filter(Boolean).join(" · ");
}

/** The games of a text, and what is none. @param {string} text */
function recordsIn(text) {
  const records = [];
  const bad = [];
  for (const found of readPasted(text)) {
    try {
      records.push({ line: found.line, record: "value" in found ? recordFromJson(found.value) : parseRecord(found.text) });
    } catch (error) {
      if (!(error instanceof Wrong)) throw error;
      bad.push({ line: found.line, reason: error.message });
    }
  }
  return { records, bad };
}
