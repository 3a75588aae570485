import { expect, test } from "vitest";
import { withoutCredentials } from "./credentials.ts";

test.each([
  ["https://user:password@host/x", "https://***@host/x"],
  ["git clone https://ghs_123@github.com/a/b.git", "git clone https://***@github.com/a/b.git"],
  ["https://x:a@b@host", "https://***@host"],
  ["'https://x:y@host' and ssh://git@host/a", "'https://***@host' and ssh://***@host/a"],
  ["https://registry.example/@scope/package", "https://registry.example/@scope/package"],
  ["https://host/?mail=a@b.c and octo@host", "https://host/?mail=a@b.c and octo@host"],
])("%s is shown as %s", (text, shown) => {
  expect(withoutCredentials(text)).toBe(shown);
});
