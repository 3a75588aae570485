import fc from "fast-check";
import { expect, test } from "vitest";
import { rendered } from "../../emulator/github/rendered-markdown.ts";
import { hostileText } from "../../test/support/arbitrary.ts";
import { runs } from "../../test/support/sample.ts";
import { isLoopback, pullNumber, pullRequestAt, safeLink } from "./link.ts";

const PULL = "https://github.com/octo/docs/pull/42";

test.each([
  PULL,
  "https://github.com/octo/docs/pull/42?tab=files&x=1#discussion",
  "http://127.0.0.1:4010/octo/docs/pull/1",
  "http://localhost:4010/pull/1",
  "https://gitlab.example:8443/a/b/-/merge_requests/7",
  "http://[::1]:4010/octo/docs/pull/3",
  "https://[2001:db8::1]/octo/docs/pull/3",
])("%s is a link as it is", (link) => {
  expect(safeLink(link)).toBe(link);
});

test.each([
  ["a script", "javascript:alert(1)"],
  ["a script in capitals", "JavaScript://github.com/%0Aalert(1)"],
  ["data", "data:text/html,<script>x</script>"],
  ["a file", "file:///etc/passwd"],
  ["http to somewhere else", "http://github.com/octo/docs/pull/1"],
  ["http to a host that only looks like loopback", "http://localhost.evil.example/pull/1"],
  ["http to a number that only looks like loopback", "http://127.0.0.1.evil.example/"],
  ["ftp", "ftp://127.0.0.1/x"],
  ["a path", "/octo/docs/pull/1"],
  ["without a scheme", "//github.com/octo/docs/pull/1"],
  ["with a user", "https://github.com@evil.example/pull/1"],
  ["with a password", "https://a:b@evil.example/pull/1"],
  ["with a line end", "https://github.com/\noctos/pull/1"],
  ["with a tab in its scheme", "java\tscript:alert(1)"],
  ["with a space", `${PULL} title`],
  ["with a space before it", ` ${PULL}`],
  ["empty", ""],
])("an address that is %s is no link", (_, link) => {
  expect(safeLink(link)).toBeNull();
});

/** Addresses, most of them good ones, with hostile text in every part. */
const address = fc
  .tuple(
    fc.constantFrom("https:", "https:", "https:", "http:", "HTTPS:", "javascript:", "data:", ""),
    fc.constantFrom("//", "//", "//", "/", "", "\\\\"),
    fc.oneof(
      fc.constantFrom("github.com", "127.0.0.1:80", "localhost", "[::1]:80", "a@b.example"),
      hostileText({ maxLength: 3 }),
    ),
    fc.array(
      fc.oneof(
        fc.constantFrom("pull", "1", "?", "#", "(", ")", "](", "<", ">", "\\", '"', "'", "`", "|"),
        hostileText({ maxLength: 3 }),
      ),
      { maxLength: 8 },
    ),
  )
  .map(([scheme, slashes, host, rest]) => `${scheme}${slashes}${host}/${rest.join("")}`);

test("a link from any text is https, or http on this machine, and has no user", () => {
  fc.assert(
    fc.property(fc.oneof(address, hostileText()), (text) => {
      const link = safeLink(text);
      if (link === null) return;
      const url = new URL(link);
      expect(url.protocol === "https:" || (url.protocol === "http:" && isLoopback(url))).toBe(true);
      expect(url.username + url.password).toBe("");
      expect(url.host).toBe(new URL(text).host);
    }),
    { numRuns: runs(1500) },
  );
});

test("a link from any text stays in its place in Markdown, and on its line in a log", () => {
  fc.assert(
    fc.property(fc.oneof(address, hostileText()), (text) => {
      const link = safeLink(text);
      if (link === null) return;
      expect(link).toMatch(/^[\x21-\x7E]+$/);
      expect(rendered(`**[Pull request #1](${link})** end`)).toMatch(
        /^<p><strong><a href="[^"<>]*">Pull request #1<\/a><\/strong> end<\/p>$/,
      );
    }),
    { numRuns: runs(1500) },
  );
});

test.each([
  [PULL, "42"],
  [`${PULL}/files`, "42"],
  ["https://gitlab.example/a/b/-/merge_requests/7", "7"],
  ["https://bitbucket.example/a/b/pull-requests/8", "8"],
  ["https://codeberg.example/a/b/pulls/9", "9"],
  ["https://github.com/octo/docs/pull/4x", null],
  ["https://github.com/octo/docs/issues/4", null],
])("the number in %s is %j", (link, number) => {
  expect(pullNumber(link)).toBe(number);
});

test.each<[string, string]>([
  [PULL, "octo/docs"],
  [`${PULL}/`, "octo/docs"],
  ["https://github.com/Octo/Docs/pull/42", "Octo/Docs"],
])("%s leads to a pull request", (link, repository) => {
  expect(pullRequestAt(link, "https://github.com")).toEqual({ repository, number: 42 });
});

test.each([
  ["in a folder", "https://github.com/x/octo/docs/pull/42", "https://github.com"],
  ["on another server", "https://github.example/octo/docs/pull/42", "https://github.com"],
  ["on another port", "https://github.com:8443/octo/docs/pull/42", "https://github.com"],
  ["a page of one", `${PULL}/files`, "https://github.com"],
  ["without a server", PULL, ""],
  ["that is no URL", "octo/docs#42", "https://github.com"],
])("a link %s leads to none", (_, link, server) => {
  expect(pullRequestAt(link, server)).toBeNull();
});
