import type { GitHub } from "../../emulator/github/github.ts";
import type { GitHubRequest } from "../../src/github/history.ts";

/** A client of a GitHub in memory, and what it was asked. */
export function memoryGitHub(emulated: GitHub) {
  const asked: string[] = [];
  const github: GitHubRequest = {
    request: async (route, parameters = {}) => {
      const rest = { ...parameters };
      const filled = route.replace(/^GET /, "").replaceAll(/\{(\w+)\}/g, (_, name: string) => {
        const value = encodeURIComponent(String(rest[name]));
        delete rest[name];
        return value;
      });
      const query = new URLSearchParams();
      for (const [name, value] of Object.entries(rest)) query.set(name, String(value));
      const path = `${filled}${query.size === 0 ? "" : `?${query}`}`;
      asked.push(path);
      const { status, headers, body } = emulated.handle({ method: "GET", path });
      if (status >= 300) throw Object.assign(new Error(`GitHub answered ${status}`), { status });
      return { headers, data: JSON.parse(String(body)) };
    },
  };
  return { github, asked };
}
