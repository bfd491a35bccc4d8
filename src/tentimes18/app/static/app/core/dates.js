// Dates as the reader's language writes them. A day is a text like 2026-11-15, in UTC; an instant is an ISO time.
const { lang } = document.documentElement;
const LOCALE = lang === "en" ? "en-GB" : lang;

const written = (date, options) => new Intl.DateTimeFormat(LOCALE, options).format(date).replace(",", "");
const utc = (day, options) => written(new Date(`${day}T00:00:00Z`), { timeZone: "UTC", ...options });

/** "Sun 15 November". @param {string} day */
export const longDay = (day) => utc(day, { weekday: "short", day: "numeric", month: "long" });

/** "Sun 15 Nov". @param {string} day */
export const shortDay = (day) => utc(day, { weekday: "short", day: "numeric", month: "short" });

/** The letter of a day of the week: "S". @param {string} day */
export const letterOf = (day) => utc(day, { weekday: "narrow" });

/** "14:05", where the reader is. @param {string | number} instant */
export const timeOf = (instant) => written(new Date(instant), { hour: "2-digit", minute: "2-digit" });

/** "16 Nov", with its year if that is not this year, where the reader is. @param {string} instant @param {Date} [now] */
export function dateOf(instant, now = new Date()) {
  const date = new Date(instant);
  const year = date.getFullYear() === now.getFullYear() ? {} : { year: "numeric" };
  return written(date, { day: "numeric", month: "short", ...year });
}

/** "15 November 2026", where the reader is. @param {string} instant */
export const fullDateOf = (instant) => written(new Date(instant), { day: "numeric", month: "long", year: "numeric" });

/** "15 Nov 2026 14:05", without the time if the text has none; null if it is not a text. @param {unknown} date  a tag of a record */
export function dateOfTag(date) {
  if (typeof date !== "string") return null;
  const found = new Date(date);
  if (!/^\d{4}-\d\d-\d\d/.test(date) || Number.isNaN(found.getTime())) return date.slice(0, 40);
  return written(found, { day: "numeric", month: "short", year: "numeric", ...(date.length > 10 ? { hour: "2-digit", minute: "2-digit" } : {}) });
}
