/** Keeps the page as the server has it: parts that changed are replaced, the rest stays as it is. */

import { drawDiagrams } from "./diagrams.ts";
import { planUpdate } from "./update.ts";

interface SentPart {
  key: string;
  version: string;
  label: string;
  html: string;
}

type Message = Record<"main" | "aside", SentPart[]>;

/** Follows the page's updates while it is visible: a browser has few connections to one server. */
export function follow(path: string): void {
  const banner = document.querySelector<HTMLElement>("#connection");
  let events: EventSource | undefined;
  const open = () => {
    events = new EventSource(`/events?page=${encodeURIComponent(path)}`);
    events.onmessage = ({ data }: MessageEvent<string>) => show(JSON.parse(data) as Message);
    events.onopen = () => tell(banner, "");
    events.onerror = () =>
      tell(banner, "The playground does not answer. Is 'npm start -- --keep' still running?");
  };
  document.addEventListener("visibilitychange", () => {
    events?.close();
    if (!document.hidden) open();
  });
  addEventListener("pagehide", () => events?.close());
  if (!document.hidden) open();
}

/** Tells whoever hears the page what has happened. */
export function announce(...news: string[]): void {
  const place = document.querySelector("#news");
  if (place !== null && news.length > 0) place.textContent = news.join(". ");
}

function tell(banner: HTMLElement | null, text: string): void {
  if (banner === null) return;
  banner.textContent = text;
  banner.hidden = text === "";
}

function show(message: Message): void {
  const news = Object.entries(message).flatMap(([name, parts]) => {
    const region = document.querySelector<HTMLElement>(`[data-region="${name}"]`);
    return region === null ? [] : showRegion(region, parts);
  });
  announce(...news);
  void drawDiagrams();
}

/** @returns what is new, in words */
function showRegion(region: HTMLElement, parts: SentPart[]): string[] {
  const elements = new Map(
    [...region.querySelectorAll<HTMLElement>(":scope > [data-key]")].map((element) => [
      element.dataset.key ?? "",
      element,
    ]),
  );
  const shown = [...elements].map(([key, { dataset }]) => ({
    key,
    version: dataset.version ?? "",
  }));
  const { order, removed } = planUpdate(shown, parts);
  for (const key of removed) elements.get(key)?.remove();
  const news: string[] = [];
  let before: Element | null = null;
  for (const { part, isChanged } of order) {
    const old = elements.get(part.key);
    const element = isChanged || old === undefined ? elementOf(part) : old;
    if (old !== undefined && old !== element) replace(old, element);
    const next: Element | null =
      before === null ? region.firstElementChild : before.nextElementSibling;
    if (next !== element) region.insertBefore(element, next);
    if (part.label !== "" && part.label !== old?.dataset.label) news.push(part.label);
    before = element;
  }
  return news;
}

/** The server has made it, escaped and sanitized. */
function elementOf({ html }: SentPart): HTMLElement {
  const template = document.createElement("template");
  template.innerHTML = html;
  return template.content.firstElementChild as HTMLElement;
}

/** What a person had opened stays open, and what was in focus keeps it. */
function replace(old: HTMLElement, element: HTMLElement): void {
  for (const { id } of old.querySelectorAll("details[open]")) {
    element.querySelector(`#${CSS.escape(id)}`)?.setAttribute("open", "");
  }
  const focused = old.contains(document.activeElement) ? document.activeElement?.id : "";
  const log = old.querySelector(".log");
  const isAtEnd = log !== null && log.scrollTop + log.clientHeight > log.scrollHeight - 8;
  old.replaceWith(element);
  if (focused) element.querySelector<HTMLElement>(`#${CSS.escape(focused)}`)?.focus();
  const newLog = element.querySelector(".log");
  if (log !== null && newLog !== null)
    newLog.scrollTop = isAtEnd ? newLog.scrollHeight : log.scrollTop;
}
