// The addresses of the pages, on the service and in an export, and the way from one to another.

// Where the app lies: its root, its version, and whether there is a service behind it. The page's HTML says so.

const { dataset } = document.documentElement;

/** The address of the app's root, with a slash at its end: the service's own, or a folder of a static host. */
export const ROOT = new URL(dataset.root ?? "/", location.href).href;

/** The digest of all of the app's files. */
export const VERSION = dataset.version ?? "";

/** Whether this is an export: plain files, and nobody to ask. */
export const isStatic = dataset.static !== undefined;

/** The pages that have a style sheet of their own. */
const STYLED = new Set((dataset.styled ?? "").split(" ").filter(Boolean));

/** The address of a file of the app, by its path below `static`. @param {string} path */
export const fileAt = (path) => new URL(`../../${path}`, import.meta.url).href;

/** Whether this page is a file of its own, with the games in it: there are no other pages. */
export const isFile = dataset.file !== undefined;

// The style sheet of a page, there before the page is shown.

/** Wait for the style sheet of a page, where it has one. @param {string} page @returns {Promise<void>} */
export function styleOf(page) {
  if (!STYLED.has(page) || document.querySelector(`link[data-style="${page}"]`)) return Promise.resolve();
  const link = Object.assign(document.createElement("link"), { rel: "stylesheet", href: fileAt(`style/${page}.css`) });
  link.dataset.style = page;
  return new Promise((resolve, reject) => {
    link.onload = resolve;
    link.onerror = () => {
      link.remove();
      reject(new Error(`no style for ${page}`));
    };
    document.head.append(link);
  });
}

/** Every page with the paths that lead to it; a name in braces becomes one of its params. */
const ROUTES = Object.freeze({
  play: ["/"],
  daily: ["/daily", "/daily/{day}"],
  duel: ["/duel", "/duel/{code}"],
  group: ["/g", "/g/{code}"],
  game: ["/game/{id}"],
  review: ["/review", "/review/{id}"],
  drill: ["/drill"],
  history: ["/history"],
  lab: ["/lab"],
  about: ["/about"],
});

/** The pages that an export has. */
const EXPORTED = Object.freeze(["play", "review", "drill", "lab", "about"]);

/** The pages that this app has. */
export const PAGES = Object.keys(ROUTES).filter((page) => !isStatic || EXPORTED.includes(page));

const patterns = Object.entries(ROUTES).flatMap(([page, paths]) =>
  paths.map((path) => ({ page, pattern: new RegExp(`^${path.replace(/\{(\w+)\}/g, "(?<$1>[^/]+)")}$`) })));

/**
 * The address of a page.
 * @param {string} page  a name of `ROUTES`
 * @param {Record<string, string | number | undefined>} [params]  those of its path; `record` becomes the fragment, all
 *   others the query
 */
export function link(page, params = {}) {
  const given = Object.entries(params).filter(([, value]) => value !== undefined && value !== null && value !== "");
  const left = new Map(given.map(([name, value]) => [name, String(value)]));
  const fits = (path) => [...path.matchAll(/\{(\w+)\}/g)].every(([, name]) => left.has(name));
  const path = ROUTES[page].findLast(fits).replace(/\{(\w+)\}/g, (_, name) => {
    const value = encodeURIComponent(left.get(name));
    left.delete(name);
    return value;
  });
  const record = left.get("record");
  left.delete("record");
  const query = new URLSearchParams([...left]).toString();
  const place = isStatic && path !== "/" ? `${path.slice(1)}/` : path.slice(1);
  return new URL(place, ROOT).pathname + (query && `?${query}`) + (record ? `#${encodeURIComponent(record)}` : "");
}

/**
 * The page that an address belongs to, or null.
 * @param {string | URL} href
 * @returns {?{page: string, params: Record<string, string>, query: Record<string, string>}}
 */
export function pageAt(href) {
  const url = new URL(href, location.href);
  if (!url.href.startsWith(ROOT)) return null;
  const bare = url.href.slice(ROOT.length).split(/[?#]/)[0];
  const path = `/${bare.replace(isStatic ? /(^|\/)(index\.html)?$/ : /\/$/, "")}`;
  for (const { page, pattern } of patterns) {
    const found = pattern.exec(path);
    if (found === null || !PAGES.includes(page)) continue;
    const params = Object.fromEntries(Object.entries(found.groups ?? {}).map(([name, value]) => [name, unescaped(value)]));
    if (url.hash.length > 1) params.record = unescaped(url.hash.slice(1));
    return { page, params, query: Object.fromEntries(url.searchParams) };
  }
  return null;
}

function unescaped(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // not ours: shown as it is
  }
}

/** Go to an address: to a page of the app without reloading. @param {string} href */
export function go(href, { replace = false } = {}) {
  if (pageAt(href) === null) {
    location.assign(href);
    return;
  }
  history.replaceState({ ...history.state, scroll: window.scrollY }, "");
  history[replace ? "replaceState" : "pushState"]({}, "", href);
  window.dispatchEvent(new Event("ten18:go"));
}
