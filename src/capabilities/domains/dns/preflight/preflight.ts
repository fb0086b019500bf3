// Preflight of a change of name servers: asks the present ones and the new ones, and names the sets
// that would no longer be answered. It changes nothing.
import type { App } from '../../../../app.ts'
import type { Sql } from '../../../../db/database.ts'
import type { CustomerId, DomainName } from '../../../../kit/random.ts'
import { take } from '../../../../rate-limits/leaky-buckets.ts'
import type { Holding } from '../../holdings/domain-presenter.ts'
import { isWithin, type Nameservers } from '../../names.ts'
import { type RecordZone, readRecordZone } from '../records/read-zone.ts'
import { ownNameservers } from '../zones.ts'
import { compareSides } from './compare.ts'
import { presentPreflight } from './preflight-presenter.ts'
import { type Preflight, preflightLimited } from './preflight-shapes.ts'
import { questionsOf } from './questions.ts'
import { foreignView, heldView, mixedView, type View } from './views.ts'

/**
 * The limit is 12 at once, then one in five minutes, because each may ask a server 100 questions.
 */
const bucketOf = (customer_id: CustomerId) => {
  return { key: `preflight ${customer_id}`, most: 12, drain_s: 300 }
}
/** For a request that waits, so that a server gets the questions within some seconds. */
const quick = { most_questions: 120, longest_ms: 20_000 }
/** Enough for all sets of the largest zone, at the pace of an address. */
const thorough = { most_questions: 5_000, longest_ms: 240_000 }

/** Counts a preflight; throws preflightLimited. */
export async function countPreflight(
  app: Pick<App, 'db'>,
  { customer_id }: Pick<Holding, 'customer_id'>,
): Promise<void> {
  const retry_after_s = await take(app.db, [bucketOf(customer_id)])
  if (retry_after_s > 0) throw preflightLimited({ retry_after_s })
}

type Change = {
  holding: Holding
  desired: Nameservers
  /** Whether to compare all sets until one is missing or unknown, as no request waits for it. */
  isThorough?: boolean
}

/** Takes about 20 s, unless it is thorough; sets that were not asked for by then are unknown. */
export async function preflight(
  app: App,
  sql: Pick<Sql, 'maybe' | 'run'>,
  { holding, desired, isThorough = false }: Change,
): Promise<Preflight> {
  const zone = await readRecordZone(sql, holding)
  const { most_questions, longest_ms } = isThorough ? thorough : quick
  const signal = AbortSignal.timeout(longest_ms)
  const own = ownNameservers(app)
  const at = { domain: holding.name, signal }
  const [old, views] = await Promise.all([
    oldView(app, { zone, nameservers: holding.nameservers }, at),
    newViews(app, { zone, own, desired }, at),
  ])
  const { asked, left_out } = questionsOf(zone.sets, most_questions)
  const compared = await compareSides({ old, views, asked, isBrief: isThorough })
  return presentPreflight({ old, views, own, left_out, compared, hosts: desired.nameservers })
}

type At = { domain: DomainName; signal: AbortSignal }

/** The view of the first present name server that serves the domain; ours are read from records. */
async function oldView(
  app: App,
  { zone, nameservers }: { zone: RecordZone; nameservers: readonly string[] },
  at: At,
): Promise<View> {
  if (zone.hosted) return heldView(nameservers, zone.sets)
  let last: View | undefined
  for (const host of nameservers) {
    last = await foreignView(app, { ...at, host, given: [] })
    if (last.state === 'serves') return last
  }
  const detail = last?.detail ?? 'The domain has no name servers.'
  return { hosts: nameservers, state: 'unknown', detail, ask: async () => undefined }
}

type New = { zone: RecordZone; own: readonly string[]; desired: Nameservers }

async function newViews(app: App, { zone, own, desired }: New, at: At): Promise<View[]> {
  const { nameservers, glue } = desired
  const ours = nameservers.filter((host) => own.includes(host))
  const others = nameservers.filter((host) => !own.includes(host))
  const held = others.length === 0 ? heldView(ours, zone.sets) : mixedView(ours)
  const foreign = others.map((host) =>
    foreignView(app, { ...at, host, given: isWithin(at.domain, host) ? (glue[host] ?? []) : [] }),
  )
  return [...(ours.length > 0 ? [held] : []), ...(await Promise.all(foreign))]
}
