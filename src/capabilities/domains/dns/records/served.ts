// The answer to a change of records, which is pushed to the name servers and read back from them.
import Type, { type Static } from 'typebox'
import type { App } from '../../../../app.ts'
import { checkRdata, writeGeneric, writeRdata } from '../../../../dns/rdata/rdata.ts'
import { typeName } from '../../../../dns/types.ts'
import type { DomainName } from '../../../../kit/random.ts'
import { nullable, stringOf } from '../../../../kit/schema.ts'
import type { SetDiff } from '../record-sets/plan-records.ts'
import { diffDigest, setDiffShape, shownDiff } from '../record-sets/record-presenter.ts'
import { wholeName } from '../record-sets/record-set.ts'
import { listedWarnings, type Warning, warningShape, warningsOf } from '../record-sets/warnings.ts'
import { changeStateShape } from '../unconfirmed/confirmation.ts'
import { dnsUnreachable } from '../zone-faults.ts'
import { pushZone } from '../zone-push.ts'
import type { ChangedRecords } from './change-records.ts'

const push_wait_ms = 5_000
const most_asked = 20

const servedShape = Type.Object(
  {
    host: Type.String(),
    type: Type.String(),
    ttl: nullable(Type.Integer({ description: 'Null if there is no such set.' })),
    values: Type.Array(Type.String(), { description: 'The values in presentation form.' }),
  },
  { title: 'ServedDnsRecords' },
)

/** The answer to every change of records. */
export const changedRecordsShape = Type.Object(
  {
    domain: stringOf<DomainName>({ description: 'Lower-case A-labels.' }),
    hosted: Type.Boolean({
      description:
        'Whether all name servers of the domain are ours; if not, the records are only kept.',
    }),
    serial: Type.Integer({ description: 'The serial of all records, and the ETag of the zone.' }),
    dry_run: Type.Boolean({ description: 'Whether this was a dry run, which changes nothing.' }),
    change_id: nullable(
      Type.String({ description: 'The id for revert_dns_change, or null if nothing was changed.' }),
    ),
    diff: Type.Array(setDiffShape, { description: 'The sets that differ.' }),
    change: nullable(changeStateShape),
    digest: Type.String({ description: 'SHA-256 of the difference, in hexadecimal.' }),
    warnings: Type.Array(warningShape, {
      description: 'Up to 100; if there are more, the last has the code "more" and their number.',
    }),
    served: nullable(
      Type.Array(servedShape, {
        description:
          `The changed sets as our name server answered them, up to ${most_asked}, or null if it ` +
          'does not serve the domain, if it did not answer in time, or if nothing was changed.',
      }),
    ),
  },
  { title: 'ChangedDnsRecordsResponse' },
)
type Answer = Static<typeof changedRecordsShape>

/**
 * Pushes a change where zones are pushed, and asks the name server for the changed sets. `noted`
 * are the warnings from reading the request.
 */
export async function answerOf(
  app: App,
  changed: ChangedRecords,
  noted: readonly Warning[] = [],
): Promise<Answer> {
  const { zone, diff, change_id, change } = changed
  const { domain, hosted, serial } = zone
  // This is done even if nothing differs, because an earlier push of the same may have failed.
  if (hosted) await push(app, changed)
  return {
    ...{ domain, hosted, serial, change_id, change },
    dry_run: false,
    diff: shownDiff(diff),
    digest: diffDigest(domain, diff),
    warnings: listedWarnings([...noted, ...warningsOf(changed)]),
    served: hosted && change_id !== null ? await servedOf(app, domain, diff) : null,
  }
}

/** The answer to a dry run. */
export function previewOf(changed: ChangedRecords, noted: readonly Warning[] = []): Answer {
  const { zone, diff } = changed
  const { domain, hosted, serial } = zone
  return {
    ...{ domain, hosted, serial, dry_run: true, change_id: null, change: null },
    ...{ diff: shownDiff(diff), digest: diffDigest(domain, diff) },
    ...{ warnings: listedWarnings([...noted, ...warningsOf(changed)]), served: null },
  }
}

async function push(app: App, { zone, change_id }: ChangedRecords): Promise<void> {
  const pushed = await pushZone(app, zone.domain, push_wait_ms)
  if (pushed.kind === 'failed')
    throw dnsUnreachable({ retry_after_s: 30, facts: { serial: zone.serial, change_id } })
}

/** Null if one of the sets was not answered in time. */
async function servedOf(
  app: App,
  domain: DomainName,
  diff: readonly SetDiff[],
): Promise<Answer['served']> {
  const served = await Promise.all(
    diff.slice(0, most_asked).map(async ({ host, type }) => {
      const answer = await app.dns.askSet(wholeName(host, domain), type)
      const values = answer?.rdata.map((one) => textOf(type, one)).sort() ?? []
      const ttl = answer && values.length > 0 ? answer.ttl : null
      return answer && { host, type: typeName(type), ttl, values }
    }),
  )
  const answered = served.filter((one) => one !== null)
  return answered.length < served.length ? null : answered
}

/** The text of octets from a name server, which may send any octets. */
function textOf(type: number, octets: Buffer): string {
  const read = checkRdata(type, octets)
  return 'rdata' in read ? writeRdata(type, read.rdata) : writeGeneric(octets)
}
