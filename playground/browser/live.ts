/** Keeps the page up to date: replaces only what changed on the server. */

import { Idiomorph } from "idiomorph";
import { drawDiagrams } from "./diagrams.ts";

/** The HTML comes from the server, escaped and sanitized. */
type Message = Record<"main" | "aside", { html: string }[]>;

/** Attributes that the page sets itself. */
const KEPT = ["open", "aria-busy", "tabindex"];
/** Attributes of fields that a person sets. The server sets the boxes of a task list. */
const VALUES = ["value", "checked", "selected"];
const FIELDS = "form:not([data-tick]) :is(input, textarea, option)";

/** Follows the page's updates while it is visible: a browser has few connections to one server. */
export function follow(path: string): void {
  const banner = document.querySelector<HTMLElement>("#connection");
  let events: EventSource | undefined;
  const open = () => {
    events = new EventSource(`/events?page=${encodeURIComponent(path)}`);
    events.onmessage = ({ data }: MessageEvent<string>) => show(JSON.parse(data) as Message);
    events.onopen = () => showBanner(banner, "");
    events.onerror = () =>
      showBanner(banner, "The playground does not answer. Is 'npm start -- --keep' still running?");
  };
  document.addEventListener("visibilitychange", () => {
    events?.close();
    if (!document.hidden) open();
  });
  addEventListener("pagehide", () => events?.close());
  if (!document.hidden) open();
}

/** Announces news to screen readers. */
export function announce(...news: string[]): void {
  const place = document.querySelector("#news");
  if (place !== null && news.length > 0) place.textContent = news.join(". ");
}

function showBanner(banner: HTMLElement | null, text: string): void {
  if (banner === null) return;
  banner.textContent = text;
  banner.hidden = text === "";
}

function show(message: Message): void {
  const news = Object.entries(message).flatMap(([name, parts]) => {
    const region = document.querySelector<HTMLElement>(`[data-region="${name}"]`);
    return region === null ? [] : showRegion(region, parts.map(({ html }) => html).join(""));
  });
  announce(...news);
  void drawDiagrams();
}

/** @returns labels of what is new */
function showRegion(region: HTMLElement, html: string): string[] {
  const before = labelsIn(region);
  const focused = document.activeElement;
  const place = focused?.closest<HTMLElement>("[data-label]");
  const log = region.querySelector(".log");
  const isAtEnd = log !== null && log.scrollTop + log.clientHeight > log.scrollHeight - 8;
  Idiomorph.morph(region, html, {
    morphStyle: "innerHTML",
    callbacks: {
      // Keeps what a person opened, wrote or chose, the first texts of boxes to write in, error messages, and diagrams
      // that did not change.
      beforeAttributeUpdated: (name, element) =>
        !KEPT.includes(name) && !(VALUES.includes(name) && element.matches(FIELDS)),
      beforeNodeMorphed: (old, next) =>
        !(old instanceof HTMLElement) ||
        (old.role !== "alert" &&
          !(old instanceof HTMLTextAreaElement) &&
          old.dataset.source !== (next.textContent ?? "")),
    },
  });
  keepFocus(focused, place);
  if (isAtEnd) log.scrollTop = log.scrollHeight;
  return labelsIn(region).filter((label) => !before.includes(label));
}

/** A box may disappear when it is ticked. Then focuses its place, for those who use the keyboard. */
function keepFocus(focused: Element | null, place: HTMLElement | null | undefined): void {
  if (focused?.isConnected !== false || !place?.isConnected) return;
  place.tabIndex = -1;
  place.focus({ preventScroll: true });
}

function labelsIn(region: HTMLElement): string[] {
  const parts = [...region.querySelectorAll<HTMLElement>(":scope > [data-label]")];
  return parts.map(({ dataset }) => dataset.label ?? "");
}
