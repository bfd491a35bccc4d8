// The service worker makes the app work offline. It starts when the page has loaded, and the player decides when a new
// version replaces it.
import { ROOT, VERSION } from "./links.js";
import { texts } from "../texts.js";
import { showMessage } from "./messages.js";

const HOUR = 3_600_000;

let isAsked = false; // the player asked for the new version: reload when it takes over

/** Start the worker, if the browser allows workers for this address: over https, or on this machine. */
export async function startWorker() {
  if (!("serviceWorker" in navigator) || !window.isSecureContext) return;
  navigator.serviceWorker.addEventListener("controllerchange", () => isAsked && location.reload());
  try {
    const registration = await navigator.serviceWorker.register(`${ROOT}worker.js`, { scope: ROOT });
    const follow = () => registration.installing?.addEventListener("statechange", () => look(registration));
    registration.addEventListener("updatefound", follow);
    follow(); // a new version may have been found before this page listened
    look(registration);
    let asked = Date.now();
    document.addEventListener("visibilitychange", () => {
      if (document.visibilityState !== "visible" || Date.now() - asked < HOUR) return;
      asked = Date.now();
      registration.update().catch(() => undefined); // try again later
    });
  } catch {
    // Without a worker the app needs a network.
  }
}

/** A waiting worker of this version takes over at once; for a new version, ask the player. */
async function look(registration) {
  const { active, waiting } = registration;
  if (!waiting || !active) return; // the first worker of all does not wait
  if ((await versionOf(waiting)) === VERSION) waiting.postMessage("take over");
  else {
    showMessage(texts.shell.newVersion, {
      action: texts.shell.reload,
      act: () => {
        isAsked = true;
        if (waiting.state === "installed") waiting.postMessage("take over");
        else location.reload(); // it took over when the player agreed in another tab
      },
    });
  }
}

function versionOf(worker) {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = ({ data }) => resolve(data);
    worker.postMessage("version", [port2]);
  });
}
