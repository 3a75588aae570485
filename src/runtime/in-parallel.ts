/** Processes the items in order, at most `most` at a time. */
export async function inParallel<T>(
  items: readonly T[],
  most: number,
  perform: (item: T) => Promise<void>,
): Promise<void> {
  const left = items.values();
  const work = async () => {
    for (const item of left) await perform(item);
  };
  await Promise.all(Array.from({ length: most }, work));
}
