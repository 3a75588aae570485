const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])\.?$/;

/** Whether a URL's host is this machine, so that nobody can intercept the traffic. */
export function isLoopback(url: URL): boolean {
  return LOOPBACK.test(url.hostname);
}

/** A URL without slashes at its end, so that a path can be added. */
export function withoutTrailingSlash({ href }: URL): string {
  // Without the lookbehind, the time would grow by the square of the number of slashes.
  return href.replace(/(?<!\/)\/+$/, "");
}

/** Maximum length of a link, in characters. It must fit into a comment, and servers accept it. */
const MAX_LINK = 2000;

/**
 * Checks a link from the service. It may be shown if it is `https:`, or `http:` on loopback, has no user and password,
 * and is not too long.
 *
 * @returns the link with all characters percent-encoded that have a meaning in Markdown or a log; null if it is unsafe
 */
export function safeLink(text: string | null | undefined): string | null {
  // A URL parser removes line ends and similar characters. A text that contains them is not a link.
  if (
    text === null ||
    text === undefined ||
    text.length > MAX_LINK ||
    /[\u0000-\u0020\u007F]/.test(text)
  )
    return null;
  const url = URL.parse(text);
  if (url === null || url.username !== "" || url.password !== "") return null;
  if (url.protocol !== "https:" && (url.protocol !== "http:" || !isLoopback(url))) return null;
  // The brackets around an IPv6 address stay.
  const link = url.href.replace(
    /(?<!^https?:\/\/[^/]*)[[\]]|[(){}<>|\\`'"*!~^$@]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return link.length > MAX_LINK ? null : link;
}

/** The number of a pull or merge request, from the path of its URL; null if the URL contains none. */
export function pullNumber(link: string): string | null {
  const { pathname } = new URL(link);
  const path = /\/(?:pull|pulls|pull-requests|merge_requests)\/(\d+)(?:\/|$)/;
  return path.exec(pathname)?.[1] ?? null;
}

/** A pull request in a few words: `#7`, or its URL if that contains no number. */
export function pullName(link: string): string {
  const number = pullNumber(link);
  return number === null ? link : `#${number}`;
}

/** The pull request that a link leads to, if it is one on this server. */
export function pullRequestAt(
  link: string,
  serverUrl: string,
): { repository: string; number: number } | null {
  const [url, server] = [URL.parse(link), URL.parse(serverUrl)];
  if (url === null || server === null || url.host !== server.host) return null;
  const [, repository, number] = /^\/([^/]+\/[^/]+)\/pull\/(\d+)\/?$/.exec(url.pathname) ?? [];
  return repository === undefined ? null : { repository, number: Number(number) };
}
