// The packed command for DNS records, with a key of its own, and names that are bought by it.
import assert from 'node:assert/strict'
import { fresh } from '../../contract/support/fixture.ts'
import { sharedService } from '../../support/service.ts'
import { jsonOf, newHome, runPacked } from './packed.fixture.ts'

export const dnsRegistrar = await sharedService()
export const { key } = await dnsRegistrar.customer({
  scopes: ['domains:read', 'domains:purchase', 'dns:write'],
})
const env = { ...newHome(dnsRegistrar, 'dns'), AGENT_REGISTRAR_API_KEY: key }
export const runDns = (words: string[], input = '') => runPacked(['dns', ...words], env, input)
export const json = (...words: string[]) => jsonOf(['dns', ...words], env)

export async function done(...words: string[]): Promise<string[]> {
  const { code, stdout, stderr } = await runDns(words)
  assert.equal(code, 0, stderr)
  return stdout.trimEnd().split('\n')
}

export async function bought(): Promise<string> {
  const domain = `${fresh()}.com`
  await jsonOf(['buy', domain, '--yes'], env)
  return domain
}

type Listed = { host: string; type: string; ttl: number; values: string[]; managed: boolean }

/** A text such as "www A 3600 192.0.2.1" for each set that is not managed. */
export async function setsOf(domain: string): Promise<string[]> {
  const { sets } = await json('list', domain)
  return sets
    .filter(({ managed }: Listed) => !managed)
    .map(({ host, type, ttl, values }: Listed) => [host, type, ttl, ...values].join(' '))
}
