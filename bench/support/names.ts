// Names to check: lists of 200, all of one registry.

/** How many checks of 200 names are under way: more parts than sessions, so that none is idle. */
export const inFlight = 8
export const namesEach = 200

const tlds = ['com', 'net', 'org', 'dev', 'app']

/** A few different lists, made once. */
export function checkLists(): string[][] {
  return Array.from({ length: 20 }, (_, list) =>
    Array.from({ length: namesEach }, (_, i) => `bench-${list}-${i}.${tlds[i % tlds.length]}`),
  )
}
