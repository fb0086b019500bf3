// Domains for examples that use them up, each in the state that its call needs.
import { askAway, deleteBehind, sellElsewhere, soldCode } from '../../support/other-registrar.ts'
import { fresh, must, type Scene } from './scene.ts'

export async function freshDomain(scene: Scene): Promise<string> {
  const domain = `${fresh('own')}.com`
  // The account's own may be others by now.
  const nameservers = scene.registrar.service.settings.default_nameservers
  const options = { token: scene.key, body: { domain, nameservers } }
  await must(scene.registrar.request('POST', '/v1/domains', options))
  return domain
}

export async function freshElsewhere({ registrar }: Scene): Promise<string> {
  const domain = `${fresh('elsewhere')}.com`
  await sellElsewhere(registrar, domain)
  return domain
}

/** A transfer in that waits for the other registrar. */
export async function freshTransfer(scene: Scene): Promise<string> {
  const domain = await freshElsewhere(scene)
  const options = { token: scene.key, body: { domain, auth_code: soldCode } }
  await must(scene.registrar.request('POST', '/v1/domains/transfer', options))
  return domain
}

/** Asked for by the other registrar. */
export async function freshWanted(scene: Scene): Promise<string> {
  const domain = await freshDomain(scene)
  const path = `/v1/domains/${domain}/transfer-auth-code`
  const { body } = await must(scene.registrar.request('GET', path, { token: scene.key }))
  await askAway(scene.registrar, { domain, auth_info: body.auth_code })
  return domain
}

/** In redemption. */
export async function freshRedeemed(scene: Scene): Promise<string> {
  const { registrar } = scene
  const domain = await freshDomain(scene)
  const options = { token: registrar.operatorKey, body: { advance: 'P6D' } }
  await must(registrar.request('POST', '/v1/sandbox/clock', options))
  await deleteBehind(registrar, domain)
  return domain
}
