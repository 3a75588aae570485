/** Versions of the REST API. */

import { HttpError } from "../http/http-error.ts";

export const OLD_VERSION = "2022-11-28";
export const NEW_VERSION = "2026-03-10";

/** Fields that the new version no longer has, in records of any kind. */
const GONE = ["merge_commit_sha", "assignee"];

/** @param usual the version of a request that names none @throws HttpError 400 */
export function versionOf(named: string | undefined, usual: string): string {
  const version = named ?? usual;
  if (version === OLD_VERSION || version === NEW_VERSION) return version;
  const supported = `${NEW_VERSION}, ${OLD_VERSION}`;
  throw new HttpError(400, `${version} is not a supported version. Supported: ${supported}.`);
}

/** A body as a version has it, in JSON. */
export function inVersion(body: unknown, version: string): string {
  const text = JSON.stringify(body);
  // Copying it takes several times as long, and most records have none of these.
  const isSame = version === OLD_VERSION || GONE.every((name) => !text.includes(`"${name}":`));
  return isSame ? text : JSON.stringify(withoutGone(body));
}

/** A copy without the fields that the new version no longer has. A function that `stringify` calls for each is slower. */
function withoutGone(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutGone);
  if (typeof value !== "object" || value === null) return value;
  const copy: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(value)) {
    if (!GONE.includes(name)) copy[name] = withoutGone(field);
  }
  return copy;
}
