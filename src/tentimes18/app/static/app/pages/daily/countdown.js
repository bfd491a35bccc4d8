// The time to the next daily game, counted down; when it has come, the page is told.
import { html, useEffect, useRef, useState } from "../../html.js";
import { timeLeft } from "./days.js";

/**
 * @param {{until: string, come?: () => void}} props  until: an instant, ISO. come: called once when it is there
 */
export function Countdown({ until, come }) {
  const end = Date.parse(until);
  const [now, setNow] = useState(Date.now);
  const told = useRef(false);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  const left = end - now;
  useEffect(() => {
    if (left > 0 || told.current) return;
    told.current = true;
    come?.();
  }, [left > 0]);
  return html`<time class="countdown" datetime=${until}>${left > 0 ? timeLeft(left) : "a moment"}</time>`;
}
