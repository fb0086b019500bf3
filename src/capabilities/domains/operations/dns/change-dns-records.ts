// Changes several record sets of a domain at once: PATCH and PUT /v1/domains/{domain}/records.
import Type from 'typebox'
import type { App, Call } from '../../../../app.ts'
import type { WantedSet } from '../../dns/record-sets/plan-records.ts'
import { RecordReader } from '../../dns/record-sets/read-sets.ts'
import {
  changeRecords,
  previewRecords,
  type RecordChange,
} from '../../dns/records/change-records.ts'
import { preconditionRequired, requireZone } from '../../dns/records/preconditions.ts'
import { answerOf, changedRecordsShape, previewOf } from '../../dns/records/served.ts'
import { hostOf } from '../../names.ts'
import { domainOperation, requireHolding } from '../domain-operation.ts'
import { domainInPath } from '../paid-request.ts'
import * as fields from './record-fields.ts'

const common = {
  scope: 'dns:write',
  gives: changedRecordsShape,
} as const

export const changeDnsRecords = domainOperation({
  ...common,
  name: 'change_dns_records',
  does: 'Change DNS records of one of your domains on our name servers, all of them or none.',
  more:
    '"sets" replaces whole sets, or deletes them without values; "add" and "remove" change ' +
    'single values, so that two agents do not overwrite each other. Use dry_run to see the ' +
    'difference, and revert_after if a mistake would lock you out. revert_dns_change reverts ' +
    'a change.',
  at: 'PATCH /v1/domains/{domain}/records',
  takes: Type.Object(
    {
      domain: domainInPath,
      sets: Type.Optional(fields.setsField),
      add: Type.Optional(fields.addField),
      remove: Type.Optional(fields.removeField),
      dry_run: fields.dryRunField,
      revert_after: fields.revertAfterField,
    },
    { title: 'ChangeDnsRecordsRequest' },
  ),
  at_least_one_of: ['sets', 'add', 'remove'],
  fails: fields.changeFaults,
  tools: [
    {
      group: 'name servers and DNS',
      title: 'Change DNS records',
      examples: [
        {
          domain: 'my-agent.com',
          sets: [{ host: '@', type: 'MX', values: ['10 mail.example.com.'] }],
          add: [{ host: '@', type: 'TXT', value: 'v=spf1 mx -all' }],
        },
      ],
      destructive: true,
      idempotent: true,
    },
  ],
  async run(input, call, app) {
    const domain = hostOf(input.domain)
    const holding = await requireHolding(call, domain, 'configure_dns_record')
    return run(
      { app, call, dry_run: input.dry_run },
      {
        ...{ holding, input, action: 'change_dns_records', revert_after: input.revert_after },
        edits: (_zone, reader) => {
          const records = new RecordReader(reader, domain)
          const read = <T>(
            field: 'sets' | 'add' | 'remove',
            list: readonly T[] | undefined,
            one: (item: T, loc: readonly (string | number)[]) => WantedSet | null,
          ) => (list ?? []).flatMap((item, at) => one(item, [field, at]) ?? [])
          return {
            sets: read('sets', input.sets, (item, loc) => records.set(item, loc)),
            remove: read('remove', input.remove, (item, loc) => records.value(item, loc)),
            add: read('add', input.add, (item, loc) => records.value(item, loc)),
          }
        },
      },
    )
  },
})

export const replaceDnsRecords = domainOperation({
  ...common,
  name: 'replace_dns_records',
  does: 'Replace all DNS records of one of your domains on our name servers.',
  more: 'All other sets are deleted, except those that the service manages. Needs the ETag.',
  at: 'PUT /v1/domains/{domain}/records',
  takes: Type.Object(
    {
      domain: domainInPath,
      sets: fields.setsField,
      dry_run: fields.dryRunField,
      revert_after: fields.revertAfterField,
      if_match: Type.Optional(fields.ifMatchField('the zone')),
    },
    { title: 'ReplaceDnsRecordsRequest' },
  ),
  in: { if_match: 'header' },
  max_body_bytes: 1_048_576,
  fails: [...fields.changeFaults, preconditionRequired],
  async run(input, call, app) {
    const domain = hostOf(input.domain)
    const { if_match, sets, dry_run, revert_after } = input
    const holding = await requireHolding(call, domain, 'configure_dns_record')
    if (if_match === undefined) throw preconditionRequired()
    return run(
      { app, call, dry_run },
      {
        ...{ holding, input, action: 'replace_dns_records', revert_after },
        edits: (zone, reader) => {
          requireZone(zone, if_match)
          const records = new RecordReader(reader, domain)
          const read = sets.flatMap((one, at) => records.set(one, ['sets', at]) ?? [])
          return { sets: read, whole: ['sets'] }
        },
      },
    )
  },
})

async function run(
  { app, call, dry_run }: { app: App; call: Call; dry_run: boolean },
  change: RecordChange,
) {
  if (dry_run) return previewOf(await previewRecords(call, change))
  return answerOf(app, await changeRecords(app, call, change))
}
