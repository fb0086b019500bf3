// Domains for examples that use them up, each in the state that its call needs.
import { askAway, deleteBehind, sellElsewhere, soldCode } from '../../support/other-registrar.ts'
import { type Fixture, fresh, must } from './fixture.ts'

/** A jump of the registries' clock between a purchase and its answer would park the order. */
const purchases = new Set<Promise<void>>()
let jump: Promise<unknown> = Promise.resolve()

export async function freshDomain(fixture: Fixture): Promise<string> {
  const domain = `${fresh('own')}.com`
  for (let waited: unknown; waited !== jump; ) {
    waited = jump
    await jump
  }
  const purchase = buy(fixture, domain)
  purchases.add(purchase)
  await purchase.finally(() => purchases.delete(purchase))
  return domain
}

/** A domain with a record on our name servers. */
export async function freshServed(fixture: Fixture): Promise<string> {
  const domain = await freshDomain(fixture)
  const options = { token: fixture.key, body: { host: 'www', record_value: '192.0.2.1' } }
  await must(fixture.registrar.request('POST', `/v1/domains/${domain}/dns-record`, options))
  return domain
}

async function buy(fixture: Fixture, domain: string): Promise<void> {
  // The account's own address may have changed meanwhile.
  const nameservers = fixture.registrar.service.settings.default_nameservers
  const options = { token: fixture.key, body: { domain, nameservers } }
  await must(fixture.registrar.request('POST', '/v1/domains', options))
  await untilActive(fixture, domain)
}

/** Resolves once the purchases that began earlier are active; later ones wait for it. */
async function jumpDays(registrar: Fixture['registrar'], days: number): Promise<void> {
  const before = jump
  const jumped = (async () => {
    await before
    await Promise.allSettled(purchases)
    const options = { token: registrar.operatorKey, body: { advance: `P${days}D` } }
    await must(registrar.request('POST', '/v1/sandbox/clock', options))
  })()
  jump = jumped.catch(() => undefined)
  await jumped
}

/** A registry that is slow at that moment leaves the order open for a while. */
async function untilActive({ registrar, key }: Fixture, domain: string): Promise<void> {
  const end = Date.now() + 40_000
  for (;;) {
    const path = `/v1/domains/${domain}`
    const { body, text } = await must(registrar.request('GET', path, { token: key }))
    if (body.status === 'active') return
    if (Date.now() > end) throw new Error(`${domain} is not active: ${text}`)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

export async function freshElsewhere({ registrar }: Fixture): Promise<string> {
  const domain = `${fresh('elsewhere')}.com`
  await sellElsewhere(registrar, domain)
  return domain
}

/** A transfer in that waits for the other registrar. */
export async function freshTransfer(fixture: Fixture): Promise<string> {
  const domain = await freshElsewhere(fixture)
  const options = { token: fixture.key, body: { domain, auth_code: soldCode } }
  await must(fixture.registrar.request('POST', '/v1/domains/transfer', options))
  return domain
}

/** A transfer that the other registrar has requested. */
export async function freshWanted(fixture: Fixture): Promise<string> {
  const domain = await freshDomain(fixture)
  const path = `/v1/domains/${domain}/transfer-auth-code`
  const { body } = await must(fixture.registrar.request('GET', path, { token: fixture.key }))
  await askAway(fixture.registrar, { domain, auth_info: body.auth_code })
  return domain
}

/** A domain in redemption. */
export async function freshRedeemed(fixture: Fixture): Promise<string> {
  const { registrar } = fixture
  const domain = await freshDomain(fixture)
  await jumpDays(registrar, 6)
  await deleteBehind(registrar, domain)
  return domain
}
