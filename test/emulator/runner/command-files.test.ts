import { expect, test } from "vitest";
import { parseCommandFile } from "../../../emulator/runner/step-folders.ts";

test("values of one line and of several lines are read", () => {
  const file = "status=active\n\nmessage<<END\nfirst\n\nstatus=x\nEND\nempty=\nnone<<END\nEND\n";
  expect(parseCommandFile(file)).toEqual({
    status: "active",
    message: "first\n\nstatus=x",
    empty: "",
    none: "",
  });
});

test.each([
  ["text", "Invalid format"],
  ["=value", "Name must not be empty"],
  ["<<END\nx\nEND", "must not be empty"],
  ["name<<\nx", "must not be empty"],
  ["name<<END\nx\n", "Matching delimiter not found"],
])("%j is refused", (file, message) => {
  expect(() => parseCommandFile(file)).toThrow(message);
});
