// Preconditions of the disasters: buyers with money, and names, a year old, that can be renewed,
// transferred in and restored.
import type { Sandbox } from '../../../sandbox/registry/index.ts'
import {
  attempt,
  open,
  profileOf,
  rivalOf,
} from '../../../src/adapters/registry/fixtures/sandbox.ts'
import type { Outcome, Registry } from '../../../src/adapters/registry/port.ts'
import type { TestCustomer } from '../../support/service.ts'
import type { Case } from '../matrix/cases.ts'
import type { DisasterSetup } from './disaster-setup.ts'
import { inParallel } from './parallel.ts'
import { authCode as auth_info, must, post } from './requests.ts'

type Sides = { own: Registry; rival: Registry }
/** The tests' own sessions, and those of the other registrar. */
export type Actors = { of: (domain: string) => Sides; close: () => Promise<void> }

export function openActors(sandbox: Sandbox): Actors {
  const sidesOf = (name: 'thin' | 'thick'): Sides => ({
    own: open(profileOf(sandbox, name)),
    rival: open(rivalOf(sandbox, name)),
  })
  const sides = { thin: sidesOf('thin'), thick: sidesOf('thick') }
  const { tlds } = sandbox.registries.thin
  return {
    of: (domain) => (tlds.some((tld) => domain.endsWith(`.${tld}`)) ? sides.thin : sides.thick),
    async close() {
      const all = Object.values(sides).flatMap(({ own, rival }) => [own, rival])
      await Promise.all(all.map((one) => one.close()))
    },
  }
}

function done(outcome: Outcome<unknown>, words: string): void {
  if (outcome.kind === 'refused' || outcome.kind === 'unknown')
    throw new Error(`${words}: ${outcome.kind}, ${outcome.message}`)
}

export type Buyers = ReadonlyMap<number, TestCustomer>

const yearsOf: Record<Case['history'], number> = {
  free: 0,
  active: 1,
  grace: 1,
  added: 1,
  theirs: 3,
  their_grace: 1,
  deleted: 3,
  term_over: 1,
}

type Preparing = { setup: DisasterSetup; actors: Actors; cases: readonly Case[] }

/**
 * Four cases share a buyer, except those that suspend it. `passes` is the time between the first
 * registrations and now: more than the add grace period of five days, and more than a year if some
 * names are to be auto-renewed.
 */
export async function prepare(
  { setup, actors, cases }: Preparing,
  passes = 'P6D',
): Promise<Buyers> {
  const buyers = new Map<number, TestCustomer>()
  const sharing = cases.filter(({ suspended }) => !suspended)
  const groups = [
    ...sharing.filter((_, i) => i % 4 === 0).map((_, i) => sharing.slice(i * 4, i * 4 + 4)),
    ...cases.filter(({ suspended }) => suspended).map((one) => [one]),
  ]
  await inParallel(groups, 6, async (group) => {
    const customer = await limitedBuyer(setup)
    for (const one of group) buyers.set(one.number, customer)
  })
  const early = cases.filter(({ history }) => history !== 'free' && history !== 'active')
  await inParallel(early, 6, async (one) => {
    if (one.command === 'transfer') await registerTheirs(actors, one)
    else await registerOurs(setup, one, buyers)
  })
  await setup.registrar.advance(passes)
  const late = cases.filter(({ history }) => history === 'active')
  await inParallel(late, 6, (one) => registerOurs(setup, one, buyers))
  const deleted = cases.filter(({ command }) => command === 'restore')
  await inParallel(deleted, 4, async ({ domain }) => {
    done(await actors.of(domain).own.delete(domain, attempt()), `delete ${domain}`)
  })
  return buyers
}

/** Buys with a key that has a budget and was made by another such key. */
async function limitedBuyer({ registrar }: DisasterSetup): Promise<TestCustomer> {
  const scopes = ['domains:purchase', 'domains:read', 'domains:write', 'keys:write', 'billing:read']
  const customer = await registrar.customer({ funds_cents: 1_000_000 })
  const made = async (token: string, amount: string) => {
    const path = `/v1/customers/${customer.id}/api-keys`
    const body = { scopes, spend_limit: { amount, currency: 'USD', window: 'total' } }
    const answer = await registrar.request('POST', path, { token, body })
    if (answer.status !== 201) throw new Error(answer.text)
    return String(answer.body.api_key)
  }
  const parent = await made(registrar.operatorKey, '9000.00')
  return { ...customer, key: await made(parent, '8000.00') }
}

async function registerOurs(
  { registrar }: DisasterSetup,
  one: Case,
  buyers: Buyers,
): Promise<void> {
  const { domain, history } = one
  const key = buyers.get(one.number)?.key ?? ''
  const body = { domain, period_years: yearsOf[history] }
  must(await post(registrar.url, { path: '/v1/domains', body, key }), 200)
}

const contact = 'other-holder'

async function registerTheirs(actors: Actors, { domain, history }: Case): Promise<void> {
  const { rival } = actors.of(domain)
  const thick = rival.profile.contacts === 'required'
  if (thick) done(await rival.putContact(theirContact, 'normal'), contact)
  const contacts = (['admin', 'tech'] as const).map((type) => ({ type, id: contact }))
  const outcome = await rival.register(
    {
      domain,
      period_years: yearsOf[history],
      nameservers: [],
      registrant: thick ? contact : null,
      contacts: thick ? contacts : [],
      auth_info,
      fee: null,
    },
    attempt(),
  )
  done(outcome, `register ${domain} elsewhere`)
}

const theirContact = {
  id: contact,
  name: 'Other Holder',
  organization: null,
  street: ['1 Other Street'],
  city: 'Elsewhere',
  state: 'Else',
  postal_code: '10000',
  country_code: 'US',
  voice: '+1.5555550100',
  email: 'holder@example.org',
  auth_info,
}
