// Modules that only tests use (fixtures, test/support) are evaluated again for each test file of a
// shard, as in a process of its own: a fixture's database, counters and hooks belong to one file.
// Production code and packages are evaluated once per process.
import type { ResolveHookSync } from 'node:module'
import { pathToFileURL } from 'node:url'

const test_only = /^(test\/(?!shards\/)|.*(\.fixture\.ts$|\/fixtures\/))/
/** They declare faults or statements, which a process may declare only once. */
const declaring = /^(test\/support\/sample-operations|src\/db\/things\.fixture)\.ts$/

/** Gives the URL of a test-only module the number of the test file that imports it. */
export function freshModules(root: string): ResolveHookSync {
  const base = `${pathToFileURL(root).href}/`
  const numbers = new Map<string, string>()
  const numberOf = (importer: string | undefined): string | undefined => {
    if (!importer?.startsWith(base)) return undefined
    const { search, pathname } = new URL(importer)
    if (search !== '') return search
    if (!pathname.endsWith('.test.ts')) return undefined
    const number = numbers.get(importer) ?? `?${numbers.size + 1}`
    numbers.set(importer, number)
    return number
  }
  return (specifier, context, next) => {
    const found = next(specifier, context)
    if (!found.url.startsWith(base) || found.url.includes('/node_modules/')) return found
    const path = found.url.slice(base.length)
    if (path.endsWith('.test.ts') || !test_only.test(path) || declaring.test(path)) return found
    const number = numberOf(context.parentURL)
    return number === undefined ? found : { ...found, url: `${found.url}${number}` }
  }
}
