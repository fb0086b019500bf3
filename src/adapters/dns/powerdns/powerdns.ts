// PowerDNS over its HTTP API, version 1: a zone is created, or changed where it differs from the
// wanted state.
import Type from 'typebox'
import { compile } from '../../../kit/schema.ts'
import { askAddress, askSet } from '../lookup/dns-lookup.ts'
import type { Dns, DnsPlace, Glue, Pushed, ZoneContent } from '../port.ts'
import { type WrittenSet, writtenSet, writtenSetsOf } from './zone-sets.ts'

type PowerDnsOptions = {
  /** Without a path, e.g. "http://127.0.0.1:8081". */
  url: string
  api_key: string
  /** Where it answers DNS. */
  place: DnsPlace
  glue: Glue
}

/** For all calls that one zone needs: an agent waits for them. */
const answers_ms = 8_000
const readZone = compile(Type.Object({ rrsets: Type.Array(writtenSet) }))

export function openPowerDns({ url, api_key, place, glue }: PowerDnsOptions): Dns {
  const server = `${url}/api/v1/servers/localhost`
  const within = (signal: AbortSignal): Call => {
    return async (method, path, body) => {
      const response = await fetch(`${server}${path}`, {
        method,
        headers: { 'X-API-Key': api_key, 'content-type': 'application/json' },
        signal,
        redirect: 'error',
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      return { status: response.status, text: await response.text() }
    }
  }
  return {
    place,
    provider: {
      id: `powerdns ${url}`,
      put: (zone) => pushed(within, (call) => put(call, zone, glue)),
      drop: (name) => pushed(within, (call) => drop(call, name)),
    },
    ask: (name) => askAddress(place, name),
    askSet: (name, type) => askSet(place, name, type),
    close: async () => undefined,
  }
}

type Answer = { status: number; text: string }
type Call = (method: string, path: string, body?: unknown) => Promise<Answer>

async function put(call: Call, zone: ZoneContent, glue: Glue): Promise<Answer> {
  const path = pathOf(zone.name)
  const sets = writtenSetsOf(zone, glue)
  let there = await call('GET', path)
  if (there.status === 404) {
    const made = await call('POST', '/zones', newZone(zone, sets))
    // It may have said REFUSED a moment ago, and would repeat that for 20 s.
    if (made.status === 201) return call('PUT', flushOf(zone.name))
    // It was created concurrently: from now on it is a change.
    if (made.status !== 409) return made
    there = await call('GET', path)
  }
  if (there.status !== 200) return there
  const changes = changesTo(readZone.parse(JSON.parse(there.text)).rrsets, sets)
  return changes.length === 0 ? there : await call('PATCH', path, { rrsets: changes })
}

async function drop(call: Call, name: string): Promise<Answer> {
  const gone = await call('DELETE', pathOf(name))
  return gone.status === 404 ? { ...gone, status: 204 } : gone
}

async function pushed(
  within: (signal: AbortSignal) => Call,
  work: (call: Call) => Promise<Answer>,
): Promise<Pushed> {
  try {
    const { status, text } = await work(within(AbortSignal.timeout(answers_ms)))
    if (status >= 200 && status < 300) return { kind: 'done' }
    const reason = status >= 500 ? 'unreachable' : 'refused'
    return { kind: 'failed', reason, message: `PowerDNS answered ${status}: ${text.slice(0, 200)}` }
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
    const message = cause instanceof Error ? cause.message : String(cause)
    return { kind: 'failed', reason: 'unreachable', message: `PowerDNS: ${message}` }
  }
}

function pathOf(name: string): string {
  return `/zones/${encodeURIComponent(`${name}.`)}`
}

function flushOf(name: string): string {
  return `/cache/flush?domain=${encodeURIComponent(`${name}.`)}`
}

/** Our own serial stays: each SOA-EDIT would make it theirs. */
function newZone({ name }: ZoneContent, rrsets: WrittenSet[]): object {
  const edits = { soa_edit: '', soa_edit_api: '' }
  return { name: `${name}.`, kind: 'Native', nameservers: [], ...edits, rrsets }
}

const keyOf = ({ name, type }: WrittenSet) => `${name.toLowerCase()} ${type}`

function factsOf({ ttl, records }: WrittenSet): string {
  return JSON.stringify([ttl, records.map(({ content, disabled }) => [content, disabled]).sort()])
}

type Change = WrittenSet & { changetype: 'REPLACE' | 'DELETE' }

/** The changes that make the zone exactly this. */
function changesTo(there: WrittenSet[], wanted: WrittenSet[]): Change[] {
  const facts = new Map(there.map((one) => [keyOf(one), factsOf(one)]))
  const keys = new Set(wanted.map(keyOf))
  return [
    ...there
      .filter((one) => !keys.has(keyOf(one)))
      .map((one): Change => ({ ...one, changetype: 'DELETE' })),
    ...wanted
      .filter((one) => facts.get(keyOf(one)) !== factsOf(one))
      .map((one): Change => ({ ...one, changetype: 'REPLACE' })),
  ]
}
