import { hidden, input, type ReadInput, secureUrl, withoutPassword } from "./checks.ts";

/** The inputs that say where GitHub is, and by what right it is asked. */
export const GITHUB_ACCESS = {
  "github-token": input(
    "a token without line breaks or spaces",
    (text) => (/^[\x21-\x7E]*$/.test(text.trim()) ? text.trim() : undefined),
    { show: hidden },
  ),
  "github-api-url": input(
    "an https: URL (http: only for localhost), such as https://api.github.com, without user name, password, ? or #",
    secureUrl,
    { show: withoutPassword },
  ),
};

/** Reads inputs, with GitHub's own address in place of none. */
export function withApiUrl(read: ReadInput, apiUrl: string): ReadInput {
  return (name) => read(name) || (name === "github-api-url" ? apiUrl : "");
}

/** The number of an issue or pull request; null if none is given. */
export const issueNumber = (allowed: string) =>
  input(allowed, (text) => {
    if (text.trim() === "") return null;
    const value = /^\d+$/.test(text.trim()) ? Number(text) : 0;
    return Number.isSafeInteger(value) && value > 0 ? value : undefined;
  });
