// The coach's switch in the header: off, warn, full.
import { html } from "../html.js";

const CHOICES = [["off", "Off"], ["warn", "Warn"], ["full", "Full"]];

/** @param {{coach: string, setCoach: (coach: string) => void}} props */
export function CoachSwitch({ coach, setCoach }) {
  return html`<span class="s muted coach-name" id="coach">Coach</span>
    <div class="seg" role="group" aria-labelledby="coach">
      ${CHOICES.map(([value, label]) => html`<button key=${value} type="button" aria-pressed=${String(value === coach)} onClick=${() => setCoach(value)}>${label}</button>`)}
    </div>`;
}
