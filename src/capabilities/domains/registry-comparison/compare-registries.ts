// Comparison of all domains with their registries (bin/reconcile-registry), after a database was
// restored from an older dump. It reads; with `apply` it hands each finding to the mechanism that
// resolves it, and moves no money.

import type { Registry } from '../../../adapters/registry/port.ts'
import type { App } from '../../../app.ts'
import { json } from '../../../db/statement.ts'
import type { DomainName } from '../../../kit/random.ts'
import { registryOf } from '../names.ts'
import { makeSyncDue, markHandled, putMessage } from '../poll/poll-messages.sql.ts'
import {
  compareHolding,
  compareUnownedName,
  type Finding,
  type FindingKind,
  findingKinds,
} from './compare-domain.ts'
import { expectedNames, holdingsAfter } from './registry-comparison.sql.ts'

type Parts = Pick<App, 'db' | 'registries' | 'log'> & { now: Date }

type Comparison = {
  holdings: number
  /** The number of names in the registries' lists that no customer holds here. */
  unheld: number
  findings: Finding[]
}

const page = 500

/**
 * Reads every holding at its registry, and every name of `listed`, which the registries list as
 * ours, because EPP itself has no list.
 */
export async function compareRegistries(
  parts: Parts,
  listed: readonly string[],
): Promise<Comparison> {
  const result: Comparison = { holdings: 0, unheld: 0, findings: [] }
  for (let after = 0n; ; ) {
    const holdings = await parts.db.run(holdingsAfter, { after, limit: BigInt(page) })
    const found = await inParallel(parts, holdings, async (holding, registry) => {
      const read = await registry.read(holding.name, 'background')
      return compareHolding(read, holding, sponsoredBy(registry, parts.now))
    })
    result.holdings += holdings.length
    result.findings.push(...found)
    const last = holdings.at(-1)
    if (!last || holdings.length < page) break
    after = last.id
  }
  for (let from = 0; from < listed.length; from += page) {
    const names = listed.slice(from, from + page)
    const rows = await parts.db.run(expectedNames, { names })
    const unheld = rows.filter(({ held }) => !held)
    const found = await inParallel(parts, unheld, async (expected, registry) => {
      const read = await registry.read(expected.name, 'background')
      const { name, client_id: sponsor } = registry.profile
      return compareUnownedName(read, { name: expected.name, registry: name, sponsor }, expected)
    })
    result.unheld += unheld.length
    result.findings.push(...found)
  }
  return result
}

function sponsoredBy({ profile }: Registry, now: Date) {
  return { sponsor: profile.client_id, now }
}

type Compare<T> = (one: T, registry: Registry) => Promise<Finding | null>

/** Reads as many at once as the registry has sessions, except one that purchases keep. */
async function inParallel<T extends { name: string }>(
  parts: Parts,
  all: readonly T[],
  compare: Compare<T>,
): Promise<Finding[]> {
  const found: Finding[] = []
  const byRegistry = Map.groupBy(all, ({ name }) => registryOf(parts, name) ?? null)
  await Promise.all(
    [...byRegistry].map(async ([registry, some]) => {
      if (registry === null) return found.push(...some.map(({ name }) => unsold(name)))
      const left = some.values()
      const readers = Math.max(1, registry.profile.sessions - 1)
      const take = async () => {
        for (const one of left) {
          const finding = await compare(one, registry)
          if (finding) found.push(finding)
        }
      }
      await Promise.all(Array.from({ length: readers }, take))
      return found.length
    }),
  )
  return found.sort((a, b) => (a.domain < b.domain ? -1 : 1))
}

function unsold(domain: DomainName): Finding {
  return { kind: 'unread', domain, registry: '-', detail: 'its TLD is not in the registries file' }
}

const bySync: readonly FindingKind[] = ['renewed', 'shortened', 'left', 'absent']
const byOperator: readonly FindingKind[] = ['unknown', 'acquired_again']

/**
 * A holding that differs becomes due to be synced, by the rules that the service has for each case.
 * A domain that nothing explains is recorded as the registry's message about it would be, once, and
 * raises its alarm. Returns how many of each there were.
 */
export async function applyFindings(
  parts: Parts,
  findings: readonly Finding[],
): Promise<{ due: number; recorded: number }> {
  let [due, recorded] = [0, 0]
  for (const { kind, domain, registry, detail } of findings) {
    if (bySync.includes(kind))
      due += await parts.db.count(makeSyncDue, { name: domain, sync_at: parts.now })
    if (!byOperator.includes(kind)) continue
    const text = `${kind}: ${findingKinds[kind]} (${detail})`
    const isNew = await parts.db.transaction(async (sql) => {
      const { id, received_at, handled } = await sql.one(putMessage, {
        registry,
        msg_id: `reconcile-registry ${domain} ${detail}`.slice(0, 255),
        queued_at: null,
        text,
        kind: 'other',
        domain,
        parsed: json({ kind: 'other', domain }),
        raw: '',
        recognized: false,
      })
      if (!handled) await sql.run(markHandled, { id, received_at, last_error: text })
      return !handled
    })
    if (!isNew) continue
    recorded += 1
    const alarm = { registry, domain, detail, alarm: 'domain_arrived_without_order' }
    parts.log.error(alarm, findingKinds[kind])
  }
  return { due, recorded }
}

/** The report as lines for a terminal. */
export function linesOf({ holdings, unheld, findings }: Comparison): string[] {
  const wide = (pick: (one: Finding) => string) =>
    Math.max(0, ...findings.map((one) => pick(one).length))
  const widths = [wide(({ kind }) => kind), wide(({ domain }) => domain), wide((o) => o.registry)]
  const rows = findings.map(({ kind, domain, registry, detail }) => {
    const cells = [kind, domain, registry].map((cell, at) => cell.padEnd(widths[at] ?? 0))
    return `  ${[...cells, detail].join('  ')}`
  })
  const counts = Map.groupBy(findings, ({ kind }) => kind)
  const kinds = Object.entries(findingKinds).flatMap(([kind, meaning]) => {
    const found = [...counts].find(([one]) => one === kind)?.[1]
    return found ? [`  ${kind} ${found.length}: ${meaning}`] : []
  })
  const read = `${holdings} holdings and ${unheld} other names were read at the registries`
  if (findings.length === 0) return [`${read}: all as they are known here.`]
  return [`${read}; ${findings.length} differ:`, '', ...rows, '', ...kinds]
}

/** The names in a registry's list: the first column of each line of a CSV or text file. */
export function listedNames(text: string): string[] {
  const cells = text.split('\n').map((line) => line.split(/[,;\t ]/)[0]?.trim() ?? '')
  const names = cells.map((cell) => cell.replaceAll(/^"|"$|\.$/g, '').toLowerCase())
  return [...new Set(names.filter((name) => /^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(name)))]
}
