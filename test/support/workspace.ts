import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

/** A temporary workspace, removed at the end of the test. */
export interface Workspace extends Disposable {
  /** The workspace itself. */
  path: string;
  /** A folder next to the workspace. */
  outside: string;
  write(name: string, content: string | Uint8Array): void;
}

export function makeWorkspace(): Workspace {
  const root = realpathSync(mkdtempSync(path.join(tmpdir(), "docs-agent-workspace-")));
  const [workspace, outside] = [path.join(root, "docs"), path.join(root, "docs-outside")];
  for (const folder of [workspace, outside]) mkdirSync(folder);
  return {
    path: workspace,
    outside,
    write(name, content) {
      const file = path.join(workspace, name);
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, content);
    },
    [Symbol.dispose]: () => rmSync(root, { recursive: true }),
  };
}
