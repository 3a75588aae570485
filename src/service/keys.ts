/** What kind of key an action takes: the agent an admin key, the assistant one of its own. */
export type KeyKind = "admin" | "assistant";

/** Kinds of Mintlify's keys by their prefix, the longer ones first. */
const PREFIXES = [
  ["mint_dsc_", "assistant"],
  ["mint_us_", "index"],
  ["mint_", "admin"],
] as const;

/** The kind that a key's prefix tells; null: another service may begin its keys as it likes. */
export function keyKindOf(key: string): KeyKind | "index" | null {
  return PREFIXES.find(([prefix]) => key.startsWith(prefix))?.[1] ?? null;
}

/** What keys of this kind begin with. */
export function prefixOf(kind: KeyKind): string {
  return PREFIXES.find(([, it]) => it === kind)?.[0] ?? "";
}
