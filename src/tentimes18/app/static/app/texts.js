// The catalogue of texts in use: `import { texts } from "../texts.js"` and write `texts.play.roll` where the text appears.
// Every text a person reads is in `texts/en.js`, in the section of its page or part. A text is a string, or a function of
// values that returns one; markup stays in the page, so a sentence with a bold start is two texts, `head` and `rest`.
// A function gets numbers that decide a plural or an article as numbers, and all others as text (core/format.js, `told`).
// Plurals, articles and lists are the helpers at the top of `texts/en.js`; no page joins words into a sentence.
// Always write `texts.SECTION.NAME` in full: a test compares these names with the catalogue. Names say where the text is
// shown (`rollButton`), not what it says.
// Another language is another file beside `en.js`, with the same texts. A page loads one of them: that of `lang`, which
// theme.js decides.
const { lang } = document.documentElement;

/** @type {typeof import("./texts/en.js").default} */
export const texts = (await import(`./texts/${lang}.js`)).default;
