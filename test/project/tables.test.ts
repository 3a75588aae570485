import { expect, test } from "vitest";
import { withTables } from "../../scripts/tables.ts";
import { ACTIONS, PAGES, read } from "./files.ts";

test.each(PAGES)("the tables in %s are those of the action.yml files", (page) => {
  expect(withTables(read(page), read)).toBe(read(page));
});

const tables = PAGES.flatMap((page) => read(page).match(/<!-- (?:inputs|outputs): \S+ -->/g) ?? []);

test.each(ACTIONS)("the inputs and outputs of %s stand in a table of some page", (action) => {
  expect(tables).toContain(`<!-- inputs: ${action} -->`);
  expect(tables).toContain(`<!-- outputs: ${action} -->`);
});

test("a default of several lines stays in its row", () => {
  const page = "<!-- inputs: action.yml -->\n<!-- end -->";
  const metadata =
    "inputs:\n  names:\n    description: Names.\n    default: |\n      one\n      two\n";
  expect(withTables(page, () => metadata)).toContain("| `names` | `one`<br>`two` | Names. |");
});
