import fc from "fast-check";
import { type DefaultTreeAdapterTypes, parseFragment } from "parse5";
import { describe, expect, test } from "vitest";
import { markdown, plainText } from "./markdown.ts";

const origin = "http://127.0.0.1:4001";
const options = { repository: "acme/docs", origin };
const shown = (source: string, canTick = false) => markdown(source, { ...options, canTick }).markup;

type Element = DefaultTreeAdapterTypes.Element;

function elementsIn(markup: string): Element[] {
  const inside = (node: { childNodes?: DefaultTreeAdapterTypes.ChildNode[] }): Element[] =>
    (node.childNodes ?? []).flatMap((child) => [
      ...("tagName" in child ? [child] : []),
      ...inside(child as { childNodes?: DefaultTreeAdapterTypes.ChildNode[] }),
    ]);
  return inside(parseFragment(markup));
}

describe("what anybody may have written", () => {
  const HOSTILE = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "<svg onload=alert(1)><style>*{}</style></svg>",
    "[x](javascript:alert(1))",
    "<a href=' javascript:alert(1)' style='x' onclick=a>x</a>",
    "<form action=/acme/docs/upkeep><input name=broken><button>x</button></form>",
    "<iframe src=//evil.example></iframe>",
    "![x](http://evil.example/x.png)",
    "<input type=checkbox name=task value=0 id=task-0>",
    "<div data-tick='/acme/docs/issues/1/tick' data-region=main data-key=x class=box>x</div>",
    "<base href=//evil.example><meta http-equiv=refresh content=0>",
    '<details open id="content"><summary>x</summary></details>',
    "```mermaid\npie\n</pre><script>alert(1)</script>\n```\n",
    "<!-- --!><img src=x onerror=alert(1)> -->",
    "\n\n",
  ];
  const SAFE =
    /^(a|b|blockquote|br|code|dd|del|details|div|dl|dt|em|h[1-6]|hr|i|img|input|ins|kbd|li|ol|p|picture|pre|q|rp|rt|ruby|s|samp|section|source|span|strike|strong|sub|summary|sup|table|tbody|td|tfoot|th|thead|tr|tt|ul|var)$/;

  test("has no scripts, no styles, no forms, and loads nothing", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...HOSTILE)), fc.boolean(), (pieces, canTick) => {
        for (const { tagName, attrs } of elementsIn(shown(pieces.join(" "), canTick))) {
          expect(tagName).toMatch(SAFE);
          const named = new Map(attrs.map(({ name, value }) => [name, value]));
          for (const name of named.keys()) {
            expect(name).not.toMatch(/^(on|style$|srcset$|src$|action$|data-)/);
          }
          expect(named.get("href") ?? "#").toMatch(/^($|https?:|mailto:|\/|#)/);
          expect(named.get("id") ?? "task-0").toMatch(/^(user-content-|task-\w+$)/);
        }
      }),
    );
  });

  test("cannot pass for a box of a task list", () => {
    const forged = "<input type=checkbox name=task value=0>\n\n- [ ] real";
    expect(shown(forged, true)).not.toContain('name="task"');
  });
});

test("boxes can be ticked where that is allowed, and are named by their lines", () => {
  const source = "- [ ] <!-- 1 --> `Add x`\n- [x] two\n";
  expect(shown(source)).toMatch(/disabled.*disabled/s);
  const markup = shown(source, true);
  expect(markup).not.toContain("disabled");
  expect(markup).toMatch(/value="0"[^>]*aria-label="Add x"/);
  expect(markup).toMatch(/checked[^>]*value="1"[^>]*aria-label="two"/);
  // A box is the same one when it is ticked, and when another comes before it.
  const ids = (text: string) =>
    [...shown(text, true).matchAll(/id="(task-\w+)"/g)].map(([, id]) => id);
  expect(ids(`- [ ] new\n${source.replace("[ ]", "[x]")}`).slice(1)).toEqual(ids(source));
});

test("an item without a box keeps its bullet, whether or not it has boxes below it", () => {
  const source = "- change\n\n  - [ ] again\n  - [ ] leave\n- other\n- [ ] all\n";
  const items = elementsIn(shown(source)).filter(({ tagName }) => tagName === "li");
  const boxed = { name: "class", value: "task-list-item" };
  expect(items.map(({ attrs }) => attrs)).toEqual([[], [boxed], [boxed], [], [boxed]]);
});

test("as text, it is what a reader sees, in one line", () => {
  expect(plainText("### Done <!-- x -->\n\n**Pull** [request](http://a.example) `#2`\n")).toBe(
    "Done Pull request #2",
  );
});

test("links to the emulated GitHub stay in the playground, others open apart", () => {
  expect(shown(`[a](${origin}/acme/docs/pull/2)`)).toContain('<a href="/acme/docs/pull/2">');
  expect(shown("[a](https://example.com)")).toMatch(/rel="noopener[^"]*" target="_blank"/);
});

test("a number of an issue is a link, but not in code, links or words", () => {
  expect(shown("see #12.")).toContain('see <a href="/acme/docs/issues/12">#12</a>.');
  expect(shown("`#1` [#2](https://example.com) a#3 &#35;4x")).not.toContain("/issues/");
});

test("a diagram is left for the browser to draw, as text", () => {
  const markup = shown('```mermaid\npie\n  "a<b" : 1\n```\n');
  const [block] = elementsIn(markup);
  expect(block?.attrs).toEqual([{ name: "class", value: "mermaid" }]);
  expect(block?.childNodes).toMatchObject([{ value: 'pie\n  "a<b" : 1\n' }]);
});

test("comments in HTML are not shown", () => {
  expect(shown("a <!-- docs-agent:x --> b")).not.toContain("docs-agent");
});
