// Domains for examples that use them up, each in the state that its call needs.
import { askAway, deleteBehind, sellElsewhere, soldCode } from '../../support/other-registrar.ts'
import { type Fixture, fresh, must } from './fixture.ts'

export async function freshDomain(fixture: Fixture): Promise<string> {
  const domain = `${fresh('own')}.com`
  // The account's own may be others by now.
  const nameservers = fixture.registrar.service.settings.default_nameservers
  const options = { token: fixture.key, body: { domain, nameservers } }
  await must(fixture.registrar.request('POST', '/v1/domains', options))
  await untilActive(fixture, domain)
  return domain
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

/** Asked for by the other registrar. */
export async function freshWanted(fixture: Fixture): Promise<string> {
  const domain = await freshDomain(fixture)
  const path = `/v1/domains/${domain}/transfer-auth-code`
  const { body } = await must(fixture.registrar.request('GET', path, { token: fixture.key }))
  await askAway(fixture.registrar, { domain, auth_info: body.auth_code })
  return domain
}

/** In redemption. */
export async function freshRedeemed(fixture: Fixture): Promise<string> {
  const { registrar } = fixture
  const domain = await freshDomain(fixture)
  const options = { token: registrar.operatorKey, body: { advance: 'P6D' } }
  await must(registrar.request('POST', '/v1/sandbox/clock', options))
  await deleteBehind(registrar, domain)
  return domain
}
