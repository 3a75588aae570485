/** GitHub takes bodies of issues, pull requests and comments of up to so many characters. */
export const MAX_BODY = 65_536;

/** How many records of a list GitHub gives at a time, unless it is asked for another number. */
const PAGE = 30;
/** The most that can be asked for. */
const MAX_PAGE = 100;

/**
 * The page of a list that an address asks for, and the `Link` header that leads to the others.
 *
 * @param address with `page` and `per_page`, if it has them
 */
export function pageOf<T>(list: readonly T[], address: URL): { items: T[]; link: string } {
  const wanted = (name: string, fallback: number) =>
    Math.max(1, Number.parseInt(address.searchParams.get(name) ?? "", 10) || fallback);
  const size = Math.min(MAX_PAGE, wanted("per_page", PAGE));
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
