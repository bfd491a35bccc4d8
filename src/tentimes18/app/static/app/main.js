// The app begins here: the theme, the page of the address, and the way from page to page.
import { html, render } from "./html.js";
import { go, pageAt } from "./core/links.js";
import { outbox } from "./core/outbox.js";
import { styleOf } from "./core/styles.js";
import { followTheme } from "./core/theme.js";
import { tell } from "./core/told.js";
import { startWorker } from "./core/worker.js";
import { Failed, Loading, NoPage } from "./parts/notes.js";
import { Shell } from "./parts/shell.js";
import { Told } from "./parts/told.js";

const NAME = "Ten times eighteen";
const RELOADED = "ten18.reloaded"; // once, where a file of an older version is gone
const PATIENCE = 300; // ms for a page to come, before another one makes room for it
const root = document.getElementById("app");

let shown = ""; // its path and query
let visits = 0; // counts the pages that were asked for: the last one wins

/** Show the page of the address; `isFirst` where the browser has just loaded it. */
async function show({ isFirst = false, scroll = 0 } = {}) {
  const visit = (visits += 1);
  shown = location.pathname + location.search;
  const found = pageAt(location.href);
  let page;
  const late = setTimeout(() => {
    if (!isFirst) render(html`<${Shell} key=${visit} page=${found?.page}><div class="page"><${Loading} /></div><//>`, root);
  }, PATIENCE);
  try {
    page = found && (await Promise.all([import(`./pages/${found.page}.js`), styleOf(found.page)]))[0];
    sessionForget(RELOADED);
  } catch {
    if (visit !== visits) return;
    if (navigator.onLine && sessionOnce(RELOADED)) {
      location.reload(); // a new version is there, and the file of this one is not
      return;
    }
    document.title = `Not there · ${NAME}`;
    render(html`<${Shell} key=${visit}><div class="page"><${Failed} what="The page did not come." safe="Nothing is lost."
      action="Try again" again=${() => location.reload()} /></div><//>`, root);
    return;
  } finally {
    clearTimeout(late);
  }
  if (visit !== visits) return;
  const Page = page?.default;
  const { title = "Nothing here" } = page ?? {};
  document.title = `${typeof title === "function" ? title(found.params) : title} · ${NAME}`;
  render(Page ? html`<${Page} key=${visit} params=${found.params} query=${found.query} />` : html`<${NoPage} key=${visit} />`, root);
  const place = found?.page === "review" ? null : document.getElementById(location.hash.slice(1));
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
    // It was never kept.
  }
}

/** Whether an address is a place in the page at a path; a record in the fragment is a page of its own. */
const isPlaceIn = (path, url) => url.pathname + url.search === path && pageAt(url)?.page !== "review";

/** A link to a page of the app is followed here, unless the player wants it elsewhere. */
function follow(event) {
  const anchor = event.target.closest?.("a[href]");
  const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
  if (!anchor || !isPlain || event.defaultPrevented || anchor.target || anchor.hasAttribute("download")) return;
  const url = new URL(anchor.href);
  if (pageAt(url) === null || (url.hash && isPlaceIn(location.pathname + location.search, url))) return;
  event.preventDefault();
  go(url.href);
}

// Relative addresses of an export are those of the page it was loaded as: not to be read anew on another one.
for (const link of document.querySelectorAll("link[rel~=icon], link[rel=apple-touch-icon], link[rel=manifest]")) link.href = String(link.href);

followTheme();
history.scrollRestoration = "manual";
document.addEventListener("click", follow);
window.addEventListener("ten18:go", () => show());
window.addEventListener("popstate", ({ state }) => isPlaceIn(shown, location) || show({ scroll: state?.scroll ?? 0 }));
window.addEventListener("pagehide", () => history.replaceState({ ...history.state, scroll: window.scrollY }, ""));
render(html`<${Told} />`, document.getElementById("told"));
outbox.watch(({ kind, sent }) => {
  if (kind === "records") tell(sent === 1 ? "The game you played offline was sent." : `The ${sent} games you played offline were sent.`);
});
show({ isFirst: true, scroll: history.state?.scroll ?? 0 }).then(() => {
  outbox.start();
  if (document.readyState === "complete") startWorker();
  else window.addEventListener("load", startWorker);
});
