import { safeLink } from "../text/link.ts";
import { inlineCode } from "../text/markdown.ts";
import type { UpkeepChange } from "./ledger-change.ts";
import { nameOf } from "./prompt.ts";

/** A change as people read it. Its title stands in code, where GitHub reads nothing into it. */
export function changeText(change: UpkeepChange): string {
  return `${linkedTitle(change.title, change.url)} ${inlineCode(nameOf(change), 100)}`;
}

/** A title from outside, with a link if the address may be shown. */
export function linkedTitle(title: string, url: string): string {
  const text = inlineCode(title, 120) || "`(no title)`";
  const link = safeLink(url);
  return link === null ? text : `[${text}](${link})`;
}
