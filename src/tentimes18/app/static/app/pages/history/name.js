// What others see in lists: a name, or "Guest" and four digits.
import { html, useState } from "../../html.js";
import { Away, Problem, patch } from "../../core/api.js";
import { announce } from "../../core/announce.js";

const LONGEST = 30;

/** @param {{me: object, change: (me: object) => void}} props  me: of GET /me */
export function Name({ me, change }) {
  const [text, setText] = useState(me.name ?? "");
  const [{ wrong, isBusy, said }, show] = useState({ wrong: "", isBusy: false, said: "" });
  const isSame = text.trim() === (me.name ?? "");
  const keep = async (event) => {
    event.preventDefault();
    show({ wrong: "", isBusy: true, said: "" });
    try {
      const found = await patch("/me", { name: text.trim() || null });
      change(found);
      setText(found.name ?? "");
      show({ wrong: "", isBusy: false, said: `Others see you as ${found.shown}.` });
      announce(`Others see you as ${found.shown}.`);
    } catch (error) {
      if (!(error instanceof Away || error instanceof Problem)) throw error;
      show({ wrong: error instanceof Problem ? error.detail : "The service is away. The name is as it was.", isBusy: false, said: "" });
    }
  };
  return html`<form class="stack" onSubmit=${keep}><h2>Your name</h2>
    <div class="field"><label for="name">Others see you as <b>${me.shown}</b> in the lists.</label>
      <div class="in-line"><input id="name" class="in" type="text" value=${text} maxlength=${LONGEST * 2} autocomplete="nickname" placeholder=${me.shown}
          aria-invalid=${wrong ? "true" : undefined} aria-describedby="name-said" onInput=${(event) => setText(event.currentTarget.value)} />
        <button type="submit" class="btn small" disabled=${isBusy || isSame}>${text.trim() || !me.name ? "Take this name" : "Give it up"}</button></div>
      <p id="name-said" class=${wrong ? "wrong" : "s muted"} role=${wrong ? "alert" : undefined}>${wrong || said || `1 to ${LONGEST} characters; nothing but the name is shown.`}</p></div>
  </form>`;
}
