import { readFileSync, symlinkSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import * as yaml from "yaml";
import * as z from "zod";
import { anyText } from "../../test/support/arbitrary.ts";
import { largeTest } from "../../test/support/large-test.ts";
import { runs, sampleOf } from "../../test/support/sample.ts";
import { makeWorkspace } from "../../test/support/workspace.ts";
import { InputProblem } from "../inputs/checks.ts";
import { checkTasks, MAX_TASKS, readTasksFile } from "./tasks-file.ts";
import { readYamlList } from "./yaml-list.ts";

/** What is wrong with tasks; empty for nothing. */
function problemsOf(check: () => unknown): string[] {
  try {
    check();
    return [];
  } catch (error) {
    if (!(error instanceof InputProblem)) throw error;
    return error.ends;
  }
}

function read(content: string | Uint8Array, name = "tasks.yml") {
  using workspace = makeWorkspace();
  workspace.write(name, content);
  const parser = name.endsWith(".json") ? null : yaml;
  const { entries, path } = readTasksFile(workspace.path, name, parser);
  return { tasks: entries.filter((entry) => "id" in entry), path };
}

describe("a file of tasks", () => {
  test("is YAML: prompts, and prompts with an id", () => {
    const { tasks } = read(
      "# Endpoints\n- id: users\n  prompt: |\n    Document it.\n    All of it.\n- 'Document the rest.'\n",
    );
    expect(tasks).toEqual([
      { id: "users", prompt: "Document it.\nAll of it.\n", isPlain: false },
      { id: "9887f6531490", prompt: "Document the rest.", isPlain: true },
    ]);
  });

  test.each(["tasks.json", "tasks.yaml"])("is JSON: %s", (name) => {
    const { tasks, path } = read('\uFEFF[{"id": "a", "prompt": "A."}, "B."]', name);
    expect(tasks.map(({ prompt }) => prompt)).toEqual(["A.", "B."]);
    expect(path).toBe(name);
  });

  test("names a plain prompt by its words, with any white space around them", () => {
    const [one, other] = [read("- Do it."), read("- |\n  Do it.\n")];
    expect(one.tasks[0]?.id).toBe(other.tasks[0]?.id);
  });

  test.each([
    ["", "is not a list"],
    ["tasks: []", "is not a list"],
    ["- a: 1\n  a: 2", "task 1 (line 1): a field is there twice."],
    ["- [1", "line 1: Flow sequence in block collection"],
    ["- *a", "has an alias"],
    ["- &a b", "has an anchor"],
    ["- !x b", "has a tag"],
    ["- a\n---\n- b", "multiple documents"],
    [new Uint8Array([0x2d, 0x20, 0xff]), "is not UTF-8 text"],
  ])("%j: %s", (content, words) => {
    expect(() => read(content)).toThrow(words);
  });

  test("is refused as JSON with the parser's words", () => {
    expect(() => read("[1,]", "tasks.json")).toThrow("is not JSON (");
    expect(() => read("{}", "tasks.json")).toThrow("is not an array");
  });

  test("lists everything that is wrong, with the number and the line of each task", () => {
    const text = [
      "- id: a\n  prompt: A.",
      "- id: a\n  prompt: B.",
      '- " "',
      "- id: 12\n  prompt: [x]\n  more: 1",
      "- C.\n- C.",
      `- id: "${"x".repeat(101)}"\n  prompt: D.`,
      '- id: " x"\n  prompt: ""',
      "- - nested",
      "- id: e",
      "-",
    ].join("\n");
    const badId =
      "id must be text, in quotes if it is a number: one line of at most 100 characters, without white space around it.";
    const badPrompt = "prompt must be text, in quotes if it is a number, and not empty.";
    expect(
      problemsOf(() => read(text))
        .join()
        .split("\n"),
    ).toEqual([
      '"tasks.yml" has 12 problems:',
      '  - task 2 (line 3): id "a" already belongs to task 1.',
      "  - task 3 (line 5): the prompt is empty.",
      `  - task 4 (line 6): ${badId}`,
      `  - task 4 (line 6): ${badPrompt}`,
      '  - task 4 (line 6): unknown field "more".',
      "  - task 6 (line 10): the prompt already belongs to task 5.",
      `  - task 7 (line 11): ${badId}`,
      `  - task 8 (line 13): ${badId}`,
      `  - task 8 (line 13): ${badPrompt}`,
      "  - task 9 (line 15): it must be a prompt, or have the fields id and prompt, or files and prompt.",
      `  - task 10 (line 16): ${badPrompt}`,
      "  - task 11 (line 17): it must be a prompt, or have the fields id and prompt, or files and prompt.",
    ]);
  });

  const FORMATS: [string, (pages: string[]) => string][] = [
    ["tasks.json", (pages) => JSON.stringify(pages)],
    ["tasks.yml", (pages) => pages.map((page) => `- ${page}`).join("\n")],
  ];
  for (const [name, write] of FORMATS) {
    largeTest(`holds 20,000 tasks: ${name}`, () => {
      const pages = Array.from({ length: 20_000 }, (_, nth) => `Document page ${nth}.`);
      expect(read(write(pages), name).tasks).toHaveLength(20_000);
    });
  }

  test("does not hold more", () => {
    const pages = Array(MAX_TASKS + 1).fill("Document it.");
    expect(() => read(JSON.stringify(pages), "tasks.json")).toThrow("20001 tasks are too many");
  });

  test("says of hundreds of problems how many there are", () => {
    const [problem = ""] = problemsOf(() => read('- ""\n'.repeat(400)));
    expect(problem).toContain("has 400 problems");
    expect(problem.split("\n")).toHaveLength(101);
  });
});

describe("an entry for files", () => {
  /** Entries for a workspace with these files. */
  const check = (value: unknown, files: string[]) => checkTasks([{ value }], () => files);
  const FILES = ["docs/a.md", "docs/b.md", "docs/drafts/c.md", "src/x.ts"];

  test("matches them as a workflow's `paths:` does", () => {
    const files = ["docs/**", "!docs/drafts/**"];
    const { entries, warnings } = check(
      { files, prompt: "Improve {files}.", "per-task": 2 },
      FILES,
    );
    expect(entries).toEqual([
      { paths: ["docs/a.md", "docs/b.md"], perTask: 2, prompt: "Improve {files}." },
    ]);
    expect(warnings).toEqual([]);
  });

  test.each([
    ["guides/**", ['no file of the workspace matches "guides/**" in its `files`.']],
    [
      ["docs/*.md", "guides/**", "!docs/old/**"],
      [
        'no file of the workspace matches "guides/**" in its `files`.',
        'no file of the workspace matches "!docs/old/**" in its `files`.',
      ],
    ],
    [["docs/**", "!docs/**"], ["no file of the workspace matches its `files`."]],
  ])("a pattern that matches nothing is a warning: %j", (files, expected) => {
    const { warnings } = check({ files, prompt: "Improve." }, FILES);
    expect(warnings).toEqual(expected.map((text) => `task 1: ${text}`));
  });

  test.each([
    [{ files: "docs/[", prompt: "A." }, "not GitHub's filter patterns"],
    [{ files: [], prompt: "A." }, "files must be a pattern"],
    [{ files: "docs/**", prompt: "A.", "per-task": 0 }, "per-task must be a whole number"],
    [{ files: "docs/**", prompt: "A.", id: "x" }, 'unknown field "id"'],
    [{ files: "docs/**" }, "prompt must be text"],
  ])("%j: %s", (value, words) => {
    expect(() => check(value, FILES)).toThrow(words);
  });

  test("whose file another entry has, too, is refused", () => {
    const items = ["docs/**", "**/a.md"].map((files) => ({ value: { files, prompt: "A." } }));
    expect(() => checkTasks(items, () => FILES)).toThrow(
      'task 2: the file "docs/a.md" already belongs to task 1.',
    );
  });

  largeTest("counts as many tasks as it makes", () => {
    const many = Array.from({ length: 40_001 }, (_, nth) => `docs/${nth}.md`);
    const entry = { files: "docs/**", prompt: "A.", "per-task": 2 };
    expect(() => check(entry, many)).toThrow(
      "20001 tasks are too many: at most 20000 are allowed.",
    );
    expect(check(entry, many.slice(1)).entries).toHaveLength(1);
  });

  test("finds the files of the workspace, not those of git or behind links that lead out of it", () => {
    using outside = makeWorkspace();
    outside.write("secret.md", "x");
    using workspace = makeWorkspace();
    for (const file of ["b.md", "a.md", ".git/x.md", "docs/c.md"]) workspace.write(file, "x");
    symlinkSync(`${workspace.path}/docs/c.md`, `${workspace.path}/d.md`);
    symlinkSync(outside.path, `${workspace.path}/out`);
    symlinkSync(workspace.path, `${workspace.path}/docs/again`);
    workspace.write("tasks.yml", "- files: '**.md'\n  prompt: Improve.\n");
    const file = readTasksFile(workspace.path, "tasks.yml", yaml);
    expect(file).toMatchObject({ entries: [{ paths: ["a.md", "b.md", "d.md", "docs/c.md"] }] });
  });
});

describe("what would take the parser long is refused", () => {
  const SIZE = 1024 * 1024;
  const PARTS = ["[", "{a: ", "- ", "? ", ": ", "\n", "#\n", '"" ', "---\n"];
  test.each(sampleOf(PARTS, 1, "slow files"))("%j over and over", (part) => {
    const parseDocument = () => expect.fail("It is parsed.");
    const refused = readYamlList(part.repeat(SIZE / part.length), { ...yaml, parseDocument });
    expect(refused).toMatch(/^is too long or too deeply nested/);
  });
});

describe("the schema for editors", () => {
  const text = readFileSync(new URL("../../queue/tasks.schema.json", import.meta.url), "utf8");
  const schema = z.fromJSONSchema(JSON.parse(text));
  const prompt = fc.constantFrom("A.", "B.", " ", "", "Two\nlines.", 3, null);
  const long = "é".repeat(101);
  const id = fc.constantFrom("a", "b", "a b", "ü", "x#1", " a", "a\n", "", "\u0007", long, 1);
  const task = fc.oneof(
    prompt,
    fc.record({ id, prompt }, { requiredKeys: [] }),
    fc.record({ id, prompt, more: fc.constant(1) }),
    fc.record(
      {
        files: fc.constantFrom("docs/**", ["a", "!b"], [], " ", 1),
        prompt,
        "per-task": fc.constantFrom(1, 5, 0, 1.5, "2"),
      },
      { requiredKeys: ["files"] },
    ),
  );

  test("takes what the action takes, but for ids that are given twice", () => {
    fc.assert(
      fc.property(fc.array(task, { maxLength: 3 }), (list) => {
        fc.pre(new Set(list.map((entry) => JSON.stringify(entry))).size === list.length);
        const items = list.map((value) => ({ value }));
        const problems = problemsOf(() => checkTasks(items, () => []));
        const others = problems.filter((problem) => !/already/.test(problem));
        expect(schema.safeParse(list).success).toBe(others.length === 0);
      }),
      { numRuns: runs(2000) },
    );
  });

  test("names the most tasks that are allowed", () => {
    expect(JSON.parse(text).maxItems).toBe(MAX_TASKS);
  });
});

test("tasks with any texts are the same in YAML and JSON", () => {
  const texts = fc.uniqueArray(
    anyText().map((text) => `x${text}`),
    { maxLength: 5, selector: (text) => text.trim() },
  );
  fc.assert(
    fc.property(texts, (prompts) => {
      const json = read(JSON.stringify(prompts), "tasks.json");
      const fromYaml = read(yaml.stringify(prompts));
      expect(fromYaml.tasks).toEqual(json.tasks);
    }),
    { numRuns: runs(60) },
  );
});
