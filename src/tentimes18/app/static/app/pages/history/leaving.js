// Delete everything: asked once what that means, and once more for a word to be typed.
import { html, useEffect, useRef, useState } from "../../html.js";
import { Away, Problem, del } from "../../core/api.js";
import { kept } from "../../core/kept.js";
import { SETTINGS } from "../../core/settings.js";
import { link } from "../../core/links.js";
import { counted } from "./words.js";

const WORD = "delete";

/** @param {{me: object}} props  of GET /me */
export function Leaving({ me }) {
  const [isOpen, open] = useState(false);
  return html`<section class="stack"><h2>Delete everything</h2>
    <p class="muted">Games, name, rating and streak, here and on the service. Nobody can bring them back.</p>
    <div class="row"><button type="button" class="btn quiet small" aria-haspopup="dialog" onClick=${() => open(true)}>Delete everything…</button></div>
    ${isOpen && html`<${Asked} me=${me} close=${() => open(false)} />`}
  </section>`;
}

function Asked({ me, close }) {
  const dialog = useRef(null);
  const field = useRef(null);
  const [isSure, setSure] = useState(false);
  const [typed, setTyped] = useState("");
  const [{ wrong, isBusy }, show] = useState({ wrong: "", isBusy: false });
  useEffect(() => dialog.current.showModal(), []);
  useEffect(() => {
    if (isSure) field.current.focus();
  }, [isSure]);
  const leave = async (event) => {
    event.preventDefault();
    if (typed.trim().toLowerCase() !== WORD) {
      show({ wrong: `Nothing is deleted: the word is “${WORD}”.`, isBusy: false });
      return;
    }
    show({ wrong: "", isBusy: true });
    try {
      await del("/me");
      await kept.clear(Object.keys(SETTINGS));
      location.assign(link("history"));
    } catch (error) {
      if (!(error instanceof Away || error instanceof Problem)) throw error;
      show({ wrong: "The service is away. Nothing was deleted.", isBusy: false });
    }
  };
  const what = `${counted(me.games, "game")} of ${me.shown}`;
  return html`<dialog class="sheet-up stack" ref=${dialog} aria-labelledby="leave-title" onClose=${close}>
    <h2 id="leave-title">${isSure ? "Type the word" : "Delete everything?"}</h2>
    ${!isSure && html`<p>${what}, the name, the rating and the streak are removed from the service and from this browser. Duels with friends stay theirs, against “someone”. You may download your games first.</p>
      <div class="pair"><button type="button" class="btn quiet" onClick=${() => setSure(true)}>Yes, delete</button><button type="button" class="btn" onClick=${() => dialog.current.close()}>Keep everything</button></div>`}
    ${isSure && html`<form class="stack" onSubmit=${leave}>
      <div class="field"><label for="word">To delete ${what} for good, type <b>${WORD}</b>.</label>
        <input id="word" class="in" type="text" ref=${field} value=${typed} autocomplete="off" autocapitalize="off" spellcheck="false" onInput=${(event) => setTyped(event.currentTarget.value)} /></div>
      ${wrong && html`<p class="wrong" role="alert">${wrong}</p>`}
      <div class="pair"><button type="submit" class="btn quiet" disabled=${isBusy}>Delete for good</button><button type="button" class="btn" onClick=${() => dialog.current.close()}>Keep everything</button></div>
    </form>`}
  </dialog>`;
}
