/** The text of a workflow, to read and to copy. */

import type { Workflow } from "../actions/workflow.ts";
import { type Html, html, type Part } from "./html.ts";

/** A workflow, which opens with a click. */
export function workflowView({ file, text }: Pick<Workflow, "file" | "text">): Html {
  const id = `workflow-${file.replaceAll(/\W+/g, "-")}`;
  return html`<details class="workflow" id="${id}"><summary><code>${file}</code></summary>
<button type="button" class="script-only" data-copy="${id}-text">Copy</button>
<pre class="log" id="${id}-text" tabindex="0" aria-label="${file}">\n${text}</pre></details>`;
}

/** The workflows that a page runs, as its last part. Those of one file are one. */
export function workflowsPart(workflows: readonly Workflow[]): Part {
  const files = new Map(workflows.map(({ file, text }) => [file, { file, text }]));
  const title = files.size === 1 ? "The workflow that runs here" : "The workflows that run here";
  const views = [...files.values()].map(workflowView);
  return { key: "workflows", content: html`<h2 class="small">${title}</h2>${views}` };
}
