/** Markdown as GitHub shows it: rendered, sanitized by GitHub's rules, with diagrams and task boxes marked. */

import type { Element, ElementContent, Root, RootContent } from "hast";
import { fromHtml } from "hast-util-from-html";
import { defaultSchema, sanitize } from "hast-util-sanitize";
import { toHtml } from "hast-util-to-html";
import { rendered } from "../../emulator/github/rendered-markdown.ts";
import { bodyHash, taskPlaces } from "../site/tasks.ts";
import { Html } from "./html.ts";

export interface MarkdownOptions {
  /** `owner/name`, to which `#1` refers. */
  repository: string;
  /** Where links to the emulated GitHub begin; the same path is a page of the playground. */
  origin: string;
  /** Whether the boxes of task lists can be ticked. Default: false. */
  canTick?: boolean;
}

/** Pictures are not loaded, because that would inform their server about the reader. Their text is shown instead. */
const SCHEMA = {
  ...defaultSchema,
  protocols: { ...defaultSchema.protocols, src: [] },
  attributes: { ...defaultSchema.attributes, img: ["alt"] },
};

export function markdown(
  source: string,
  { repository, origin, canTick = false }: MarkdownOptions,
): Html {
  const tree = sanitizedTree(source);
  const boxes = elements(tree).filter(({ tagName }) => tagName === "input");
  const places = canTick ? taskPlaces(source) : [];
  // A box that is HTML and not a task of a list has no place in the source that could be ticked.
  const canTickAll = boxes.length === places.length;
  for (const [index, box] of boxes.entries()) {
    const line = source.slice(places[index]).split("\n", 1)[0] ?? "";
    showBox(box, canTickAll ? { index, name: bodyHash(line.slice(1)) } : undefined);
  }
  linkNumbers(tree, repository);
  for (const element of elements(tree)) {
    if (element.tagName === "a") localize(element, origin);
    if (element.tagName === "pre") markDiagram(element);
    if (element.tagName === "li") nameBox(element);
  }
  return new Html(toHtml(tree));
}

function sanitizedTree(source: string): Root {
  const tree = sanitize(fromHtml(rendered(source), { fragment: true }), SCHEMA);
  return tree.type === "root" ? tree : { type: "root", children: [] };
}

/** What a reader sees, in one line of plain text. */
export function plainText(source: string): string {
  return textOf(sanitizedTree(source)).replaceAll(/\s+/g, " ").trim();
}

function elements(node: Root | RootContent): Element[] {
  if (!("children" in node)) return [];
  const inside = node.children.flatMap((child) => elements(child));
  return node.type === "element" ? [node, ...inside] : inside;
}

/** @param task its index among all, and a name that does not depend on the boxes before it */
function showBox({ properties }: Element, task: { index: number; name: string } | undefined): void {
  properties.className = ["task-list-item-checkbox"];
  properties.disabled = task === undefined;
  if (task === undefined) return;
  properties.id = `task-${task.name}`;
  properties.name = "task";
  properties.value = String(task.index);
}

/** Names the box of a list's item by its line. An item with boxes in a list below it has none of its own. */
function nameBox(item: Element): void {
  const line = item.children.filter((child) => child.type !== "element" || child.tagName !== "ul");
  const box = line.flatMap(elements).find(({ tagName }) => tagName === "input");
  if (box === undefined) return;
  item.properties.className = ["task-list-item"];
  box.properties.ariaLabel = textOf(item).trim().split("\n")[0] ?? "";
}

function textOf(node: Root | RootContent): string {
  if (node.type === "text") return node.value;
  return "children" in node ? node.children.map((child) => textOf(child)).join("") : "";
}

function localize({ properties }: Element, origin: string): void {
  const { href } = properties;
  if (typeof href !== "string") return;
  if (href.startsWith(`${origin}/`)) {
    properties.href = href.slice(origin.length);
  } else if (/^https?:/.test(href)) {
    properties.rel = ["noopener", "noreferrer", "nofollow"];
    properties.target = "_blank";
  }
}

/** The browser draws what is in a block of Mermaid, as GitHub does. */
function markDiagram(block: Element): void {
  const [code] = block.children;
  if (code?.type !== "element" || code.tagName !== "code") return;
  const names = code.properties.className;
  if (!Array.isArray(names) || !names.includes("language-mermaid")) return;
  block.properties.className = ["mermaid"];
  block.children = [{ type: "text", value: textOf(code) }];
}

/** Elements in which `#1` is no reference. */
const NO_REFERENCES = new Set(["a", "code", "pre"]);

/** `#1` is a link to that issue. */
function linkNumbers(node: Root | Element, repository: string): void {
  node.children = (node.children as ElementContent[]).flatMap((child): ElementContent[] => {
    if (child.type === "text") return withLinks(child.value, repository);
    if (child.type === "element" && !NO_REFERENCES.has(child.tagName)) {
      linkNumbers(child, repository);
    }
    return [child];
  });
}

function withLinks(text: string, repository: string): ElementContent[] {
  // Every second piece is a reference.
  return text.split(/(?<![\w#&/])(#\d{1,9})\b/).map((value, index) => {
    const piece = { type: "text" as const, value };
    if (index % 2 === 0) return piece;
    const href = `/${repository}/issues/${value.slice(1)}`;
    return { type: "element", tagName: "a", properties: { href }, children: [piece] };
  });
}
