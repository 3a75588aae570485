import { expect, test } from "vitest";
import { packageFolders } from "../../scripts/licenses.ts";
import { read } from "./files.ts";

interface Lock {
  packages: Record<string, { version?: string }>;
}

const shipped = [...read("dist/LICENSES.txt").matchAll(/^={80}\n(\S+) (\S+) \((.+)\)\n={80}\n/gm)];
const { packages } = JSON.parse(read("package-lock.json")) as Lock;
test("each license that is shipped is one that asks for no more than to be shipped", () => {
  expect(shipped.length).toBeGreaterThan(5);
  for (const [, name, , license] of shipped) {
    expect([name, license]).toEqual([
      name,
      expect.stringMatching(/^(MIT|ISC|Apache-2\.0|BSD-[23]-Clause|0BSD)$/),
    ]);
  }
});

test("each version that is shipped is the one in the lock file", () => {
  for (const [, name, version] of shipped) {
    const locked = Object.entries(packages).filter(([path]) =>
      path.endsWith(`node_modules/${name}`),
    );
    expect(locked.map(([, it]) => it.version)).toContain(version);
  }
});

test("a package counts when something of it is in a bundle, by the folder that it came from", () => {
  const inputs = {
    "src/entrypoints/main.ts": { bytesInOutput: 10 },
    "node_modules/zod/v4/mini/index.js": { bytesInOutput: 10 },
    "node_modules/@actions/github/lib/context.js": { bytesInOutput: 10 },
    "node_modules/@actions/github/node_modules/undici/index.js": { bytesInOutput: 10 },
    "node_modules/tunnel/index.js": { bytesInOutput: 0 },
  };
  const output = { inputs, bytes: 0, imports: [], exports: [] };
  expect([...packageFolders([{ inputs: {}, outputs: { "index.cjs": output } }])]).toEqual([
    "node_modules/zod",
    "node_modules/@actions/github",
    "node_modules/@actions/github/node_modules/undici",
  ]);
});
