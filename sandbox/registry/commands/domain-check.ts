// domain:check and domain:info.

import { isReserved, parseName, premiumPrice, requireScript, splitName } from '../model/names.ts'
import { DOMAIN, FEE, RGP, SEC_DNS } from '../protocol/namespaces.ts'
import { Refused, type Reply } from '../protocol/reply.ts'
import { collapse, escapeXml } from '../protocol/xml.ts'
import { type Call, readDomain } from './command-context.ts'
import { renderInfo, renderRgp, renderSecDns } from './domain-view.ts'
import { feeCheck } from './fees.ts'
import { child, children, inOrder, readAuthInfo } from './field-parser.ts'

/** RFC 5731 section 3.1.1, with fees (RFC 8748). */
export function checkDomains(call: Call): Reply {
  const { profile } = call.registry
  inOrder(call.body, 'name')
  const texts = children(call.body, 'name').map((each) => collapse(each.text))
  if (texts.length === 0) throw new Refused(2003, 'name is required')
  if (texts.length > profile.names_per_check) {
    throw new Refused(profile.too_many_names_code, `at most ${profile.names_per_check} names`)
  }
  const names = texts.map(parseName)
  for (const name of names) requireScript(profile, name)
  const reasons = names.map((name) => unavailable(call, name))
  const entries = names.map((name, at) => {
    const reason = reasons[at] ?? null
    const why = reason === null ? '' : `<domain:reason>${escapeXml(reason)}</domain:reason>`
    const avail = reason === null ? 1 : 0
    return `<domain:cd><domain:name avail="${avail}">${name}</domain:name>${why}</domain:cd>`
  })
  const priced = names.map((name, at) => ({ name, priced: !UNPRICED.has(reasons[at] ?? '') }))
  return {
    code: 1000,
    data: `<domain:chkData xmlns:domain="${DOMAIN}">${entries.join('')}</domain:chkData>`,
    extension: feeCheck(call, priced),
  }
}

const UNPRICED = new Set(['Reserved', 'Not a name of this registry'])

/** Why a name is not available (in at most 32 characters), or null if it is. */
function unavailable(call: Call, name: string): string | null {
  const parts = splitName(name)
  if (parts === null || call.registry.profile.prices[parts.tld] === undefined) {
    return 'Not a name of this registry'
  }
  if (call.registry.domains.has(name)) return 'In use'
  if (isReserved(parts.label)) return 'Reserved'
  if (premiumPrice(parts.label) !== null && !call.services.has(FEE)) {
    return 'Premium names require EPP ext.'
  }
  return null
}

/** RFC 5731 section 3.1.2: the sponsor, and a registrar with the authInfo, see all fields. */
export function infoDomain(call: Call): Reply {
  inOrder(call.body, 'name authInfo')
  const domain = readDomain(call)
  const shown = readAuthInfo(call.body)
  const ours = domain.sponsor === call.registrar
  if (shown !== null && shown !== '' && shown !== domain.auth_info) {
    throw new Refused(2202, 'authInfo does not match')
  }
  if (!ours && (shown === null || shown === '')) {
    throw new Refused(2201, 'another registrar sponsors it')
  }
  const hosts = child(call.body, 'name')?.attributes.get('hosts') ?? 'all'
  if (!['all', 'del', 'sub', 'none'].includes(hosts)) throw new Refused(2005, 'hosts')
  return {
    code: 1000,
    data: renderInfo(call.registry, domain, {
      hosts,
      auth: !call.registry.settings.hides_auth_info,
    }),
    extension:
      (call.services.has(RGP) ? renderRgp(domain, call.now) : '') +
      (call.services.has(SEC_DNS) ? renderSecDns(domain) : ''),
  }
}
