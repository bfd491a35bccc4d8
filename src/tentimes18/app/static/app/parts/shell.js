// The frame of every page: the header, the navigation, the tabs of a phone, and the menu with all pages and settings.
import { html, useState } from "../html.js";
import { PAGES, link, pageAt } from "../core/links.js";
import { useDark, useSetting } from "../core/settings.js";
import { useWaiting } from "../core/waiting.js";
import { Patterns } from "./dice.js";
import { Icon, Mark } from "./icons.js";
import { Choice, Sheet } from "./sheet.js";
import { texts } from "../texts.js";

const SHOWN = Object.keys(texts.shell.pages).filter((page) => PAGES.includes(page));
const TABS = ["play", "daily", "duel", "review"].filter((page) => SHOWN.includes(page));
const ALSO = ["drill", "lab"]; // instead of those that an export lacks

/**
 * The frame.
 * @param {object} props
 * @param {string} [props.page]  the page that is shown; else the one of the address
 * @param {boolean} [props.hasActions]  the page has its own bar at the bottom of a phone, instead of the tabs
 * @param {any} [props.end]  what the right end of the header shows, such as the coach's switch
 * @param {any} props.children
 */
export function Shell({ page = pageAt(location.href)?.page, hasActions = false, end = null, children }) {
  const [isOpen, open] = useState(false);
  const menu = { open: () => open(true), isOpen };
  return html`<div class=${hasActions ? "app has-actions" : "app"}>
    <a class="btn skip" href="#main" onClick=${skip}>${texts.shell.skip}</a>
    <header class="felt bar"><div class="top">
      <button class="iconbtn" type="button" aria-label=${texts.shell.menu} aria-haspopup="dialog" aria-expanded=${isOpen} onClick=${menu.open}><${Icon} name="menu" /></button>
      <a class="brand" href=${link("play")} aria-label=${texts.shell.brand}><${Mark} />10×18</a>
      <nav class="nav" aria-label=${texts.shell.navigation}>${SHOWN.map((name) => html`<a key=${name} href=${link(name)} aria-current=${name === page ? "page" : null}>${texts.shell.pages[name]}</a>`)}</nav>
      <div class="end">${end}<${SoundButton} /><${ThemeButton} /></div>
    </div></header>
    <main id="main" tabindex="-1">${children}</main>
    ${!hasActions && html`<${Tabs} page=${page} menu=${menu} />`}
    <${Patterns} />
    ${isOpen && html`<${Menu} page=${page} close=${() => open(false)} />`}
  </div>`;
}

/** Go to the page without changing the address: its fragment may be a record. */
function skip(event) {
  event.preventDefault();
  document.getElementById("main").focus();
}

function Tabs({ page, menu }) {
  const [waiting] = useWaiting();
  const tabs = [...TABS, ...ALSO.filter((name) => !TABS.includes(name))].slice(0, 4);
  return html`<nav class="tabs only-phone" aria-label=${texts.shell.tabs}>
    ${tabs.map((name) => html`<a key=${name} href=${link(name)} aria-current=${name === page ? "page" : null} class=${waiting[name] ? "dot" : undefined}><${Icon} name=${name} />${texts.shell.pages[name]}${waiting[name] && html`<span class="vh">, ${texts.today.dots[name]}</span>`}</a>`)}
    <button type="button" aria-haspopup="dialog" aria-expanded=${menu.isOpen} aria-current=${page && !tabs.includes(page) ? "true" : null} onClick=${menu.open}><${Icon} name="more" />${texts.shell.more}</button>
  </nav>`;
}

/** All pages, and the settings that apply to all of them. */
function Menu({ page, close }) {
  const [theme, setTheme] = useSetting("theme");
  const [language, setLanguage] = useSetting("language");
  const [placing, setPlacing] = useSetting("placing");
  const [sound, setSound] = useSetting("sound");
  const speak = (chosen) => {
    setLanguage(chosen);
    location.reload(); // the texts are loaded once
  };
  return html`<${Sheet} id="menu-title" title=${texts.shell.app} kind="menu" close=${close}>
    <nav aria-label=${texts.shell.allPages}><ul class="menu-pages">
      ${SHOWN.map((name) => html`<li key=${name}><a href=${link(name)} aria-current=${name === page ? "page" : null}>
        <${Icon} name=${name} /><span><b>${texts.shell.pages[name]}</b><span class="s muted">${texts.shell.about[name]}</span></span></a></li>`)}
    </ul></nav>
    <p class="s"><a class="link" href=${link("play", { guided: 1 })}>${texts.guided.menu}</a></p>
    <${Choice} name="theme" legend=${texts.shell.theme} options=${texts.shell.themes} value=${theme} choose=${setTheme} />
    <${Choice} name="placing" legend=${texts.shell.placing} options=${texts.shell.placings} value=${placing} choose=${setPlacing} />
    <${Choice} name="language" legend=${texts.shell.language} options=${texts.shell.languages} value=${language} choose=${speak} />
    <${Choice} name="sound" legend=${texts.sound.legend} options=${texts.sound.options} value=${sound} choose=${setSound} />
  <//>`;
}

/** Sound and vibration, on or off. */
function SoundButton() {
  const [sound, setSound] = useSetting("sound");
  const isOn = sound === "on";
  return html`<button class="iconbtn only-desk" type="button" aria-label=${texts.sound.name} aria-pressed=${String(isOn)} onClick=${() => setSound(isOn ? "off" : "on")}><${Icon} name=${isOn ? "sound" : "silent"} /></button>`;
}

/** Light or dark with one press. The menu has the third choice, to match the system. */
function ThemeButton() {
  const [, setTheme] = useSetting("theme");
  const dark = useDark();
  const other = dark ? "light" : "dark";
  return html`<button class="iconbtn only-desk" type="button" aria-label=${dark ? texts.shell.toLight : texts.shell.toDark} onClick=${() => setTheme(other)}><${Icon} name=${other} /></button>`;
}
