import type { LocalWorld } from "../../emulator/local-world/index.ts";
import { heading, text, withoutHidden } from "./console.ts";

/** Shows what an action remembers: its dashboard, and the ledger in git that this is made from. */
export async function showLedger({ github }: LocalWorld, action: string): Promise<void> {
  const [issue] = await github.api<{ number: number; title: string; body: string }[]>(
    `/issues?labels=docs-${action}`,
  );
  heading(`The dashboard: issue #${issue?.number ?? ""} ${issue?.title ?? ""}`);
  text(withoutHidden(issue?.body ?? "There is none."));

  const [ledger] = await github.api<{ ref: string; object: { sha: string } }[]>(
    `/git/matching-refs/docs-agent/${action}/`,
  );
  heading(`The ledger: ${ledger?.ref ?? "there is none"}`);
  const commits = await github.api<{ sha: string; commit: { message: string } }[]>(
    `/commits?sha=${ledger?.object.sha ?? ""}`,
  );
  for (const { sha, commit } of commits) {
    text(`${sha.slice(0, 7)} ${commit.message.split("\n", 1)[0] ?? ""}`);
  }
}
