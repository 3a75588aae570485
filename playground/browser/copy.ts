/** Buttons that copy a text of the page. */

import { announce } from "./live.ts";

/** Handles every such button of the page, including those that are added later. */
export function takeOverCopying(): void {
  document.addEventListener("click", ({ target }) => {
    if (!(target instanceof HTMLElement) || target.dataset.copy === undefined) return;
    const source = document.getElementById(target.dataset.copy);
    if (source !== null) void copy(source, target);
  });
}

async function copy(source: HTMLElement, button: HTMLElement): Promise<void> {
  try {
    await navigator.clipboard.writeText(source.textContent);
    button.textContent = "Copied";
    announce("The workflow is copied.");
  } catch {
    // The browser does not allow it: a person copies what is selected.
    getSelection()?.selectAllChildren(source);
    button.textContent = "Selected: copy it with the keyboard";
    announce("The workflow is selected.");
  }
}
