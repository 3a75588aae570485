import { expect, test } from "vitest";
import { checksThatAre, type DoctorSetup, found, setUpDoctor } from "../support/doctor-setup.ts";

const trials = ({ home }: DoctorSetup) =>
  [...home.refs.keys()].filter((ref) => ref.startsWith("refs/docs-agent/doctor/"));

test("a rule that refuses refs below refs/docs-agent/ is wrong, with the rule's words", async () => {
  await using setup = await setUpDoctor();
  setup.home.protectedRefs = "^refs/docs-agent/";
  const result = await setup.doctor();
  expect(checksThatAre(result, "wrong")).toEqual(["ledger-ref"]);
  expect(found(result, "ledger-ref")).toMatchObject([
    {
      what: expect.stringContaining("Repository rule violations found"),
      advice: expect.stringContaining("`ledger-ref`"),
    },
  ]);
  expect(result.state).not.toHaveProperty("run.ref");
});

test("a ref that cannot be deleted is wrong, and the post step and the next run try again", async () => {
  await using setup = await setUpDoctor();
  const fault = { method: "DELETE", status: 403, message: "Deleting is not allowed" };
  setup.world.github.emulated.addFault(fault);
  const options = setup.complete();
  const result = await setup.doctor(options);
  expect(checksThatAre(result, "wrong")).toEqual(["ledger-ref"]);
  const [left] = trials(setup);
  expect(found(result, "ledger-ref")).toMatchObject([
    { advice: expect.stringContaining(`git push origin :${left}`) },
  ]);
  setup.world.github.emulated.addFault(fault);
  const post = await setup.doctor({ ...options, entry: "post", state: result.state });
  expect(post.warnings).toEqual([expect.stringContaining(`${left} could not be deleted`)]);
  expect(trials(setup)).toEqual([left]);
  await setup.doctor();
  expect(trials(setup)).toEqual([]);
});

test("a creation whose answer is lost leaves nothing, and whether it was allowed is unknown", async () => {
  await using setup = await setUpDoctor();
  setup.world.github.emulated.addFault({
    method: "POST",
    path: "/git/refs$",
    status: 422,
    message: "The permission is tried first",
  });
  setup.world.github.emulated.addFault({ method: "POST", path: "/git/refs$", status: 502 });
  const result = await setup.doctor();
  expect(found(result, "ledger-ref")).toMatchObject([{ state: "unknown" }]);
  expect(checksThatAre(result, "wrong")).toEqual([]);
  expect(trials(setup)).toEqual([]);
});

test("one failure of the deletion is passed over", async () => {
  await using setup = await setUpDoctor();
  setup.world.github.emulated.addFault({ method: "DELETE", status: 502 });
  const result = await setup.doctor();
  expect(found(result, "ledger-ref")).toMatchObject([{ state: "fine" }]);
  expect(trials(setup)).toEqual([]);
});

test("what runs that were killed left is deleted, and is no ledger", async () => {
  await using setup = await setUpDoctor();
  const sha = setup.home.tip();
  for (const name of ["a", "b", "c"]) setup.home.setRef(`refs/docs-agent/doctor/${name}`, sha);
  const land = await setup.doctor({ action: "land" });
  expect(land.warnings).toEqual([expect.stringContaining("There is no ledger")]);
  const result = await setup.doctor();
  expect(checksThatAre(result, "wrong")).toEqual([]);
  // A run deletes two.
  expect(trials(setup)).toHaveLength(1);
  await setup.doctor();
  expect(trials(setup)).toEqual([]);
});

test("what killed runs left is deleted, though a ledger cannot be read", async () => {
  await using setup = await setUpDoctor();
  const sha = setup.home.tip();
  setup.home.setRef("refs/docs-agent/upkeep/a", sha);
  setup.home.setRef("refs/docs-agent/doctor/a", sha);
  setup.world.github.emulated.addFault({ path: "/contents/ledger.json", status: 502, times: 100 });
  await setup.doctor();
  expect(trials(setup)).toEqual([]);
});

test("the ref's commit changes no workflow file, which the workflow's token may not", async () => {
  await using setup = await setUpDoctor();
  setup.home.push({ files: { ".github/workflows/new.yml": "on: push\n" } });
  const result = await setup.doctor();
  expect(found(result, "ledger-ref")).toMatchObject([{ state: "fine" }]);
});
