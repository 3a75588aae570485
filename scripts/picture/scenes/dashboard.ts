import type { LocalWorld } from "../../../emulator/local-world/index.ts";
import type { Part } from "../page.ts";

interface IssueRecord {
  number: number;
  title: string;
  body: string;
  user: { login: string };
  labels: { name: string }[];
}

/** The issue with a label, as the emulated GitHub has it: a dashboard. */
export async function dashboard({ github }: LocalWorld, label: string): Promise<Part[]> {
  const [issue] = await github.api<IssueRecord[]>(`/issues?labels=${label}`);
  if (issue === undefined) throw new Error("No dashboard was opened.");
  const { number, title, body, user, labels } = issue;
  return [
    { kind: "title", title, number },
    { kind: "opening", author: user.login, body, labels: labels.map(({ name }) => name) },
  ];
}
