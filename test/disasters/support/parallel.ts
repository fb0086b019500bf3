// Concurrent work over a list.

/** Runs a function over a list with bounded concurrency. */
export async function inParallel<T>(
  items: readonly T[],
  width: number,
  run: (item: T) => Promise<void>,
): Promise<void> {
  const queue = [...items]
  const take = async () => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) await run(item)
  }
  await Promise.all(Array.from({ length: width }, take))
}

/** The same with the results, in the order of the list. */
export async function mapParallel<T, U>(
  items: readonly T[],
  width: number,
  run: (item: T) => Promise<U>,
): Promise<U[]> {
  const results = new Map<T, U>()
  await inParallel(items, width, async (item) => {
    results.set(item, await run(item))
  })
  return items.flatMap((item) => {
    const result = results.get(item)
    return result === undefined ? [] : [result]
  })
}
