// Keeps the app ready without a network: its own files, by version, and the HTML of its pages. Whatever the service answers
// under /api passes by untouched and unkept: rolls, games and days are the service's to tell.

/** @type {{version: string, files: string[], pages: Record<string, string>}} addresses relative to the scope */
const APP = /* put in when it is sent */ null;

const OWN = `ten18 ${new URL(self.registration.scope).pathname} `; // a host may have more than one of these apps
const CACHE = OWN + APP.version;
const PATIENCE = 3000; // ms for the HTML of a page: then the kept one is shown
const at = (path) => new URL(path, self.registration.scope).href;

self.addEventListener("install", (event) => {
  event.waitUntil(keepAll());
});

async function keepAll() {
  const cache = await caches.open(CACHE);
  await cache.addAll(APP.files.map(at));
  await cache.addAll(Object.values(APP.pages).map((path) => new Request(at(path), { cache: "no-cache", credentials: "omit" })));
}

self.addEventListener("activate", (event) => {
  event.waitUntil(takeOver());
});

async function takeOver() {
  for (const name of await caches.keys()) {
    if (name.startsWith(OWN) && name !== CACHE) await caches.delete(name);
  }
  await self.clients.claim();
}

self.addEventListener("message", (event) => {
  if (event.data === "version") event.ports[0].postMessage(APP.version);
  if (event.data === "take over") self.skipWaiting();
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET") return;
  const [address] = request.url.split(/[?#]/);
  if (request.mode === "navigate") {
    const page = pageAt(address);
    if (page !== null) event.respondWith(html(request, page));
  } else if (ours.has(address)) {
    event.respondWith(kept(request));
  }
});

const ours = new Set(APP.files.map(at));

/** The address of the kept HTML for an address, or null for an address that is not a page of the app. */
function pageAt(address) {
  const root = self.registration.scope;
  if (!address.startsWith(root)) return null;
  const path = address.slice(root.length).replace(/(^|\/)index\.html$/, "$1");
  const first = path.split("/")[0];
  if (path.split("/").length > 2 || /^(api|static)$/.test(first)) return null;
  const found = Object.values(APP.pages).find((own) => own.replace("/", "") === first);
  if (found !== undefined) return at(found);
  return first === "game" ? root : null; // the app reads the address itself
}

/** The HTML from the network, so that a new version is seen at once; the kept one where that takes too long or fails. */
async function html(request, page) {
  const found = () => caches.open(CACHE).then((cache) => cache.match(page));
  const fresh = fetch(request);
  const late = new Promise((resolve) => setTimeout(resolve, PATIENCE)).then(found);
  try {
    const answer = await Promise.race([fresh, late]);
    return answer && answer.status < 500 ? answer : ((await found()) ?? (await fresh));
  } catch {
    return (await found()) ?? Response.error();
  }
}

/** A file of the app: as it is kept, else from the network. */
async function kept(request) {
  const cache = await caches.open(CACHE);
  return (await cache.match(request.url)) ?? fetch(request);
}
