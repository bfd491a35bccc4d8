// The worker that keeps the app ready without a network: begun when the page is at rest, and replaced when the player says.
import { ROOT, VERSION } from "./place.js";
import { tell } from "./told.js";

const HOUR = 3_600_000;

let isAsked = false; // for the new version, by the player: then the page is loaded anew

/** Begin, where the browser has workers for this address: over https, or on this machine. */
export async function startWorker() {
  if (!("serviceWorker" in navigator) || !window.isSecureContext) return;
  navigator.serviceWorker.addEventListener("controllerchange", () => isAsked && location.reload());
  try {
    const registration = await navigator.serviceWorker.register(`${ROOT}worker.js`, { scope: ROOT });
    await look(registration);
    registration.addEventListener("updatefound", () => {
      const { installing } = registration;
      installing?.addEventListener("statechange", () => look(registration));
    });
    let asked = Date.now();
    document.addEventListener("visibilitychange", () => {
      if (document.visibilityState !== "visible" || Date.now() - asked < HOUR) return;
      asked = Date.now();
      registration.update().catch(() => undefined); // another time
    });
  } catch {
    // No worker: the app goes on as long as there is a network.
  }
}

/** A worker that waits is of this page's version, and takes over at once, or of a new one: the player is asked. */
async function look(registration) {
  const { waiting } = registration;
  if (!waiting || !navigator.serviceWorker.controller) return;
  if ((await versionOf(waiting)) === VERSION) waiting.postMessage("take over");
  else {
    tell("A new version is ready.", {
      action: "Reload",
      act: () => {
        isAsked = true;
        waiting.postMessage("take over");
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
