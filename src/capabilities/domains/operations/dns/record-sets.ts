// Reads and changes single record sets of a domain: GET /v1/domains/{domain}/records, and PUT and
// DELETE of one.

import Type from 'typebox'
import { type App, type Call, Reply } from '../../../../app.ts'
import { typeNumber } from '../../../../dns/types.ts'
import { FieldReader } from '../../../../kit/field-reader.ts'
import type { DomainName } from '../../../../kit/random.ts'
import { stringOf } from '../../../../kit/schema.ts'
import { RecordReader } from '../../dns/record-sets/read-sets.ts'
import { readRecordHost } from '../../dns/record-sets/record-host.ts'
import { recordSetShape, shownSet } from '../../dns/record-sets/record-presenter.ts'
import {
  changeRecords,
  previewRecords,
  type RecordChange,
} from '../../dns/records/change-records.ts'
import { managedSets } from '../../dns/records/managed-sets.ts'
import { requireSet, zoneEtag } from '../../dns/records/preconditions.ts'
import { readListedZone } from '../../dns/records/read-zone.ts'
import { answerOf, changedRecordsShape, previewOf } from '../../dns/records/served.ts'
import { openChangesShape, shownOpenChanges } from '../../dns/unconfirmed/open-changes.ts'
import { domainNotFound, domainPending } from '../../faults.ts'
import { hostOf } from '../../names.ts'
import { domainOperation, requireHolding } from '../domain-operation.ts'
import { domainInPath } from '../paid-request.ts'
import * as fields from './record-fields.ts'

export const listRecordSets = domainOperation({
  name: 'list_record_sets',
  does: 'List all DNS records of one of your domains on our name servers, by host and type.',
  more:
    'A set has all values of one host and type. If "hosted" is false, the domain is on other ' +
    'name servers: its records here are kept, and served once it comes back.',
  at: 'GET /v1/domains/{domain}/records',
  scope: 'domains:read',
  takes: Type.Object({
    domain: domainInPath,
    host: Type.Optional(fields.hostField),
    type: Type.Optional(fields.typeField),
  }),
  gives: Type.Object(
    {
      domain: stringOf<DomainName>({ description: 'Lower-case A-labels.' }),
      hosted: Type.Boolean({ description: 'Whether all name servers of the domain are ours.' }),
      serial: Type.Integer({
        description: 'The serial, which grows with every change; in quotes it is the ETag.',
      }),
      sets: Type.Array(recordSetShape),
      unconfirmed_changes: openChangesShape,
    },
    { title: 'ListDnsRecordSetsResponse' },
  ),
  fails: [domainNotFound, domainPending],
  effect: 'none',
  tools: [
    {
      name: 'list_dns_records',
      group: 'name servers and DNS',
      title: 'List DNS records',
      destructive: false,
      idempotent: true,
      open_world: false,
    },
  ],
  async run(input, call, app) {
    const domain = hostOf(input.domain)
    const reader = new FieldReader()
    const host = input.host === undefined ? null : readRecordHost(input.host, domain)
    if (host && 'problem' in host) reader.refuse(['host'], `Input ${host.problem}`, 'dns_host')
    const type = input.type === undefined ? null : typeNumber(input.type)
    if (type === undefined)
      reader.refuse(['type'], 'Input should be a record type, such as "MX"', 'dns_type')
    reader.finish()
    const holding = await requireHolding(call, domain, 'list_dns_records')
    const zone = await readListedZone(call.sql, holding)
    const sets = [...managedSets(app, zone, holding.nameservers), ...zone.sets.values()]
    const wanted = sets.filter(
      (set) =>
        (host === null || ('host' in host && set.host === host.host)) &&
        (type === null || set.type === type),
    )
    const { hosted, serial } = zone
    const open = { open: zone.open, domain_id: holding.id }
    const unconfirmed_changes = await shownOpenChanges(call.sql, open)
    const body = { domain, hosted, serial, sets: wanted.map(shownSet), unconfirmed_changes }
    return new Reply(body, { ETag: zoneEtag(zone) })
  },
})

const at = 'DELETE /v1/domains/{domain}/records/{host}/{type}'
const common = {
  scope: 'dns:write',
  gives: changedRecordsShape,
  fails: fields.changeFaults,
  in: { if_match: 'header' },
} as const
const place = { domain: domainInPath, host: fields.hostField, type: fields.typeField }
const guards = {
  dry_run: fields.dryRunField,
  revert_after: fields.revertAfterField,
  if_match: Type.Optional(fields.ifMatchField('the set')),
}

export const putRecordSet = domainOperation({
  ...common,
  name: 'put_record_set',
  does: 'Create or replace the DNS records of one host and type of one of your domains.',
  more: 'change_dns_records changes several sets at once, or single values.',
  at: at.replace('DELETE', 'PUT'),
  takes: Type.Object({ ...place, ttl: fields.ttlField, values: fields.valuesField, ...guards }),
  run: (input, call, app) => change(input, input.values, { call, app }),
})

export const deleteRecordSet = domainOperation({
  ...common,
  name: 'delete_record_set',
  does: 'Delete the DNS records of one host and type of one of your domains.',
  more: 'It is no error if they do not exist.',
  at,
  takes: Type.Object({ ...place, ...guards }),
  run: (input, call, app) => change(input, [], { call, app }),
})

type Given = {
  domain: DomainName
  host: string
  type: string
  ttl?: number | undefined
  dry_run: boolean
  revert_after?: string | undefined
  if_match?: string | undefined
}
type Context = { call: Call; app: App }

async function change(input: Given, values: readonly string[], { call, app }: Context) {
  const domain = hostOf(input.domain)
  const holding = await requireHolding(call, domain, 'configure_dns_record')
  const { host, type, ttl, if_match, revert_after } = input
  const wanted: RecordChange = {
    ...{ holding, input, action: values.length === 0 ? 'delete_record_set' : 'put_record_set' },
    revert_after,
    edits: (zone, reader) => {
      const set = new RecordReader(reader, domain).set({ host, type, ttl, values }, [])
      if (!set) return {}
      requireSet(zone, set, if_match)
      return { sets: [set] }
    },
  }
  if (input.dry_run) return previewOf(await previewRecords(call, wanted))
  return answerOf(app, await changeRecords(app, call, wanted))
}
