// Reads the documents of clients: how often, for whom, and how many at once. Strangers say where
// they are, so nobody may make us a scanner, or keep us from reading somebody else's.
import type { Sql } from '../../../db/database.ts'
import type { Doors, Quota } from '../../host-ports.ts'
import { ClientRefused } from '../client-metadata.ts'
import type { Copies } from './document-cache.ts'
import { NotNow, openPauses } from './fetch-backoff.ts'
import { openFetchLimits } from './fetch-concurrency.ts'
import { readDocument } from './metadata-document.ts'
import { hasConsent } from './metadata-documents.sql.ts'
import { fetchGuarded, NotFetched, type OutsideDoor } from './ssrf-safe-fetch.ts'

const kept_s = { least: 300, most: 86_400 }

export type ReadingParts = {
  sql: Sql
  copies: Copies
  /** Takes one unit; `resets_s` is when there are more. */
  count: Doors['count']
  /** How many documents of clients that we do not know one address may have us read. */
  per_minute: number
  now_ms: () => number
  door: OutsideDoor
}
export type Wanted = {
  url: URL
  /** The address that asks. */
  asker: string
}

/**
 * Reads a document into the copies. Throws NotNow, after which a copy may go on; NotFetched and
 * ClientRefused, after which there is none; DatabaseUnavailable.
 */
export function openReading(parts: ReadingParts): (wanted: Wanted) => Promise<void> {
  const { sql, copies, door, now_ms } = parts
  const running = new Map<string, Promise<void>>()
  const limits = openFetchLimits()
  const pauses = openPauses(now_ms)

  async function spend(policy: Quota, key: string): Promise<void> {
    const { allowed, resets_s } = await parts.count(policy, key)
    if (!allowed) throw new NotNow(429, resets_s, 'Too many client metadata documents')
  }

  // Of a host much more than one address has there: strangers who ask for what is not there must
  // not keep out its own clients.
  async function spendAll({ asker, url }: Wanted): Promise<void> {
    const { per_minute } = parts
    const policy = (name: string, quota: number) => ({ name, quota, window_s: 60 })
    const atHost = policy('client-documents-at-host', Math.ceil(per_minute / 2))
    await spend(policy('client-documents', per_minute), asker)
    await spend(atHost, `${asker} ${url.hostname}`)
    await spend(policy('client-document-host', 30 * per_minute), url.hostname)
  }

  async function start({ href }: URL): Promise<void> {
    const copy = copies.here(href)
    const read_at = new Date(now_ms())
    try {
      const fetched = await fetchGuarded(new URL(href), door, { etag: copy?.etag ?? null })
      const fields = fetched.kind === 'same' ? copy?.fields : readDocument(fetched.bytes, href)
      if (!fields) throw new NotFetched('refused', 'it was not sent')
      pauses.end(href)
      const fresh_until = new Date(now_ms() + 1000 * keptFor(fetched.cache_control))
      await copies.keep({ fields, etag: fetched.etag ?? null, read_at, fresh_until })
    } catch (error) {
      if (!(error instanceof NotFetched || error instanceof ClientRefused)) throw error
      if (error instanceof NotFetched && error.kind === 'away')
        throw pauses.begin(href, { known: copy !== undefined, words: error.message })
      pauses.begin(href, { known: false, words: error.message })
      await copies.purge(href, read_at)
      throw error
    }
  }

  return async ({ url, asker }) => {
    const { href, hostname } = url
    if (running.has(href)) return running.get(href)
    pauses.check(href)
    const known = copies.here(href) !== undefined || (await sql.one(hasConsent, [href])).consented
    if (!known) await spendAll({ url, asker })
    // Somebody else may have begun meanwhile, or be done.
    if (running.has(href)) return running.get(href)
    if (copies.isFresh(copies.here(href))) return
    const release = limits.tryAcquire({ asker, host: hostname, known })
    if (!release) throw new NotNow(503, 5, 'Too many documents are being read at the moment')
    const reading = start(url).finally(() => {
      release()
      running.delete(href)
    })
    running.set(href, reading)
    await reading
  }
}

/** Seconds; what may not be stored at all is kept for the least. */
function keptFor(cache_control: string): number {
  const asked = /(?:^|,)\s*max-age\s*=\s*"?(\d{1,9})/i.exec(cache_control)?.[1]
  const storable = !/(?:^|,)\s*no-(store|cache)\b/i.test(cache_control)
  const wanted = storable && asked !== undefined ? Number(asked) : kept_s.least
  return Math.min(kept_s.most, Math.max(kept_s.least, wanted))
}
