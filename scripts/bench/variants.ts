// What two choices are worth, measured: bundles that are built without them, against the bare script. See
// docs/performance.md. The bundles of the action itself are built anew too, so that all are made alike.
import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Plugin } from "esbuild";
import { BUNDLES_PACKAGE, bundleEntry } from "../bundle.ts";
import { actionStep, bareScript } from "./action-step.ts";
import { alternateWithCpu, type Bench, type CpuResult, type Side } from "./measure.ts";
import { table } from "./simulate.ts";
import { SCENARIOS, type Scenario } from "./start-up.ts";

const root = resolve(import.meta.dirname, "../..");

/** undici by its entry module, in place of three of its parts. */
const PUBLIC_UNDICI = replacing("undici-entry", /[\\/]src[\\/]net[\\/]undici\.ts$/, [
  'import { Agent } from "undici";',
  'export { Agent, buildConnector } from "undici";',
  "export const request = Agent.prototype.request;",
]);

/** V8 with the flags that it starts with. */
const NO_FLAGS: Plugin = {
  name: "no-v8-flags",
  setup({ onResolve, onLoad, onEnd }) {
    let isUsed = false;
    onResolve({ filter: /^node:v8$/ }, ({ importer }) => {
      if (!importer.startsWith(join(root, "src"))) return undefined;
      isUsed = true;
      return { path: "node:v8", namespace: "no-v8-flags" };
    });
    onLoad({ filter: /./, namespace: "no-v8-flags" }, () => ({
      contents: "export function setFlagsFromString() {}",
    }));
    onEnd(() => (isUsed ? {} : { errors: [{ text: "src/ sets no flag of V8" }] }));
  },
};

/** Bundles as they could be, by the name that the table has for them. */
const VARIANTS: Record<string, readonly Plugin[]> = {
  action: [],
  "with undici's entry module": [PUBLIC_UNDICI],
  "with V8 free to optimize the parser": [NO_FLAGS],
  "with both": [PUBLIC_UNDICI, NO_FLAGS],
};

/** Builds every variant of every bundle, and prints what each takes in wall and in CPU time. */
export async function benchVariants(bench: Bench, address: string): Promise<void> {
  for (const scenario of SCENARIOS) {
    const dists = await buildVariants(scenario, bench.work);
    const sides = dists.map(([name, dist]): Side => {
      return { ...actionStep({ ...scenario, address, work: bench.work, dist }), name };
    });
    const script = { ...bareScript(scenario.name, address), name: "script" };
    const results = await alternateWithCpu([script, ...sides], bench);
    console.log(`\n${scenario.name}:\n\n${variantTable(results)}`);
  }
}

/** Folders with the bundles of each variant. */
async function buildVariants({ entry }: Scenario, work: string): Promise<[string, string][]> {
  const dists: [string, string][] = [];
  for (const [name, plugins] of Object.entries(VARIANTS)) {
    const dist = join(work, `variant-${dists.length}`);
    mkdirSync(join(dist, entry), { recursive: true });
    writeFileSync(join(dist, "package.json"), BUNDLES_PACKAGE);
    const { files } = await bundleEntry(entry, join(root, "build/variants"), plugins);
    for (const [file, content] of files) writeFileSync(join(dist, entry, file), content);
    dists.push([name, dist]);
  }
  return dists;
}

/** In Markdown, each row to the first. */
function variantTable(results: readonly CpuResult[]): string {
  const head = ["", "time", "to the script", "CPU time", "to the script"];
  const [yardstick] = results;
  const rows = results.map((it) => {
    const ratio = (key: "wall" | "cpu") =>
      yardstick === undefined || it === yardstick ? "" : (it[key] / yardstick[key]).toFixed(2);
    const [wall, cpu] = [`${it.wall.toFixed(0)} ms`, `${it.cpu.toFixed(0)} ms`];
    return [it.name, wall, ratio("wall"), cpu, ratio("cpu")];
  });
  return table([head, head.map(() => "---"), ...rows]);
}

/** Puts other code in the place of one module. */
function replacing(name: string, filter: RegExp, lines: readonly string[]): Plugin {
  return {
    name,
    setup({ onLoad, onEnd }) {
      let isUsed = false;
      onLoad({ filter }, () => {
        isUsed = true;
        return { contents: lines.join("\n"), resolveDir: root };
      });
      onEnd(() => (isUsed ? {} : { errors: [{ text: `no module fits ${filter}` }] }));
    },
  };
}
