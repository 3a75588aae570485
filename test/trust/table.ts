import type { CellResult } from "./cell.ts";

/** The cells and how they came out, a line a fault and a block a request. */
export function tableOf(results: readonly CellResult[]): string {
  const blocks: string[] = [];
  for (const [name, cells] of Map.groupBy(results, ({ cell }) => cell.row.name)) {
    const lines = [...Map.groupBy(cells, ({ cell }) => cell.fault.name)].map(([fault, pair]) => {
      const told = pair.map((it) => `${it.wrong.length > 0 ? "✗" : "✓"} ${it.told}`.padEnd(30));
      return `  ${fault.padEnd(32)}${told.join("")}`.trimEnd();
    });
    blocks.push([`${name.padEnd(34)}${"once".padEnd(30)}for good`, ...lines].join("\n"));
  }
  return blocks.join("\n\n");
}
