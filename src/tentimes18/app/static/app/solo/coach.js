// The coach's switch in the header: off, warn, full. A phone has one button that names the choice and opens a sheet.
import { html, useState } from "../html.js";
import { Icon } from "../parts/icons.js";
import { Choice, Sheet } from "../parts/sheet.js";
import { texts } from "../texts.js";

/** @param {{coach: string, setCoach: (coach: string) => void}} props */
export function CoachSwitch({ coach, setCoach }) {
  const [isOpen, open] = useState(false);
  const names = texts.play.coaches;
  return html`<span class="s muted only-desk" id="coach">${texts.play.coach}</span>
    <div class="seg only-desk" role="group" aria-labelledby="coach">
      ${Object.entries(names).map(([value, label]) => html`<button key=${value} type="button" aria-pressed=${String(value === coach)} onClick=${() => setCoach(value)}>${label}</button>`)}
    </div>
    <button type="button" class="coach-pill only-phone" aria-haspopup="dialog" onClick=${() => open(true)}><span>${texts.coach.now}</span> <b>${names[coach]}</b><${Icon} name="down" /></button>
    ${isOpen && html`<${Sheet} id="coach-title" title=${texts.play.coach} close=${() => open(false)}>
      <p class="muted">${texts.coach.lead}</p>
      <${Choice} name="coach" legend=${texts.coach.legend} options=${names} about=${texts.coach.about} value=${coach} choose=${setCoach} />
      <p class="s muted">${texts.play.practice}</p>
    <//>`}`;
}
