// Presenter of a comparison of name servers, with its warnings. Pure.
import { writeRdata } from '../../../../dns/rdata/rdata.ts'
import { rrType, typeName } from '../../../../dns/types.ts'
import type { Compared, FoundSet } from './compare.ts'
import { most_shown, type Preflight, type WarningCode } from './preflight-shapes.ts'
import type { Content, View } from './views.ts'

type Facts = {
  old: View
  views: readonly View[]
  own: readonly string[]
  /** The new name servers, in the order of the request. */
  hosts: readonly string[]
  compared: Compared
  left_out: number
}
type Warning = Preflight['warnings'][number]

export function presentPreflight(facts: Facts): Preflight {
  const { views, own, hosts, compared, left_out } = facts
  const { found } = compared
  return {
    served: servedOf(facts),
    nameservers: hosts.flatMap((host) => {
      const view = views.find((one) => one.hosts.includes(host))
      if (!view) return []
      const { state, detail } = view
      return [{ host, ours: own.includes(host), state, detail }]
    }),
    sets_compared: compared.served,
    sets_left_out: left_out,
    sets: found.slice(0, most_shown).map((one) => ({
      ...{ host: one.host, type: typeName(one.type), state: one.state },
      before: contentOf(one.type, one.before),
      after: contentOf(one.type, one.after),
      nameservers: one.nameservers,
    })),
    keep_old_s: compared.longest_ttl,
    warnings: warningsOf(facts),
  }
}

function servedOf({ old, views, compared, left_out }: Facts): boolean | null {
  const { found } = compared
  if (views.some(({ state }) => state === 'not_serving')) return false
  if (found.some(({ state }) => state === 'missing')) return false
  const isKnown =
    old.state === 'serves' &&
    compared.unknown === 0 &&
    left_out === 0 &&
    views.every(({ state }) => state === 'serves') &&
    !found.some(({ state }) => state === 'unknown')
  return isKnown ? true : null
}

function contentOf(type: number, content: Content) {
  if (!content) return null
  return { ttl: content.ttl, values: content.rdata.map((one) => writeRdata(type, one)) }
}

function warningsOf(facts: Facts): Warning[] {
  const { views, compared } = facts
  const servers = views.flatMap((view) => serverWarnings(view))
  const missing = compared.found.filter(({ state }) => state === 'missing')
  // A server without the zone has none of the sets, which is reported once.
  const isPartial = views.some(({ state }) => state === 'serves')
  return [
    ...servers,
    ...(isPartial || servers.length === 0 ? missing : missing.filter(isImportant)).map(stopping),
    ...compared.found.flatMap(differing),
    ...unseenOf(facts),
    ...keepOld(facts),
  ]
}

function serverWarnings({ hosts, state, detail }: View): Warning[] {
  if (state === 'serves') return []
  const code = state === 'unknown' ? 'not_asked' : 'not_serving'
  return hosts.map((host) => warning(code, `${host}: ${detail}`))
}

function warning(code: WarningCode, message: string, at?: { host: string; type: number }): Warning {
  return { code, host: at?.host ?? '@', type: at ? typeName(at.type) : 'NS', message }
}

const addresses: readonly number[] = [rrType.a, rrType.aaaa, rrType.cname]

function isSite({ host, type }: FoundSet): boolean {
  return addresses.includes(type) && (host === '@' || host === 'www')
}

function isImportant(one: FoundSet): boolean {
  return isSite(one) || one.type === rrType.mx
}

function stopping(one: FoundSet): Warning {
  const { host, type, nameservers } = one
  const who = nameservers.join(', ')
  const name = `"${host}" ${typeName(type)}`
  if (isSite(one))
    return warning(
      'site_stops',
      `The site would stop answering: ${name} is missing at ${who}.`,
      one,
    )
  if (type === rrType.mx)
    return warning('mail_stops', `Mail would stop: ${name} is missing at ${who}.`, one)
  return warning('records_stop', `${name} would stop answering: it is missing at ${who}.`, one)
}

function differing(one: FoundSet): Warning[] {
  if (one.state !== 'differs' || one.type !== rrType.mx) return []
  const message = `Mail to "${one.host}" would go elsewhere: its MX differs.`
  return [warning('mail_differs', message, one)]
}

function unseenOf({ old: { state, hosts }, own }: Facts): Warning[] {
  const who = hosts.join(', ') || 'the domain has none'
  const isOurs = hosts.every((host) => own.includes(host))
  if (state !== 'serves')
    return [
      warning(
        'unseen',
        `The present name servers do not answer (${who}), so it is unknown what would stop.`,
      ),
    ]
  if (isOurs) return []
  const seen = 'Only usual names and those of the records kept here were compared'
  const more = 'A scan of the records of the domain asks for more of them.'
  return [warning('unseen', `${seen}: a zone has other names that cannot be seen. ${more}`)]
}

function keepOld({ compared: { longest_ttl } }: Facts): Warning[] {
  if (longest_ttl === null) return []
  return [
    warning(
      'keep_old',
      `Keep the present name servers answering after the change: resolvers keep their records ` +
        `for ${longest_ttl} s, and the delegation for the TTL of the registry, often two days.`,
    ),
  ]
}
