/** Draws the diagrams on the page with Mermaid, in the colours that the system asks for. */

interface Mermaid {
  initialize(options: object): void;
  render(id: string, source: string): Promise<{ svg: string }>;
}

const dark = matchMedia("(prefers-color-scheme: dark)");
let loading: Promise<Mermaid> | undefined;
let count = 0;

dark.addEventListener("change", () => {
  for (const block of document.querySelectorAll<HTMLElement>("pre.mermaid")) {
    delete block.dataset.drawn;
  }
  void drawDiagrams();
});

/** Draws what is not drawn yet. One that cannot be drawn stays a text. */
export async function drawDiagrams(): Promise<void> {
  const blocks = document.querySelectorAll<HTMLElement>("pre.mermaid:not([data-drawn])");
  if (blocks.length === 0) return;
  for (const block of blocks) block.dataset.drawn = "";
  loading ??= load();
  const mermaid = await loading;
  mermaid.initialize({
    startOnLoad: false,
    securityLevel: "strict",
    theme: dark.matches ? "dark" : "default",
  });
  for (const block of blocks) {
    block.dataset.source ??= block.textContent ?? "";
    count += 1;
    try {
      const { svg } = await mermaid.render(`diagram-${count}`, block.dataset.source);
      block.innerHTML = svg;
    } catch {
      block.textContent = block.dataset.source;
    }
  }
}

function load(): Promise<Mermaid> {
  const script = document.createElement("script");
  script.src = "/assets/mermaid.js";
  document.head.append(script);
  return new Promise((resolve, reject) => {
    script.onload = () => resolve((globalThis as unknown as { mermaid: Mermaid }).mermaid);
    script.onerror = () => reject(new Error("Mermaid could not be loaded"));
  });
}
