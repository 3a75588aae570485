import fc from "fast-check";
import { type DefaultTreeAdapterTypes, parseFragment } from "parse5";
import { expect, test } from "vitest";
import { character } from "../../test/support/arbitrary.ts";
import { html } from "./html.ts";

test("any text that is put in is shown as it is, as text and in an attribute", () => {
  fc.assert(
    fc.property(fc.string({ unit: character }), (text) => {
      // A browser reads these otherwise, wherever they are.
      const kept = text.replaceAll(/[\0\r\ud800-\udfff]/g, "");
      const [element] = parseFragment(html`<p title="${kept}">${kept}</p>`.markup).childNodes;
      const { attrs, childNodes } = element as DefaultTreeAdapterTypes.Element;
      expect(attrs).toEqual([{ name: "title", value: kept }]);
      // Each node knows its parent: to compare whole nodes takes long.
      const texts = childNodes.map((node) => (node as DefaultTreeAdapterTypes.TextNode).value);
      expect(texts).toEqual(kept === "" ? [] : [kept]);
    }),
  );
});

test("markup, lists and nothing are put in as what they are", () => {
  const items = ["<", html`<b>1</b>`];
  expect(html`${items}${false}${undefined}${0}`.markup).toBe("&#60;<b>1</b>0");
});
