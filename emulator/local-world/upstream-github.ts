import { createEmulator } from "emulate";
import { githubSeed, TOKENS } from "../github/people.ts";
import { freePort } from "./ports.ts";

const MAX_ATTEMPTS = 10;

/**
 * Starts GitHub's own emulator. It puts the given address into its answers and does not report the
 * port that it listens on, so a free port has to be known before; another process may take that port
 * in between, hence the attempts.
 *
 * @param baseUrl the address that links in its answers begin with
 * @param fixedPort 0: any free port
 */
export async function startUpstreamGitHub(
  repository: string,
  baseUrl: string,
  fixedPort: number,
): Promise<{ url: string; close: () => Promise<void> }> {
  const seed = { tokens: TOKENS, github: githubSeed(repository) };
  for (let attempt = 1; ; attempt += 1) {
    const port = fixedPort === 0 ? await freePort() : fixedPort;
    try {
      const { close } = await createEmulator({ service: "github", port, baseUrl, seed });
      return { url: `http://127.0.0.1:${port}`, close };
    } catch (error) {
      const isTaken = (error as NodeJS.ErrnoException).code === "EADDRINUSE";
      if (!isTaken || fixedPort !== 0 || attempt === MAX_ATTEMPTS) throw error;
    }
  }
}
