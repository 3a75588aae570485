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
  // Looking at every field takes several times as long, and most records have none of these.
  const isSame = version === OLD_VERSION || GONE.every((name) => !text.includes(`"${name}":`));
  if (isSame) return text;
  return JSON.stringify(body, (name, value) => (GONE.includes(name) ? undefined : value));
}
