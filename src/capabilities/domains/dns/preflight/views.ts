// The answers of one or more name servers for a domain: ours from the records that we hold, others
// by asking them. A missing answer stays unknown and is never taken for a negative one.
import type { DnsPlace, NameServerClient } from '../../../../adapters/dns/port.ts'
import type { App } from '../../../../app.ts'
import { checkRdata } from '../../../../dns/rdata/rdata.ts'
import { rrType } from '../../../../dns/types.ts'
import { AddressForbidden } from '../../../../kit/net/outbound-network.ts'
import type { DomainName } from '../../../../kit/random.ts'
import { type RecordSets, wholeName } from '../record-sets/record-set.ts'
import { heldSet, type Question } from './questions.ts'

declare module '../../../../app.ts' {
  interface App {
    /** The client that asks name servers that are not ours. */
    nameServers: NameServerClient
  }
}

/** Null if there is no such set. */
export type Content = { ttl: number; rdata: readonly Buffer[] } | null
type ServerState = 'serves' | 'not_serving' | 'unknown'

export type View = {
  hosts: readonly string[]
  state: ServerState
  /** Why it does not serve the domain, or why that is unknown. */
  detail: string | null
  /** Returns undefined if the answer is not known. */
  ask(question: Question): Promise<Content | undefined>
}

export function heldView(hosts: readonly string[], sets: RecordSets): View {
  return {
    ...{ hosts, state: 'serves', detail: null },
    ask: async (question) => heldSet(sets, question) ?? null,
  }
}

/** Our servers serve a domain only if all of its name servers are ours. */
export function mixedView(hosts: readonly string[]): View {
  const detail = 'Our name servers serve a domain only where all of its name servers are ours.'
  return { hosts, state: 'not_serving', detail, ask: async () => null }
}

type Asking = { domain: DomainName; host: string; given: readonly string[]; signal: AbortSignal }

/** Asks for the SOA first, which a server of the zone answers with authority. */
export async function foreignView(app: Pick<App, 'nameServers'>, asking: Asking): Promise<View> {
  const { domain, host, signal } = asking
  const unknown = (detail: string): View => {
    return { hosts: [host], state: 'unknown', detail, ask: async () => undefined }
  }
  const places = await placesOf(app, asking)
  if (typeof places === 'string') return unknown(places)
  for (const place of places) {
    if (signal.aborted) return unknown('The time for asking was over.')
    const soa = await app.nameServers.ask(place, domain, rrType.soa)
    if (!soa) continue
    if (soa.rcode === 0 && soa.authoritative && soa.rdata.length > 0)
      return servingView(app, asking, place)
    return {
      ...{ hosts: [host], state: 'not_serving', ask: async () => null },
      detail: `It does not serve the domain yet: ${codeText(soa)}.`,
    }
  }
  return unknown('It did not answer.')
}

/** Returns the addresses, or a sentence if there are none. */
async function placesOf(
  app: Pick<App, 'nameServers'>,
  { host, given, signal }: Asking,
): Promise<readonly DnsPlace[] | string> {
  try {
    const places = await app.nameServers.placesOf(host, given, signal)
    return places.length > 0 ? places : 'Its name has no address.'
  } catch (error) {
    if (error instanceof AddressForbidden) return 'Its address is not public, so it was not asked.'
    if (signal.aborted) return 'The time for asking was over.'
    throw error
  }
}

const most_silent = 3

function servingView(
  app: Pick<App, 'nameServers'>,
  { domain, host, signal }: Asking,
  place: DnsPlace,
): View {
  let silent = 0
  return {
    ...{ hosts: [host], state: 'serves', detail: null },
    async ask({ host: name, type }) {
      if (signal.aborted || silent >= most_silent) return undefined
      const answer = await app.nameServers.ask(place, wholeName(name, domain), type)
      silent = answer ? 0 : silent + 1
      if (!answer || !(answer.rcode === 0 || answer.rcode === 3)) return undefined
      const { ttl, rdata: wire } = answer
      const read = wire.map((one) => checkRdata(type, one))
      const rdata = read.flatMap((one) => ('rdata' in one ? [one.rdata] : []))
      // The octets are no such record, so the answer is not known.
      if (rdata.length < wire.length) return undefined
      // A delegation is answered by a referral, without authority (RFC 1034 4.3.2).
      const isReferral = type === rrType.ns && name !== '@' && rdata.length > 0
      if (!answer.authoritative && !isReferral) return undefined
      return rdata.length === 0 ? null : { ttl, rdata }
    },
  }
}

const codes = ['NOERROR', 'FORMERR', 'SERVFAIL', 'NXDOMAIN', 'NOTIMP', 'REFUSED']

function codeText({ rcode, authoritative }: { rcode: number; authoritative: boolean }): string {
  const code = codes[rcode] ?? `code ${rcode}`
  return authoritative ? `it answered ${code}` : `it answered ${code} without authority`
}
