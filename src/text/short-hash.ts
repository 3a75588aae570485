import { hash } from "node:crypto";

/** The beginning of the SHA-256 of a text: 12 hexadecimal digits. */
export function shortHash(text: string): string {
  return hash("sha256", text, "hex").slice(0, 12);
}
