import { expect, test } from "vitest";
import { PAGE_OF, withTables } from "../../scripts/tables.ts";
import { ACTIONS, PAGES, read } from "./files.ts";

test.each(PAGES)("the tables in %s are those of the action.yml files", (page) => {
  expect(withTables(read(page), read)).toBe(read(page));
});

const tables = PAGES.flatMap((page) => read(page).match(/<!-- (?:inputs|outputs): \S+ -->/g) ?? []);

test.each(ACTIONS)("the inputs and outputs of %s stand in tables of its page, once", (action) => {
  for (const table of [`<!-- inputs: ${action} -->`, `<!-- outputs: ${action} -->`]) {
    expect(read(PAGE_OF[action] ?? "")).toContain(table);
    expect(tables.filter((it) => it === table)).toHaveLength(1);
  }
});

test("the README has a table of every action, with its page", () => {
  expect(Object.keys(PAGE_OF).sort()).toEqual(ACTIONS.toSorted());
  const [, table = ""] = /<!-- actions -->\n([\s\S]*?)<!-- end -->/.exec(read("README.md")) ?? [];
  const pages = [...table.matchAll(/^\| \[.+?\]\((.+?)\) \| \S.* \|$/gm)].map(([, page]) => page);
  expect(pages).toEqual(Object.values(PAGE_OF));
});

test("a table of actions tells each one's description", () => {
  const page = "<!-- actions -->\n<!-- end -->";
  const table = withTables(page, (file) => `description: What ${file} does.\n`);
  expect(table).toContain("| [`queue`](docs/queue.md) | What queue/action.yml does. |");
});

test("a table of inputs that names no file is a mistake", () => {
  expect(() => withTables("<!-- inputs -->\n<!-- end -->", read)).toThrow("names no file");
});

test("a default of several lines stays in its row", () => {
  const page = "<!-- inputs: action.yml -->\n<!-- end -->";
  const metadata =
    "inputs:\n  names:\n    description: Names.\n    default: |\n      one\n      two\n";
  expect(withTables(page, () => metadata)).toContain("| `names` | `one`<br>`two` | Names. |");
});

test("a table of some inputs has these alone, in the order of their names", () => {
  const page = "<!-- inputs: action.yml (two, one) -->\n<!-- end -->";
  const metadata =
    "inputs:\n  one:\n    description: A.\n  two:\n    description: B.\n  three:\n    description: C.\n";
  const rows = withTables(page, () => metadata).match(/^\| `.*$/gm);
  expect(rows).toEqual(["| `two` |  | B. |", "| `one` |  | A. |"]);
  expect(() => withTables(page.replace("one", "four"), () => metadata)).toThrow(
    "There is no four.",
  );
});
