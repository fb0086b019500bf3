// Warnings of a change of records about states that the rules of the DNS allow but that are rarely
// intended.
import Type, { type Static } from 'typebox'
import { targetsOf } from '../../../../dns/rdata/rdata.ts'
import { rrType, typeName } from '../../../../dns/types.ts'
import type { DomainName } from '../../../../kit/random.ts'
import { oneOf } from '../../../../kit/schema.ts'
import type { SetDiff } from './plan-records.ts'
import { type RecordSets, setKey } from './record-set.ts'

/** The codes, the gravest first. `more` has the number of warnings that are not listed. */
const codes = [
  ...['not_served', 'mail_stops', 'dangling_target', 'ttls_differed', 'ttl_set', 'cached'],
  'more',
] as const
const most_listed = 100

export const warningShape = Type.Object(
  {
    code: oneOf(codes),
    host: Type.String({ description: 'Relative to the domain; "@" is the domain itself.' }),
    type: Type.String(),
    message: Type.String(),
  },
  { title: 'DnsWarning' },
)
export type Warning = Static<typeof warningShape>

const long_ttl_s = 3_600

/** At most a hundred warnings: of more, the gravest ones and the number of the others. */
export function listedWarnings(warnings: readonly Warning[]): Warning[] {
  const others = warnings.length - most_listed
  if (others <= 0) return [...warnings]
  const rank = ({ code }: Warning) => codes.indexOf(code)
  const sorted = [...warnings].sort((one, other) => rank(one) - rank(other))
  const message =
    others === 1 ? '1 more warning is not listed.' : `${others} more warnings are not listed.`
  const more: Warning = { code: 'more', host: '@', type: 'ANY', message }
  return [...sorted.slice(0, most_listed), more]
}

type Changed = {
  zone: { domain: DomainName; hosted: boolean }
  diff: readonly SetDiff[]
  sets: RecordSets
}

/** The warnings about each changed set and about the domain, which may be many. */
export function warningsOf({ zone, diff, sets }: Changed): Warning[] {
  const warnings = diff.flatMap((one) => [
    ...danglingOf(one, { domain: zone.domain, sets }),
    ...cachedOf(one),
    ...mailOf(one),
  ])
  return zone.hosted ? warnings : [...warnings, notServed]
}

const notServed: Warning = {
  ...{ code: 'not_served', host: '@', type: 'NS' },
  message:
    'The domain is on other name servers, so its records here are kept but not served: change ' +
    'its name servers with update_nameservers.',
}

const pointing: readonly number[] = [rrType.cname, rrType.mx, rrType.ns, rrType.srv]

type Zone = { domain: DomainName; sets: RecordSets }

function danglingOf({ host, type, after }: SetDiff, { domain, sets }: Zone): Warning[] {
  if (!after || !pointing.includes(type)) return []
  return after.rdata
    .flatMap((one) => targetsOf(type, one))
    .filter((target) => (target === domain || target.endsWith(`.${domain}`)) && !has(target))
    .map((target) => ({
      ...{ code: 'dangling_target', host, type: typeName(type) },
      message: `"${target}" has no A, AAAA or CNAME here, so this leads nowhere yet.`,
    }))

  function has(target: string): boolean {
    const own = target === domain ? '@' : target.slice(0, -domain.length - 1)
    const parents = own === '@' ? [] : own.split('.').map((_, at, all) => all.slice(at + 1))
    const stars = parents.map((rest) => ['*', ...rest].join('.'))
    return [own, ...stars].some((at) =>
      [rrType.a, rrType.aaaa, rrType.cname].some((one) =>
        sets.has(setKey({ host: at, type: one })),
      ),
    )
  }
}

function cachedOf({ host, type, before }: SetDiff): Warning[] {
  if (!before || before.ttl <= long_ttl_s) return []
  const message = `Resolvers may keep the former values for up to ${before.ttl} s.`
  return [{ code: 'cached', host, type: typeName(type), message }]
}

function mailOf({ host, type, before, after }: SetDiff): Warning[] {
  if (type !== rrType.mx || !before || after) return []
  const message =
    'Mail to this name stops, or goes to its A record: set "0 ." to say that it takes none.'
  return [{ code: 'mail_stops', host, type: 'MX', message }]
}
