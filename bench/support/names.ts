// Names to check: lists of 200 names that all belong to one registry.

/**
 * Concurrent checks of 200 names each: they have more parts than there are sessions, so that no
 * session is idle.
 */
export const inFlight = 8
export const namesEach = 200

const tlds = ['com', 'net', 'org', 'dev', 'app']

/** A few different lists. */
export function checkLists(): string[][] {
  return Array.from({ length: 20 }, (_, list) =>
    Array.from({ length: namesEach }, (_, i) => `bench-${list}-${i}.${tlds[i % tlds.length]}`),
  )
}
