/** Which parts of a page stay, come, change and go. */

export interface PartState {
  key: string;
  version: string;
}

export interface Update<Part extends PartState> {
  /** In the order of the page: what stays, and what takes a new place or content. */
  order: { part: Part; isChanged: boolean }[];
  /** Keys of what goes. */
  removed: string[];
}

/** @param shown what the page has now; @param next what it is to have */
export function planUpdate<Part extends PartState>(
  shown: readonly PartState[],
  next: readonly Part[],
): Update<Part> {
  const versions = new Map(shown.map(({ key, version }) => [key, version]));
  const keys = new Set(next.map(({ key }) => key));
  return {
    order: next.map((part) => ({ part, isChanged: versions.get(part.key) !== part.version })),
    removed: shown.map(({ key }) => key).filter((key) => !keys.has(key)),
  };
}
