// Each kind of caller, with an account of its own that has money, a domain and a contact; the ids
// of these are in the dictionary.
import { scopes } from '../../src/app.ts'
import { must } from '../contract/support/fixture.ts'
import { openAttacker } from '../security/client.ts'
import { customerToolKey } from '../support/node.ts'
import { newOwner } from '../support/owner.ts'
import type { TestService } from '../support/service.ts'
import { ownersPassword, recentSessionOf } from '../support/sign-in.ts'
import type { Dictionary } from './dictionary.ts'

export const callers = [
  'anonymous',
  'key',
  'limited',
  'oauth',
  'session',
  'operator',
  'tool',
] as const
export type CallerKind = (typeof callers)[number]

/** The header fields with which it calls each surface. */
export type Credential = Record<'rest' | 'mcp', Record<string, string>>

let made = 0

/** A new account, and the credential of a caller of this kind. */
export async function openCaller(
  registrar: TestService,
  kind: CallerKind,
  dictionary: Dictionary,
): Promise<Credential> {
  made += 1
  const owner = await newOwner(registrar, { scopes: [...scopes], funds_cents: 500_000 })
  const domain = `fuzz-${process.pid}-${made}.com`
  const options = { token: owner.key, body: { domain } }
  const bought = await must(registrar.request('POST', '/v1/domains', options))
  dictionary.harvest(bought.body, '/v1/domains')
  dictionary.add('/v1/operations#id', bought.body.operation.id)
  const facts = { ...owner, customer_id: owner.id, api_key_id: owner.key_id, domain }
  const { id: _id, key: _key, key_id: _key_id, decide: _decide, ...named } = facts
  for (const [name, value] of Object.entries(named)) dictionary.add(name, value)
  for (let i = 0; i < 12; i += 1) dictionary.add('domain', `fuzz-${process.pid}-${made}-${i}.com`)
  dictionary.add('password', ownersPassword)
  return credentialOf(registrar, kind, owner)
}

type Owner = Awaited<ReturnType<typeof newOwner>>
const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
const both = (headers: Record<string, string>): Credential => ({ rest: headers, mcp: headers })

async function credentialOf(
  registrar: TestService,
  kind: CallerKind,
  owner: Owner,
): Promise<Credential> {
  switch (kind) {
    case 'anonymous':
      return both({})
    case 'key':
      return both(bearer(owner.key))
    case 'limited':
      return both(bearer(await limitedKey(registrar, owner)))
    case 'oauth':
      return tokens(registrar, owner)
    case 'session':
      return both(bearer(await recentSessionOf(registrar, owner)))
    case 'operator':
      return both(bearer(registrar.operatorKey))
    case 'tool':
      return both({ 'x-customer-tool-key': customerToolKey })
  }
}

/** It sees some names, and may spend a little of the balance; above 8.00 the owner is asked. */
async function limitedKey(registrar: TestService, owner: Owner): Promise<string> {
  const body = {
    name: 'limited',
    scopes: scopes.filter((scope) => !['keys:write', 'audit:read'].includes(scope)),
    spend_limit: { amount: '60.00', currency: 'USD', window: 'day' },
    max_price: { amount: '40.00', currency: 'USD' },
    approval_above: { amount: '8.00', currency: 'USD' },
    outside_allowed: 'ask',
    allowed_tlds: ['com', 'shop'],
    allowed_domains: ['fuzz-*.com', 'google.com'],
  }
  const token = await recentSessionOf(registrar, owner)
  const path = `/v1/customers/${owner.id}/api-keys`
  const answer = await must(registrar.request('POST', path, { token, body }), 201)
  return String(answer.body.api_key)
}

/** A token is valid at one resource: one for each surface. */
async function tokens(registrar: TestService, owner: Owner): Promise<Credential> {
  const { connect } = openAttacker(registrar)
  const scope = scopes.join(' ')
  const token = async (changes: Record<string, string>) => {
    const { tokens } = await connect(owner, { changes: { scope, ...changes } })
    return tokens.access_token
  }
  const mcp = await token({})
  const rest = await token({ resource: registrar.service.settings.base_url })
  return { rest: bearer(rest), mcp: bearer(mcp) }
}
