// The app starts here: the theme, the page of the address, and the way from page to page.
import { html, render, useEffect, useState } from "./html.js";
import { go, pageAt, styleOf } from "./core/links.js";
import { dismiss, message, showMessage, watchMessage } from "./core/messages.js";
import { outbox } from "./core/outbox.js";
import { followTheme } from "./core/settings.js";
import { startWorker } from "./core/worker.js";
import { Icon } from "./parts/icons.js";
import { Failed, Loading, NoPage } from "./parts/notes.js";
import { Shell } from "./parts/shell.js";
import { texts } from "./texts.js";

const RELOADED = "ten18.reloaded"; // set once, when a file of an older version is gone
const PATIENCE = 300; // ms until a page that is still loading is replaced by a note
const root = document.getElementById("app");

let shown = ""; // the path and query of the page that is shown
let visits = 0; // counts the pages that were requested: the last one wins

/** Show the page of the address; `isFirst`: the browser has just loaded it. */
async function show({ isFirst = false, scroll = 0 } = {}) {
  const visit = (visits += 1);
  shown = location.pathname + location.search;
  const route = pageAt(location.href);
  let page;
  const late = setTimeout(() => {
    if (!isFirst) render(html`<${Shell} key=${visit} page=${route?.page}><div class="page"><${Loading} /></div><//>`, root);
  }, PATIENCE);
  try {
    page = route && (await Promise.all([import(`./pages/${route.page}.js`), styleOf(route.page)]))[0];
    sessionForget(RELOADED);
  } catch {
    if (visit !== visits) return;
    if (navigator.onLine && sessionOnce(RELOADED)) {
      location.reload(); // the server has a new version, without the files of this one
      return;
    }
    document.title = `${texts.shell.notLoaded} · ${texts.shell.app}`;
    render(html`<${Shell} key=${visit}><div class="page"><${Failed} what=${texts.shell.loadFailed} safe=${texts.shell.nothingLost}
      again=${() => location.reload()} /></div><//>`, root);
    return;
  } finally {
    clearTimeout(late);
  }
  if (visit !== visits) return;
  const Page = page?.default;
  const { title = texts.shell.nothingHere } = page ?? {};
  document.title = `${typeof title === "function" ? title(route.params) : title} · ${texts.shell.app}`;
  render(Page ? html`<${Page} key=${visit} params=${route.params} query=${route.query} />` : html`<${NoPage} key=${visit} />`, root);
  const place = route?.page === "review" ? null : document.getElementById(location.hash.slice(1));
  if (place) place.scrollIntoView();
  else window.scrollTo(0, scroll);
  if (isFirst) return;
  const heading = root.querySelector("main h1") ?? root.querySelector("main");
  heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
}

function sessionOnce(key) {
  try {
    if (sessionStorage.getItem(key)) return false;
    sessionStorage.setItem(key, "1");
    return true;
  } catch {
    return false;
  }
}

function sessionForget(key) {
  try {
    sessionStorage.removeItem(key);
  } catch {
    // Storage is forbidden: nothing was stored.
  }
}

/** Whether an address is a place in the page at a path. A record in the fragment is a page of its own. */
const isPlaceIn = (path, url) => url.pathname + url.search === path && pageAt(url)?.page !== "review";

/** Follow a link to a page of the app here, unless the player opens it in another tab. */
function follow(event) {
  const anchor = event.target.closest?.("a[href]");
  const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
  if (!anchor || !isPlain || event.defaultPrevented || anchor.target || anchor.hasAttribute("download")) return;
  const url = new URL(anchor.href);
  if (pageAt(url) === null || (url.hash && isPlaceIn(location.pathname + location.search, url))) return;
  event.preventDefault();
  go(url.href);
}

// In an export, relative addresses belong to the page that was loaded first: make them absolute before the page changes.
for (const link of document.querySelectorAll("link[rel~=icon], link[rel=apple-touch-icon], link[rel=manifest]")) link.href = String(link.href);

followTheme();
history.scrollRestoration = "manual";
document.addEventListener("click", follow);
window.addEventListener("ten18:go", () => show());
window.addEventListener("popstate", ({ state }) => isPlaceIn(shown, location) || show({ scroll: state?.scroll ?? 0 }));
window.addEventListener("pagehide", () => history.replaceState({ ...history.state, scroll: window.scrollY }, ""));
render(html`<${Message} />`, document.getElementById("message"));
outbox.watch(({ kind, sent }) => {
  if (kind === "records") showMessage(texts.shell.recordsSent(sent));
});
show({ isFirst: true, scroll: history.state?.scroll ?? 0 }).then(() => {
  outbox.start();
  if (document.readyState === "complete") startWorker();
  else window.addEventListener("load", startWorker);
});

/** A message beside the page: a text, an action, and a button to dismiss it. Above the tabs of a phone, in a corner of a desktop. */
function Message() {
  const [shown, show] = useState(message);
  useEffect(() => {
    show(message()); // the first may have come before this effect
    return watchMessage(() => show(message()));
  }, []);
  const act = () => {
    dismiss();
    shown.act();
  };
  return html`<div class="message" role="status">${shown && html`<div>
    <p>${shown.text}</p>
    ${shown.action && html`<button class="btn small" type="button" onClick=${act}>${shown.action}</button>`}
    <button class="iconbtn" type="button" aria-label=${texts.shell.dismiss} onClick=${dismiss}><${Icon} name="close" /></button>
  </div>`}</div>`;
}
