/**
 * Reads a control endpoint of an emulator; with a body, by POST.
 *
 * @throws when the answer is an error, with its text.
 */
export async function readJson<Answer>(url: string, body?: unknown): Promise<Answer> {
  const response = await fetch(
    url,
    body === undefined ? {} : { method: "POST", body: JSON.stringify(body) },
  );
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${await response.text()}`);
  return (await response.json()) as Answer;
}
