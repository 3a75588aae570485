/** GitHub's own limits. */

import { HttpError } from "../http/http-error.ts";

/** Characters of the body of an issue, pull request or comment. */
const MAX_BODY = 65_536;

/** After so many comments, an issue takes no more of them, for ever. */
export const MAX_COMMENTS = 2_500;

/** Bytes of a file that GitHub tells in JSON, and at all. */
export const MAX_JSON_FILE = 1024 * 1024;
export const MAX_FILE = 100 * 1024 * 1024;

/** Files of a commit or pull request that are told, and how many a page of a commit has. */
export const MAX_FILES = 3_000;
export const COMMIT_FILES = 300;

/** What a comparison tells of commits when no page is asked for, and of files in any case. */
export const COMPARED_COMMITS = 250;
export const COMPARED_FILES = 300;

/** How many records of a list GitHub gives at a time, unless it is asked for another number. */
const PAGE = 30;
const MAX_PAGE = 100;

/** @throws HttpError 422 where a body is too long */
export function checkBody<T extends string | null | undefined>(body: T): T {
  if ((body?.length ?? 0) <= MAX_BODY) return body;
  const message = `body is too long (maximum is ${MAX_BODY} characters)`;
  const errors = [{ resource: "Issue", code: "custom", field: "body", message }];
  throw new HttpError(422, "Validation Failed", {}, { errors });
}

/**
 * The page of a list that an address asks for, and the `Link` header that leads to the others.
 *
 * @param address with `page` and `per_page`, if it has them
 * @param largest the most records of a page, and then how many it has usually
 */
export function pageOf<T>(list: readonly T[], address: URL, largest = MAX_PAGE, usual = PAGE) {
  const wanted = (name: string, fallback: number) =>
    Math.max(1, Number.parseInt(address.searchParams.get(name) ?? "", 10) || fallback);
  const size = Math.min(largest, wanted("per_page", usual));
  const page = wanted("page", 1);
  const last = Math.max(1, Math.ceil(list.length / size));
  const to = (number: number, rel: string) => {
    const url = new URL(address);
    url.searchParams.set("per_page", String(size));
    url.searchParams.set("page", String(number));
    return `<${url}>; rel="${rel}"`;
  };
  const links = [
    ...(page > 1 ? [to(page - 1, "prev"), to(1, "first")] : []),
    ...(page < last ? [to(page + 1, "next"), to(last, "last")] : []),
  ];
  return { items: list.slice((page - 1) * size, page * size), link: links.join(", ") };
}
