// Where the app lies: its root, its version, and whether there is a service behind it. The page's HTML says so.
const { dataset } = document.documentElement;

/** The address of the app's root, with a slash at its end: the service's own, or a folder of a static host. */
export const ROOT = new URL(dataset.root ?? "/", location.href).href;

/** The digest of all of the app's files. */
export const VERSION = dataset.version ?? "";

/** Whether this is an export: plain files, and nobody to ask. */
export const isStatic = dataset.static !== undefined;

/** The pages that have a style sheet of their own. */
export const STYLED = new Set((dataset.styled ?? "").split(" ").filter(Boolean));

/** The address of a file of the app, by its path below `static`. @param {string} path */
export const fileAt = (path) => new URL(`../../${path}`, import.meta.url).href;

/** Whether this page is a file of its own, with the games in it: there are no other pages. */
export const isFile = dataset.file !== undefined;
