import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const preload = new URL("../../../emulator/runner/fast-clock.mjs", import.meta.url).href;

/** Runs a module with the fast clock, and returns its output and the real time that it took. */
async function run(script: string, factor = 1000): Promise<{ printed: unknown; tookMs: number }> {
  const startedAt = performance.now();
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ["--import", preload, "--input-type=module", "--eval", script],
    { env: { ...process.env, NODE_OPTIONS: "", FAST_CLOCK: String(factor) } },
  );
  return { printed: JSON.parse(stdout), tookMs: performance.now() - startedAt };
}

test.each([
  ["setTimeout", "await new Promise((done) => setTimeout(done, 60_000));"],
  [
    "setInterval",
    "let n = 0; await new Promise((done) => { const t = setInterval(() => { n += 1; if (n === 4) { clearInterval(t); done(); } }, 15_000); });",
  ],
])("a minute of %s passes on both clocks in little real time", async (_, wait) => {
  const { printed, tookMs } = await run(`
    const wall = Date.now(), monotonic = process.hrtime.bigint();
    ${wait}
    const passed = Number(process.hrtime.bigint() - monotonic) / 1e6;
    console.log(JSON.stringify([Date.now() - wall, passed]));`);
  const [wall, monotonic] = printed as [number, number];
  expect(wall).toBeGreaterThan(59_000);
  expect(monotonic).toBeGreaterThan(59_000);
  expect(tookMs).toBeLessThan(20_000);
});

test("timers can be cleared, unreferenced and refreshed", async () => {
  const { printed } = await run(`
    setTimeout(() => process.exit(9), 2_000_000_000).unref();
    clearTimeout(setTimeout(() => process.exit(8), 1));
    const t = setTimeout(() => console.log(JSON.stringify(t.hasRef())), 1000);
    t.refresh();`);
  expect(printed).toBe(true);
});
