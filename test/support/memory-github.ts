import type { MemoryRepository } from "../../emulator/github/history/memory.ts";
import { answerFromMemory } from "../../emulator/github/history/memory-api.ts";
import type { GitHubRequest } from "../../src/github/history.ts";

/** A client of GitHub over repositories in memory, and what it was asked. */
export function memoryGitHub(...repositories: MemoryRepository[]) {
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
      asked.push(`${filled}${query.size === 0 ? "" : `?${query}`}`);
      const [, , owner, name, ...path] = filled.split("/");
      const repository = repositories.find((one) => one.name === `${owner}/${name}`);
      const { status, headers, body } =
        repository === undefined
          ? { status: 404, headers: {}, body: undefined }
          : answerFromMemory(repository, path.map((part) => `/${part}`).join(""), query);
      if (status >= 400) throw Object.assign(new Error(`GitHub answered ${status}`), { status });
      return { headers, data: body };
    },
  };
  return { github, asked };
}
