// What a player may tell others of a day: the text, copied or handed to the phone's share sheet. No roll, no slot in it.
import { html, useEffect, useRef, useState } from "../../html.js";
import { announce } from "../../core/announce.js";
import { link } from "../../core/links.js";

const MARKS = { "●": "best", "◐": "under a point", "○": "more" };
const SHOWN = 2500; // ms for which a button says what it has done

/** How the marks are read aloud: "Moves: 5 best, 4 under a point, 1 more". @param {string} marks */
function markWords(marks) {
  const counted = Object.entries(MARKS).map(([mark, word]) => [[...marks].filter((one) => one === mark).length, word]);
  return `Moves: ${counted.filter(([count]) => count).map(([count, word]) => `${count} ${word}`).join(", ")}`;
}

/** @param {{text: string}} props  text: as the service tells it */
export function Ticket({ text }) {
  const lines = text.split("\n");
  const place = lines.findIndex((line) => /^[●◐○]+$/u.test(line));
  const source = useRef(null);
  const [done, setDone] = useState("");
  useEffect(() => {
    if (!done) return undefined;
    const timer = setTimeout(() => setDone(""), SHOWN);
    return () => clearTimeout(timer);
  }, [done]);
  const copy = async () => {
    const isCopied = await copied(text, source.current);
    setDone(isCopied ? "Copied" : "Select the text and copy it");
    announce(isCopied ? "Copied." : "The browser does not let us copy. The text is selected.");
  };
  const canShare = typeof navigator.share === "function" && matchMedia("(pointer: coarse)").matches;
  const share = async () => {
    try {
      await navigator.share({ text, url: new URL(link("daily"), location.href).href });
    } catch (error) {
      if (error.name !== "AbortError") await copy(); // closed by the player: nothing to do
    }
  };
  return html`<section class="ticket" aria-label="Your result, to share">
    <pre ref=${source}>${lines.map((line, at) => (at === place
      ? html`<span class="dots" role="img" aria-label=${markWords(line)}>${line}</span>` : line + (at < lines.length - 1 && at + 1 !== place ? "\n" : "")))}</pre>
    <p class="xs muted"><span aria-hidden="true">● best, ◐ under a point, ○ more. </span>No rolls, no spoilers.</p>
    <div class=${canShare ? "pair" : "stack"}>
      <button type="button" class=${canShare ? "btn quiet" : "btn"} onClick=${copy}>${done || "Copy result"}</button>
      ${canShare && html`<button type="button" class="btn" onClick=${share}>Share</button>`}
    </div>
  </section>`;
}

/** Put a text on the clipboard; over plain http a browser has none for us, and the old way is tried. */
async function copied(text, element) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const range = document.createRange();
    range.selectNodeContents(element);
    const selection = getSelection();
    selection.removeAllRanges();
    selection.addRange(range);
    try {
      return document.execCommand("copy");
    } catch {
      return false;
    }
  }
}
