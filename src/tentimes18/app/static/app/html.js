// What pages and parts are written with: htm's templates, Preact's components and hooks.
import { h, render } from "../vendor/preact.js";
import htm from "../vendor/htm.js";

export const html = htm.bind(h);
export { render };
export { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from "../vendor/hooks.js";
