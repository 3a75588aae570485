/** Draws the diagrams on the page with Mermaid, in the system's colour scheme. */

interface Mermaid {
  initialize(options: object): void;
  run(options: { nodes: ArrayLike<HTMLElement>; suppressErrors: boolean }): Promise<void>;
}

declare global {
  interface Window {
    /** Set by the script. */
    mermaid: Mermaid;
  }
}

const CONFIG = { startOnLoad: false, securityLevel: "strict", suppressErrorRendering: true };

const dark = matchMedia("(prefers-color-scheme: dark)");
let loading: Promise<Mermaid> | undefined;

dark.addEventListener("change", () => {
  for (const block of document.querySelectorAll<HTMLElement>("pre.mermaid")) {
    block.textContent = block.dataset.source ?? "";
    delete block.dataset.processed;
  }
  void drawDiagrams();
});

/** Draws what is not drawn yet. */
export async function drawDiagrams(): Promise<void> {
  if (document.querySelector("pre.mermaid:not([data-processed])") === null) return;
  loading ??= load();
  const mermaid = await loading;
  const nodes = document.querySelectorAll<HTMLElement>("pre.mermaid:not([data-processed])");
  for (const block of nodes) block.dataset.source = block.textContent ?? "";
  const theme = dark.matches ? "dark" : "default";
  mermaid.initialize({ ...CONFIG, theme });
  await mermaid.run({ nodes, suppressErrors: true });
  for (const block of nodes) {
    // A diagram that cannot be drawn stays text.
    if (block.querySelector("svg") === null) block.textContent = block.dataset.source ?? "";
  }
}

function load(): Promise<Mermaid> {
  const script = document.createElement("script");
  script.src = "/assets/mermaid.js";
  document.head.append(script);
  return new Promise((resolve, reject) => {
    script.onload = () => resolve(window.mermaid);
    script.onerror = () => reject(new Error("Mermaid could not be loaded"));
  });
}
