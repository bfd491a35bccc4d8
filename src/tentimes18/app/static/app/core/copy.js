// A text on the clipboard. Over plain http a browser has no clipboard for a page: there the text on the page is selected and copied.

/** @param {string} text @param {HTMLElement} element  shows the text @returns {Promise<boolean>} whether it was copied */
export async function copyText(text, element) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    if (element.select) element.select();
    else getSelection().selectAllChildren(element);
    try {
      return document.execCommand("copy");
    } catch {
      return false;
    }
  }
}
