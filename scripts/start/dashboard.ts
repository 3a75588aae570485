import type { LocalWorld } from "../../emulator/local-world/index.ts";
import { heading, text, withoutHidden } from "./console.ts";

/**
 * Shows the dashboard with a label.
 *
 * @param title what the heading calls it
 */
export async function showDashboard(
  { github }: LocalWorld,
  label: string,
  title: string,
): Promise<void> {
  const [issue] = await github.api<{ number: number; title: string; body: string }[]>(
    `/issues?labels=${label}`,
  );
  heading(`${title}: issue #${issue?.number ?? ""} ${issue?.title ?? ""}`);
  text(withoutHidden(issue?.body ?? "There is none."));
}
