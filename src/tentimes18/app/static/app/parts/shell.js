// The frame of every page: the header on felt, the pages' names, the tabs of a phone, the sheet with everything.
import { html, useEffect, useRef, useState } from "../html.js";
import { PAGES, link, pageAt } from "../core/links.js";
import { useSetting } from "../core/settings.js";
import { useDark } from "../core/theme.js";
import { Patterns } from "./dice.js";
import { Icon, Mark } from "./icons.js";

const NAMES = { play: "Play", daily: "Daily", duel: "Duel", review: "Review", drill: "Drill", lab: "Lab", history: "History", about: "About" };
const SAYS = {
  play: "Ten rolls, ten slots, alone",
  daily: "The same rolls for everybody, once a day",
  duel: "Two boards, the same rolls",
  review: "What was luck and what was you",
  drill: "Your mistakes, until they are none",
  lab: "Any dice, any slots, every number",
  history: "Your games, your skill, all players",
  about: "The rules in a minute, and why it works",
};
const SHOWN = Object.keys(NAMES).filter((page) => PAGES.includes(page));
const TABS = ["play", "daily", "duel", "review"].filter((page) => SHOWN.includes(page));
const ALSO = ["drill", "lab"]; // where an export lacks the others
const THEMES = [["auto", "As the system"], ["light", "Light"], ["dark", "Dark"]];
const PLACINGS = [["arm", "Two taps: pick, then place"], ["tap", "One tap places"]];

/**
 * The frame.
 * @param {object} props
 * @param {string} [props.page]  the page that is shown; else the one of the address
 * @param {boolean} [props.hasActions]  the page has a bar at the bottom of a phone: no tabs then
 * @param {any} [props.end]  what stands at the right end of the header, such as the coach's switch
 * @param {any} props.children
 */
export function Shell({ page = pageAt(location.href)?.page, hasActions = false, end = null, children }) {
  const [isOpen, open] = useState(false);
  const menu = { open: () => open(true), isOpen };
  return html`<div class=${hasActions ? "app has-actions" : "app"}>
    <a class="btn skip" href="#main" onClick=${skip}>Skip to the page</a>
    <header class="felt bar"><div class="top">
      <button class="iconbtn" type="button" aria-label="Menu" aria-haspopup="dialog" aria-expanded=${isOpen} onClick=${menu.open}><${Icon} name="menu" /></button>
      <a class="brand" href=${link("play")} aria-label="10×18, Ten times eighteen"><${Mark} />10×18</a>
      <nav class="nav" aria-label="Pages">${SHOWN.map((name) => html`<a key=${name} href=${link(name)} aria-current=${name === page ? "page" : null}>${NAMES[name]}</a>`)}</nav>
      <div class="end">${end}<${ThemeButton} /></div>
    </div></header>
    <main id="main" tabindex="-1">${children}</main>
    ${!hasActions && html`<${Tabs} page=${page} menu=${menu} />`}
    <${Patterns} />
    ${isOpen && html`<${Menu} page=${page} close=${() => open(false)} />`}
  </div>`;
}

/** To the page without a place in the address: there, a fragment may be a record. */
function skip(event) {
  event.preventDefault();
  document.getElementById("main").focus();
}

function Tabs({ page, menu }) {
  const tabs = [...TABS, ...ALSO.filter((name) => !TABS.includes(name))].slice(0, 4);
  return html`<nav class="tabs only-phone" aria-label="Main pages">
    ${tabs.map((name) => html`<a key=${name} href=${link(name)} aria-current=${name === page ? "page" : null}><${Icon} name=${name} />${NAMES[name]}</a>`)}
    <button type="button" aria-haspopup="dialog" aria-expanded=${menu.isOpen} aria-current=${page && !tabs.includes(page) ? "true" : null} onClick=${menu.open}><${Icon} name="more" />More</button>
  </nav>`;
}

/** Everything there is to go to, and the settings that hold on all pages. */
function Menu({ page, close }) {
  const dialog = useRef(null);
  const [theme, setTheme] = useSetting("theme");
  const [placing, setPlacing] = useSetting("placing");
  useEffect(() => {
    dialog.current.showModal();
  }, []);
  const onClick = (event) => {
    if (event.target === dialog.current || event.target.closest("a")) dialog.current.close();
  };
  return html`<dialog class="sheet-up menu" ref=${dialog} aria-labelledby="menu-title" onClose=${close} onClick=${onClick}>
    <div class="menu-head"><h2 id="menu-title">Ten times eighteen</h2>
      <button class="iconbtn" type="button" aria-label="Close" onClick=${() => dialog.current.close()}><${Icon} name="close" /></button></div>
    <nav aria-label="All pages"><ul class="menu-pages">
      ${SHOWN.map((name) => html`<li key=${name}><a href=${link(name)} aria-current=${name === page ? "page" : null}>
        <${Icon} name=${name} /><span><b>${NAMES[name]}</b><span class="s muted">${SAYS[name]}</span></span></a></li>`)}
    </ul></nav>
    <${Choice} name="theme" legend="Theme" options=${THEMES} value=${theme} choose=${setTheme} />
    <${Choice} name="placing" legend="Placing" options=${PLACINGS} value=${placing} choose=${setPlacing} />
  </dialog>`;
}

function Choice({ name, legend, options, value, choose }) {
  return html`<fieldset class="menu-choice"><legend class="s muted">${legend}</legend>
    ${options.map(([option, label]) => html`<label class="radio" key=${option}><input type="radio" name=${name} value=${option}
      checked=${option === value} onChange=${() => choose(option)} />${label}</label>`)}</fieldset>`;
}

/** Day or night, in one press; the menu has the third choice, to do as the system does. */
function ThemeButton() {
  const [, setTheme] = useSetting("theme");
  const dark = useDark();
  const other = dark ? "light" : "dark";
  return html`<button class="iconbtn only-desk" type="button" aria-label=${dark ? "Light theme" : "Dark theme"} onClick=${() => setTheme(other)}><${Icon} name=${other} /></button>`;
}
