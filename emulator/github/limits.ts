/** GitHub's own limits. */

import { HttpError } from "../http/http-error.ts";

/** Characters of the body of an issue, pull request or comment. */
const MAX_BODY = 65_536;

/** An issue with so many comments accepts no more. */
export const MAX_COMMENTS = 2_500;

/** Maximum size of a file that GitHub returns, in JSON and at all, in bytes. */
export const MAX_JSON_FILE = 1024 * 1024;
export const MAX_FILE = 100 * 1024 * 1024;

/** Maximum number of files of a commit or pull request that GitHub lists, and of those on a page of a commit. */
export const MAX_FILES = 3_000;
export const COMMIT_FILES = 300;

/** Maximum number of commits in a comparison without a page, and of files in any comparison. */
export const COMPARED_COMMITS = 250;
export const COMPARED_FILES = 300;

/** Records on a page, unless the request asks for another number. */
const PAGE = 30;
const MAX_PAGE = 100;

/** @throws HttpError 422 where a body is too long */
export function checkBody<T extends string | null | undefined>(body: T): T {
  if ((body?.length ?? 0) <= MAX_BODY) return body;
  const message = `body is too long (maximum is ${MAX_BODY} characters)`;
  const errors = [{ resource: "Issue", code: "custom", field: "body", message }];
  throw new HttpError(422, "Validation Failed", {}, { errors });
}

/** Refuses pages that are too deep in a long list. @throws HttpError 422 */
export function checkDepth({ searchParams }: URL, most: number): void {
  const [page = 1, size = PAGE] = ["page", "per_page"].map((name) =>
    Number(searchParams.get(name) ?? (name === "page" ? 1 : PAGE)),
  );
  if (page * size <= most) return;
  const message =
    "In order to keep the API fast for everyone, pagination is limited for this resource.";
  throw new HttpError(422, message);
}

/**
 * The page of a list that a URL asks for, and the `Link` header with the URLs of the others.
 *
 * @param address with `page` and `per_page`, if the request has them
 * @param largest maximum number of records on a page
 * @param usual number of records without `per_page`
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
