/** The queue's list of tasks, and the boxes of task lists by their places in the Markdown. */

import { createHash } from "node:crypto";
import { parse, postprocess, preprocess } from "micromark";
import { gfm } from "micromark-extension-gfm";

/** As the workflow of the examples names it. */
export const TASKS_FILE = "docs/tasks.yml";

/** Its first content. */
export const TASKS = `- id: users
  prompt: Document the endpoints below /users.
- id: orders
  prompt: Document the endpoints below /orders.
- id: style
  prompt: |
    Apply the style guide to the first page.
    emulate: outcome=no-changes
`;

/** The extension's type of a box, which the parser's types do not have. */
const TASK: string = "taskListCheck";

/** Where the mark of each box is, in order: the space or the `x` between the brackets. */
export function taskPlaces(markdown: string): number[] {
  // The parser does not count a byte order mark.
  const shift = markdown.startsWith("\ufeff") ? 2 : 1;
  const chunks = preprocess()(markdown, undefined, true);
  const events = postprocess(
    parse({ extensions: [gfm()] })
      .document()
      .write(chunks),
  );
  return events.flatMap(([kind, { type, start }]) =>
    kind === "enter" && type === TASK ? [start.offset + shift] : [],
  );
}

/** The Markdown with some boxes ticked, by their order, and the others not. A correct mark stays as it is. */
export function withTasks(markdown: string, ticked: readonly number[]): string {
  return taskPlaces(markdown).reduce((text, place, task) => {
    const isTicked = ticked.includes(task);
    if (isTicked === /x/i.test(text[place] ?? "")) return text;
    return `${text.slice(0, place)}${isTicked ? "x" : " "}${text.slice(place + 1)}`;
  }, markdown);
}

/** Identifies a text of an issue, so that nobody ticks a box in a text that they did not see. */
export function bodyHash(body: string): string {
  return createHash("sha256").update(body).digest("hex").slice(0, 16);
}
