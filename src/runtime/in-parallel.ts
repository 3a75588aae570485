/** Processes the items in order, at most `most` at a time. @returns the results, in the same order */
export async function inParallel<T, R>(
  items: readonly T[],
  most: number,
  perform: (item: T) => Promise<R>,
): Promise<R[]> {
  const left = items.entries();
  const results: R[] = [];
  const work = async () => {
    for (const [nth, item] of left) results[nth] = await perform(item);
  };
  await Promise.all(Array.from({ length: most }, work));
  return results;
}
