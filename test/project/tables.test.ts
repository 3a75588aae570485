import { expect, test } from "vitest";
import { ACTIONS } from "../../scripts/actions.ts";
import { withTables } from "../../scripts/tables.ts";
import { METADATA, PAGES, read } from "./files.ts";

test.each(PAGES)("the tables in %s are up to date with the action.yml files", (page) => {
  expect(withTables(read(page), read)).toBe(read(page));
});

const tables = PAGES.flatMap((page) => read(page).match(/<!-- (?:inputs|outputs): \S+ -->/g) ?? []);

test.each(ACTIONS)(
  "the page of $metadata has one table of its inputs and one of its outputs",
  (action) => {
    const { metadata, page } = action;
    for (const table of [`<!-- inputs: ${metadata} -->`, `<!-- outputs: ${metadata} -->`]) {
      expect(read(page)).toContain(table);
      expect(tables.filter((other) => other === table)).toHaveLength(1);
    }
  },
);

test("every action.yml is in the list of actions, and in one of the README's tables, with its page", () => {
  expect(ACTIONS.map(({ metadata }) => metadata).sort()).toEqual(METADATA.toSorted());
  const tables = [
    ...read("README.md").matchAll(/<!-- actions: (?:first|more) -->\n([\s\S]*?)<!-- end -->/g),
  ];
  const rows = tables.flatMap(([, table = ""]) => [
    ...table.matchAll(/^\| \[.+?\]\((.+?)\) \| \S.* \|$/gm),
  ]);
  expect(rows.map(([, page]) => page).sort()).toEqual(ACTIONS.map(({ page }) => page).sort());
});

test("a table of actions has the description of each", () => {
  const page = "<!-- actions -->\n<!-- end -->";
  const table = withTables(page, (file) => `description: What ${file} does.\n`);
  expect(table).toContain("| [`queue`](docs/queue.md) | What queue/action.yml does. |");
});

test("a table of reasons leaves out what is the same in each row", () => {
  const headOf = (name: string) =>
    withTables(`<!-- reasons: ${name} -->\n<!-- end -->`, read).split("\n")[2];
  expect(headOf("undecided")).toBe("| code | what is said |");
  expect(headOf("waits")).toBe("| code | waits for | at most | what is said | what ends it |");
});

test("a table of inputs without a file is an error", () => {
  expect(() => withTables("<!-- inputs -->\n<!-- end -->", read)).toThrow("names no file");
});

test("a default of several lines stays in its row", () => {
  const page = "<!-- inputs: action.yml -->\n<!-- end -->";
  const metadata =
    "inputs:\n  names:\n    description: Names.\n    default: |\n      one\n      two\n";
  expect(withTables(page, () => metadata)).toContain("| `names` | `one`<br>`two` | Names. |");
});

test("a workflow that others call has tables of its inputs and secrets", () => {
  const file = `on:
  workflow_call:
    inputs:
      upkeep: { description: Whether., type: boolean, default: true }
      paths: { description: Paths., type: string, default: "" }
    secrets:
      api-key: { description: Key., required: true }
`;
  const page = "<!-- inputs: a.yml -->\n<!-- end -->\n<!-- secrets: a.yml -->\n<!-- end -->";
  const tables = withTables(page, () => file);
  expect(tables).toContain("| `upkeep` | `true` | Whether. |\n| `paths` |  | Paths. |");
  expect(tables).toContain(
    "| secret | default | meaning |\n| --- | --- | --- |\n| `api-key` | **req",
  );
});
