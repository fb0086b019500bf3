// Clients that are not registered but say who they are in a document at their client_id, an https
// URL (draft-ietf-oauth-client-id-metadata-document). oidc-provider asks for the document here and
// opens no connection by itself.
import type { IncomingMessage } from 'node:http'
import type { Configuration, KoaContextWithOIDC } from 'oidc-provider'
import { parseHost } from '../kit/host.ts'
import { parseJson } from '../kit/json.ts'
import { type ClientFields, ClientRefused, readClient } from './client-fields.ts'
import type { Doors, Quota } from './doors.ts'
import {
  type Fetched,
  fetchGuarded,
  internet,
  NotFetched,
  type OutsideDoor,
} from './guarded-fetch.ts'
import type { Library } from './library.ts'

const mostIdLength = 2000
const kept_s = { least: 300, most: 86_400 }
const mostKept = 500
const mostAtOnce = 16
export type DocumentParts = {
  errors: Library['errors']
  /** Takes one unit; `resets_s` is when there are more. */
  count: Doors['count']
  /** How many documents one address may have us read; of one host it is three times as many. */
  per_minute: number
  /** The address that a request is counted for. */
  addressOf: (request: IncomingMessage) => string
  now_ms?: () => number
  /** Where the documents are; the Internet unless a test says otherwise. */
  door?: OutsideDoor
}

type Kept = { fields: ClientFields & { client_id: string }; ends_ms: number }

/** What oidc-provider's configuration takes of this. */
export type ClientDocuments = {
  fetch: NonNullable<Configuration['fetch']>
  feature: {
    enabled: true
    ack: 'draft-02'
    allowFetch: (ctx: KoaContextWithOIDC | undefined, clientId: string) => Promise<boolean>
    cacheDuration: { min: number; max: number }
  }
}

/**
 * Where a client_id may be the URL of a document: undefined, or the words why not. Written in its
 * normal form, so that what is shown to the owner is what is asked; no IP addresses, no other port.
 */
export function documentUrl(clientId: string, port = 443): URL | string {
  const url = clientId.length <= mostIdLength ? URL.parse(clientId) : null
  if (url?.protocol !== 'https:' || url.href !== clientId)
    return 'client_id must be an https URL in its normal form, with a path'
  if (url.username !== '' || url.password !== '') return 'client_id must not name a user'
  if (url.hash !== '' || url.search !== '' || /[?#]$/.test(clientId))
    return 'client_id must not have a query or a fragment'
  if (parseHost(url.hostname) !== url.hostname || !url.hostname.includes('.'))
    return 'client_id must have a host name of the Internet'
  if (Number(url.port || 443) !== port) return 'client_id must not have a port'
  return url
}

/**
 * Documents are kept for as long as their Cache-Control says, between 5 minutes and a day;
 * failures are not. Each node keeps its own.
 */
export function openClientDocuments(parts: DocumentParts): ClientDocuments {
  const { errors, door = internet, now_ms = Date.now } = parts
  const kept = new Map<string, Kept>()
  const reading = new Map<string, Promise<void>>()
  // After an error oidc-provider looks for the client once more, in the same request.
  const failed = new WeakMap<KoaContextWithOIDC, Error>()

  const unavailable = (words: string, status: 429 | 503) =>
    Object.assign(new errors.TemporarilyUnavailable(words), { status, statusCode: status })

  // So that nobody makes us a scanner, or many of them a flood on one host.
  const quotas = {
    address: { name: 'client-documents', quota: parts.per_minute, window_s: 60 },
    host: { name: 'client-document-host', quota: 3 * parts.per_minute, window_s: 60 },
  }

  async function spend(policy: Quota, key: string): Promise<void> {
    const { allowed, resets_s } = await parts.count(policy, key)
    if (allowed) return
    const words = `Too many client metadata documents; try again in ${Math.ceil(resets_s)} seconds`
    throw unavailable(words, 429)
  }

  async function start(clientId: string, url: URL): Promise<void> {
    await spend(quotas.host, url.hostname)
    const document = await fetchGuarded(url, door)
    const fields = readDocument(document.bytes, clientId)
    kept.delete(clientId)
    const [oldest] = kept.keys()
    if (oldest !== undefined && kept.size >= mostKept) kept.delete(oldest)
    kept.set(clientId, { fields, ends_ms: now_ms() + 1000 * keptFor(document) })
  }

  async function obtain(ctx: KoaContextWithOIDC | undefined, clientId: string): Promise<void> {
    if ((kept.get(clientId)?.ends_ms ?? 0) > now_ms()) return
    const url = documentUrl(clientId, door.port)
    if (typeof url === 'string') throw new errors.InvalidClient(url)
    await spend(quotas.address, ctx ? parts.addressOf(ctx.req) : 'service')
    let running = reading.get(clientId)
    if (!running) {
      if (reading.size >= mostAtOnce)
        throw unavailable('Too many documents are being read at the moment; try again', 503)
      running = start(clientId, url).finally(() => reading.delete(clientId))
      reading.set(clientId, running)
    }
    await running
  }

  return {
    async fetch(input) {
      const clientId = String(input)
      const found = kept.get(clientId)
      // Nothing else that a client names (jwks_uri, say) is ever loaded.
      if (!found) throw new Error('No document of this client was read')
      const left_s = Math.max(0, Math.floor((found.ends_ms - now_ms()) / 1000))
      return Response.json(found.fields, { headers: { 'cache-control': `max-age=${left_s}` } })
    },
    feature: {
      enabled: true,
      ack: 'draft-02',
      cacheDuration: { min: 1, max: kept_s.most },
      async allowFetch(ctx, clientId) {
        const before = ctx && failed.get(ctx)
        if (before) throw before
        try {
          await obtain(ctx, clientId)
          return true
        } catch (error) {
          const told = toldOf(error, errors)
          if (ctx) failed.set(ctx, told)
          throw told
        }
      },
    },
  }
}

/** The client that the document describes. Throws ClientRefused. */
export function readDocument(bytes: Uint8Array, clientId: string): Kept['fields'] {
  const answer = parseJson(bytes)
  if ('problem' in answer) throw refused('it is not valid JSON')
  const fields = readClient(answer.value, ['none'])
  const said: Record<string, unknown> = Object(answer.value)
  // Simple string comparison (section 3): not as URLs.
  if (said.client_id !== clientId) throw refused('its client_id is not its URL')
  // Null is as good as none.
  if (said.client_secret != null || said.client_secret_expires_at != null)
    throw refused('it has a client_secret, which a public document cannot keep')
  return { ...fields, client_id: clientId }
}

function refused(words: string): ClientRefused {
  return new ClientRefused('invalid_client_metadata', words)
}

/** Seconds; what may not be stored at all is kept for the least. */
function keptFor({ cache_control }: Fetched): number {
  const asked = /(?:^|,)\s*max-age\s*=\s*"?(\d{1,9})/i.exec(cache_control)?.[1]
  const storable = !/(?:^|,)\s*no-(store|cache)\b/i.test(cache_control)
  const wanted = storable && asked !== undefined ? Number(asked) : kept_s.least
  return Math.min(kept_s.most, Math.max(kept_s.least, wanted))
}

function toldOf(error: unknown, errors: Library['errors']): Error {
  if (error instanceof NotFetched)
    return new errors.InvalidClient(`The document at client_id was not read: ${error.message}`)
  if (error instanceof ClientRefused)
    return new errors.InvalidClient(`The document at client_id is not taken: ${error.message}`)
  return error instanceof Error
    ? error
    : new Error('A document could not be read', { cause: error })
}
