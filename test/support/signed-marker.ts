import { createHmac, hkdfSync } from "node:crypto";
import fc from "fast-check";
import { type JobMarker, jobMarkers } from "../../src/github/conversation/job-marker.ts";
import type { Place } from "../../src/github/conversation/markers.ts";
import { anyText, hostileText } from "./arbitrary.ts";

/** The key that signs. */
export const KEY = "mint_k3yOfTheMarkers";
/** Where the comment is. */
export const PLACE: Place = { repository: "octo/docs", issue: 7 };
/** The content of the marker. */
export const MEMORY: JobMarker = {
  job: "job_1",
  api: "v2",
  request: "accepted",
  ended: null,
  run: "1001",
  attempt: 1,
  step: "write-docs/docs",
  asks: "keyed-hash",
};
/** The ID of the comment that contains the marker. */
export const COMMENT = 4711;

/** Reads and writes markers with the key. */
export const markers = jobMarkers([KEY], "docs");
export const marker = markers.write(PLACE, MEMORY, COMMENT);

/** The parts of a marker. */
export function partsOf(text: string): { payload: string; signature: string } {
  const [, payload = "", signature = ""] = /docs-agent:([\w-]+)\.([\w-]+)/.exec(text) ?? [];
  return { payload, signature };
}

/** Signs a payload as the action does. */
export function signed(payload: string, key = KEY): string {
  const secret = Buffer.from(
    hkdfSync("sha256", key, "docs", "docs-agent-action comment marker v1", 32),
  );
  const signature = createHmac("sha256", secret).update(`marker\n${payload}`).digest("base64url");
  return `<!-- docs-agent:${payload}.${signature} -->`;
}

/** Encodes a payload for a marker. */
export function encoded(value: unknown): string {
  return Buffer.from(typeof value === "string" ? value : JSON.stringify(value)).toString(
    "base64url",
  );
}

/** The signed fields of the marker. */
export const fields: Record<string, unknown> = JSON.parse(
  Buffer.from(partsOf(marker).payload, "base64url").toString(),
);

const word = fc.oneof(anyText(60), hostileText({ maxLength: 6 }));
const name = fc.stringMatching(/^[A-Za-z0-9._-]{1,20}\/[A-Za-z0-9._-]{1,20}$/);
/** Any place on GitHub. */
export const anyPlace = fc.record({
  repository: name,
  issue: fc.integer({ min: 1, max: 2 ** 40 }),
});
/** Any content of a marker. */
export const anyMemory: fc.Arbitrary<JobMarker> = fc.record({
  job: fc.option(word.filter((text) => text !== "")),
  api: fc.constantFrom("v1", "v2"),
  ended: fc.constantFrom(null, "completed", "archived", "failed", "unknown"),
  run: fc.option(word.filter((text) => text !== "")),
  attempt: fc.integer({ min: 1, max: 1000 }),
  step: word,
  request: fc.constantFrom("accepted", "refused", "uncertain"),
  asks: word,
});
