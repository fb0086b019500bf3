// A program, the peer of `check`: our EPP client alone. A line "<seconds>" on stdin runs a round.
import { createInterface } from 'node:readline'
import { loadRegistriesFile } from '../../src/adapters/registry/config/registries-file.ts'
import { openEppRegistry } from '../../src/adapters/registry/epp/epp.ts'
import { checkLists, inFlight } from './names.ts'

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined }
const file = loadRegistriesFile(
  `${import.meta.dirname}/registries.yaml`,
  (name) => process.env[name],
)
const entry = file.registries.find(({ rules }) => rules.name === 'thin')
const { rules, endpoint } = entry ?? {}
if (rules?.adapter !== 'epp' || !endpoint || !('host' in endpoint))
  throw new Error('registries.yaml has no EPP endpoint for "thin"')
const registry = openEppRegistry({ ...rules, ...endpoint }, { log: silent })
const lists = checkLists()

async function round(seconds: number): Promise<object> {
  const end = performance.now() + seconds * 1000
  const took_ms: number[] = []
  let next = 0
  const turn = async () => {
    while (performance.now() < end) {
      const start = performance.now()
      next += 1
      const names = lists[next % lists.length] ?? []
      const answers = await registry.check(names, { priority: 'normal', fees: true })
      if (answers.some(({ unreachable }) => unreachable)) throw new Error('A part got no answer')
      took_ms.push(performance.now() - start)
    }
  }
  await Promise.all(Array.from({ length: inFlight }, turn))
  took_ms.sort((a, b) => a - b)
  const at = (share: number) => took_ms[Math.floor(share * took_ms.length)]
  return { count: took_ms.length, p50_ms: at(0.5), p99_ms: at(0.99) }
}

process.stdout.write('ready\n')
for await (const line of createInterface({ input: process.stdin }))
  process.stdout.write(`${JSON.stringify(await round(Number(line)))}\n`)
await registry.close()
process.exit(0)
