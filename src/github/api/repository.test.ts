import { expect, test } from "vitest";
import { GitHub } from "../../../emulator/github/github.ts";
import { connectEmulated } from "../../../test/support/github-client.ts";
import { known } from "../../runtime/fact.ts";
import { presentNames } from "./repository.ts";

function setUp() {
  const github = new GitHub();
  const { id } = github.create("acme/code");
  github.find("acme/code").rename("other/library");
  const { connect, asked } = connectEmulated(github);
  return { github, id, nameOf: presentNames(connect), asked };
}

test("the present name of a renamed repository is asked for once, even at the same time", async () => {
  const { id, nameOf, asked } = setUp();
  const names = await Promise.all([nameOf(id), nameOf(id)]);
  expect([...names, await nameOf(id)]).toEqual(Array(3).fill(known("other/library")));
  expect(asked).toEqual([`GET /repositories/${id}`]);
});

test("a name that GitHub failed to tell is asked for again", async () => {
  const { github, id, nameOf } = setUp();
  github.addFault({ path: `/repositories/${id}`, status: 403, times: 1 });
  expect(await nameOf(id)).toMatchObject({ type: "unread", status: 403 });
  expect(await nameOf(id)).toEqual(known("other/library"));
});
