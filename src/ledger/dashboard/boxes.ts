/** A box of the dashboard, with the id of what it hands over again in a comment: `- [ ] <!-- again=ID -->`. */
const BOX = /^- \[([ xX])\] <!-- again=([A-Za-z0-9_-]+) -->/gm;

/** The ids of the boxes that are ticked in a body. */
export function tickedBoxes(body: string): string[] {
  return [...body.matchAll(BOX)]
    .filter(([, mark]) => mark !== " ")
    .map(([, , id = ""]) => Buffer.from(id, "base64url").toString("utf8"));
}

/** The beginning of a line with a box. */
export function renderBox(id: string, isTicked: boolean): string {
  return `- [${isTicked ? "x" : " "}] <!-- again=${Buffer.from(id).toString("base64url")} -->`;
}
