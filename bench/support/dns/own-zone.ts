// The measured zone: bought through the API, with records of every usual kind, and the questions
// about it.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { askAddress } from '../../../src/adapters/dns/lookup/dns-lookup.ts'
import type { Bench } from '../bench.ts'
import type { BenchCustomer } from '../customers.ts'

const hosts = 100

type Place = { host: string; port: number }
export type OwnZone = {
  name: string
  /** The zone file that the service exports, for other servers. */
  text: string
  questions: string
  /** Sends a request to the service as the owner; throws unless it succeeds. */
  request: (method: string, path: string, body?: unknown) => Promise<string>
}

export async function makeZone(
  bench: Bench,
  { url, owner }: { url: string; owner: BenchCustomer },
): Promise<OwnZone> {
  const name = 'measured.com'
  const request = async (method: string, path: string, body?: unknown) => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { authorization: `Bearer ${owner.key}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
    return text
  }
  await request('POST', '/v1/domains', { domain: name, max_price: '20.00' })
  await request('PATCH', `/v1/domains/${name}/records`, { sets: sets() })
  const questions = join(bench.folder, 'questions')
  writeFileSync(questions, `${questionsOf(name).join('\n')}\n`)
  const text = await request('GET', `/v1/domains/${name}/zonefile`)
  return { name, text, questions, request }
}

function sets() {
  const many = Array.from({ length: hosts }, (_, i) => [
    { host: `host-${i}`, type: 'A', ttl: 3600, values: [`192.0.2.${i + 1}`] },
    { host: `host-${i}`, type: 'AAAA', ttl: 3600, values: [`2001:db8::${i + 1}`] },
  ])
  return [
    { host: '@', type: 'A', ttl: 3600, values: ['192.0.2.1'] },
    { host: '@', type: 'MX', ttl: 3600, values: ['10 host-1.measured.com.', '20 mx.example.net.'] },
    { host: '@', type: 'TXT', ttl: 3600, values: ['v=spf1 mx -all'] },
    { host: 'www', type: 'CNAME', ttl: 3600, values: ['host-0.measured.com.'] },
    { host: '*.any', type: 'A', ttl: 3600, values: ['192.0.2.200'] },
    ...many.flat(),
  ]
}

/**
 * One of six questions is for a name that does not exist, one for a name without data, one for a
 * CNAME and one for a wildcard.
 */
function questionsOf(zone: string): string[] {
  return Array.from({ length: hosts }, (_, i) => [
    `host-${i}.${zone} A`,
    `host-${i}.${zone} AAAA`,
    `host-${i}.${zone} TXT`,
    `${zone} ${['A', 'MX', 'TXT'][i % 3]}`,
    `www.${zone} A`,
    i % 2 === 0 ? `none-${i}.${zone} A` : `a${i}.any.${zone} A`,
  ]).flat()
}

/** The time by performance.now(), in milliseconds, at which the server answers with the address. */
export async function servedAt(place: Place, name: string, address: string): Promise<number> {
  const late = performance.now() + 10_000
  while (performance.now() < late) {
    if ((await askAddress(place, name)) === address) return performance.now()
    await sleep(1)
  }
  throw new Error(`${name} was not served within 10 s`)
}
