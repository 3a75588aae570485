import fc from "fast-check";
import { type DefaultTreeAdapterTypes, parseFragment } from "parse5";
import { expect, test } from "vitest";
import { character } from "../../test/support/arbitrary.ts";
import { link } from "./bits.ts";
import { html, sent } from "./html.ts";

test("any text that is put in is shown as it is, as text and in an attribute", () => {
  fc.assert(
    fc.property(fc.string({ unit: character }), (text) => {
      // A browser reads these otherwise, wherever they are.
      const kept = text.replaceAll(/[\0\r\ud800-\udfff]/g, "");
      const [element] = parseFragment(html`<p title="${kept}">${kept}</p>`.markup).childNodes;
      const { attrs, childNodes } = element as DefaultTreeAdapterTypes.Element;
      expect(attrs).toEqual([{ name: "title", value: kept }]);
      // Each node knows its parent: to compare whole nodes takes long.
      const texts = childNodes.map((it) => (it as DefaultTreeAdapterTypes.TextNode).value);
      expect(texts).toEqual(kept === "" ? [] : [kept]);
    }),
  );
});

test("markup, lists and nothing are put in as what they are", () => {
  const items = ["<", html`<b>1</b>`];
  expect(html`${items}${false}${undefined}${0}`.markup).toBe("&#60;<b>1</b>0");
});

test("a part's version tells whether its content changed", () => {
  const part = (text: string) => sent({ key: "k", label: "l", content: html`${text}` });
  expect(part("a").version).toBe(part("a").version);
  expect(part("a").version).not.toBe(part("b").version);
  expect(JSON.parse(JSON.stringify(part("a")))).toMatchObject({ key: "k", label: "l" });
  expect(JSON.stringify(part("a"))).toContain(">a</div>");
});

test.each([
  ["http://127.0.0.1:1/acme/docs/pull/2", '<a href="/acme/docs/pull/2">x</a>'],
  [
    "https://example.com",
    '<a href="https://example.com" rel="noopener noreferrer nofollow" target="_blank">x</a>',
  ],
  ["javascript:alert(1)", "javascript:alert(1)"],
])("a link to %s", (url, expected) => {
  expect(link(url, "x", "http://127.0.0.1:1").markup).toBe(expected);
});
