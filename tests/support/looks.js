// What tests say of a page as it is drawn: each function gives a list of what is wrong with it.
(() => {
  const name = (element) => {
    const text = (element.getAttribute("aria-label") ?? element.textContent ?? "").trim().replace(/\s+/g, " ").slice(0, 40);
    return `${element.tagName.toLowerCase()}${element.id ? `#${element.id}` : ""}${element.className && typeof element.className === "string" ? `.${element.className.trim().replace(/\s+/g, ".")}` : ""} "${text}"`;
  };
  const isShown = (element) => element.checkVisibility({ visibilityProperty: true, opacityProperty: false, contentVisibilityAuto: false }) && element.getClientRects().length > 0;
  const isHeardOnly = (element) => element.closest(".vh, .skip") !== null;

  /** Texts that are smaller than this many pixels. */
  function smallTexts(least) {
    const found = new Set();
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const element = walker.currentNode.parentElement;
      if (!walker.currentNode.data.trim() || !isShown(element) || isHeardOnly(element) || element.closest("script, style, noscript")) continue;
      const size = parseFloat(getComputedStyle(element).fontSize);
      if (size < least - 0.01) found.add(`${size}px: ${name(element)}`);
    }
    return [...found];
  }

  /** How much has moved without a key or a click since the page was opened, if that is more than this. */
  async function shifts(most) {
    const entries = [];
    const observer = new PerformanceObserver((list) => entries.push(...list.getEntries()));
    observer.observe({ type: "layout-shift", buffered: true });
    for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame);
    observer.disconnect();
    const found = entries.filter((entry) => !entry.hadRecentInput);
    if (found.reduce((sum, { value }) => sum + value, 0) <= most) return [];
    return found.flatMap(({ value, sources }) => sources.map(({ node, previousRect, currentRect }) => `${value.toFixed(3)}: ${node?.tagName ? name(node) : "a text"} from ${previousRect.y} to ${currentRect.y}`));
  }

  /** What sticks out of the window to the side, where the page can be scrolled there. */
  function overflow() {
    const width = document.documentElement.clientWidth;
    if (document.documentElement.scrollWidth <= width) return [];
    const wide = [...document.querySelectorAll("body *")].filter((element) => isShown(element) && !isHeardOnly(element) && element.getBoundingClientRect().right > width + 0.5);
    return [`${document.documentElement.scrollWidth}px in ${width}px`, ...wide.slice(0, 6).map((element) => `${Math.round(element.getBoundingClientRect().right)}px: ${name(element)}`)];
  }

  /** Things to press that are smaller than this many pixels, where a finger cannot find them beside their drawing either. */
  function smallTargets(least) {
    const found = [];
    for (const element of document.querySelectorAll("a[href], button, input, select, textarea, summary")) {
      const target = element.matches("input[type=radio], input[type=checkbox], input[type=file]") ? element.labels[0] ?? element : element;
      if (!isShown(target) || isHeardOnly(target) || element.disabled) continue;
      const style = getComputedStyle(target);
      if (style.display === "inline" && target.matches("a, button")) continue; // within a sentence
      target.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
      const { width, height, left, top } = target.getBoundingClientRect();
      const [x, y] = [left + width / 2, top + height / 2];
      const isHit = (dx, dy) => {
        const hit = document.elementFromPoint(x + dx, y + dy);
        return hit !== null && (target === hit || target.contains(hit) || hit.closest("label")?.control === element);
      };
      const reach = least / 2 - 1;
      const isTall = height >= least - 0.5 || (isHit(0, reach) && isHit(0, -reach));
      const isWide = width >= least - 0.5 || (isHit(reach, 0) && isHit(-reach, 0));
      if (!isTall || !isWide) found.push(`${Math.round(width)}x${Math.round(height)}: ${name(target)}`);
    }
    return found;
  }

  /** What the keyboard should reach, each with a number of its own; of radio buttons one of a name. */
  function numberTargets() {
    const names = [];
    const radios = new Set();
    for (const element of document.querySelectorAll("a[href], button, input, select, textarea, summary, [tabindex='0']")) {
      if (!isShown(element) || element.disabled || element.tabIndex < 0) continue;
      if (element.type === "radio") {
        if (radios.has(element.name)) continue;
        radios.add(element.name);
      }
      element.dataset.reached = String(names.length);
      names.push(name(element));
    }
    return names;
  }

  /** The number of what has the focus; of radio buttons that of their name. */
  function focused() {
    const element = document.activeElement;
    if (element === null || element === document.body) return null;
    const first = element.type === "radio" ? document.querySelector(`input[type=radio][name="${element.name}"]`) : element;
    return first.dataset.reached === undefined ? null : Number(first.dataset.reached);
  }

  /** Attributes that the policy forbids, in the document as it was sent. */
  function forbidden(source) {
    const sent = new DOMParser().parseFromString(source, "text/html");
    return [...sent.querySelectorAll("*")].flatMap((element) =>
      [...element.attributes].filter((one) => one.name === "style" || one.name.startsWith("on")).map((one) => `${one.name} of ${name(element)}`));
  }

  window.looks = { smallTexts, overflow, shifts, smallTargets, numberTargets, focused, forbidden };
})();
