// Templates of DNS records: GET /v1/dns/templates, and POST
// /v1/domains/{domain}/records/apply-template.
import Type from 'typebox'
import { anyone, operation } from '../../../../app.ts'
import { writeRdata } from '../../../../dns/rdata/rdata.ts'
import { typeName } from '../../../../dns/types.ts'
import { fault } from '../../../../kit/fault.ts'
import { FieldReader } from '../../../../kit/field-reader.ts'
import { nullable, oneOf, withDefault } from '../../../../kit/schema.ts'
import type { RecordSet } from '../../dns/record-sets/record-set.ts'
import {
  changeRecords,
  previewRecords,
  type RecordChange,
} from '../../dns/records/change-records.ts'
import { requireZone } from '../../dns/records/preconditions.ts'
import { answerOf, changedRecordsShape, previewOf } from '../../dns/records/served.ts'
import { fillRecords, planTemplate } from '../../dns/templates/plan-template.ts'
import { type Template, templateIds, templates } from '../../dns/templates/template-data.ts'
import { hostOf } from '../../names.ts'
import { domainOperation, requireHolding } from '../domain-operation.ts'
import { domainInPath } from '../paid-request.ts'
import * as fields from './record-fields.ts'

const templateShape = Type.Object(
  {
    id: oneOf(templateIds),
    title: Type.String(),
    for: oneOf(['mail', 'site'] as const),
    does: Type.String(),
    beside: nullable(
      Type.String({ description: 'The step that is left to do at the other service.' }),
    ),
    parameters: Type.Array(
      Type.Object({
        name: Type.String({ description: 'The key of the parameter in "params".' }),
        description: Type.String(),
        example: Type.String(),
      }),
    ),
    records: Type.Array(
      Type.Object({ host: Type.String(), type: Type.String(), values: Type.Array(Type.String()) }),
      { description: 'The records that it sets; {name} stands for a parameter.' },
    ),
    sources: Type.Array(Type.String(), { description: 'The pages that document them.' }),
    checked_at: Type.String({ format: 'date', description: 'When these pages were last read.' }),
  },
  { title: 'DnsTemplate' },
)

export const listDnsTemplates = operation({
  name: 'list_dns_templates',
  does: 'List the templates of DNS records: mail and site hosts, and no mail.',
  more: 'apply_dns_template applies one. The list is the same for every caller.',
  at: 'GET /v1/dns/templates',
  area: 'Domains',
  who: anyone(),
  takes: Type.Object({}),
  gives: Type.Object(
    { templates: Type.Array(templateShape) },
    { title: 'ListDnsTemplatesResponse' },
  ),
  fails: [],
  effect: 'none',
  run: async () => ({
    templates: templates.map(({ parameters, records, sources, ...one }) => ({
      ...one,
      parameters: parameters.map(({ suffix: _pasted, ...shown }) => shown),
      records: records.map(({ host, type, values }) => ({ host, type, values: [...values] })),
      sources: [...sources],
    })),
  }),
})

const againstShape = Type.Array(
  Type.Object(
    { host: Type.String(), type: Type.String(), values: Type.Array(Type.String()) },
    { title: 'DnsTemplateConflict' },
  ),
  { description: 'The present records that conflict with it, which "replace" deletes.' },
)

const dnsTemplateConflict = fault('dns_template_conflict', 'conflict', {
  sentence: 'Other records conflict with the template; nothing was changed.',
  hint: 'Look at "conflicts", and send it with "replace": true if they may be deleted.',
  next: 'fix_request',
  facts: { conflicts: againstShape },
})

const needs = templates
  .flatMap(({ id, parameters }) => parameters.map(({ name }) => `${id}: ${name}`))
  .join('; ')

export const applyDnsTemplate = domainOperation({
  name: 'apply_dns_template',
  does: 'Set the DNS records of a mail or site host, or of no mail, for one of your domains.',
  more:
    'GET /v1/dns/templates lists the records of each. It is refused while other records conflict ' +
    'with it (other mail hosts, another SPF policy), unless "replace" is true. Use dry_run first.',
  at: 'POST /v1/domains/{domain}/records/apply-template',
  scope: 'dns:write',
  takes: Type.Object(
    {
      domain: domainInPath,
      template: oneOf(templateIds, { description: 'The id of the template.' }),
      params: withDefault(
        Type.Record(Type.String({ maxLength: 64 }), Type.String({ maxLength: 253 }), {
          maxProperties: 10,
          description: `The parameters by name. ${needs}. Others have none.`,
        }),
        {},
      ),
      replace: withDefault(
        Type.Boolean({ description: 'Whether to delete the records that conflict with it.' }),
        false,
      ),
      dry_run: fields.dryRunField,
      revert_after: fields.revertAfterField,
      if_match: Type.Optional(fields.ifMatchField('the zone')),
    },
    { title: 'ApplyDnsTemplateRequest' },
  ),
  in: { if_match: 'header' },
  gives: Type.Object(
    { ...changedRecordsShape.properties, conflicts: againstShape },
    { title: 'AppliedDnsTemplateResponse' },
  ),
  fails: [...fields.changeFaults, dnsTemplateConflict],
  tools: [
    {
      group: 'name servers and DNS',
      title: 'Apply a template of DNS records',
      examples: [{ domain: 'my-agent.com', template: 'no-mail', dry_run: true }],
      destructive: true,
      idempotent: true,
    },
  ],
  async run(input, call, app) {
    const domain = hostOf(input.domain)
    const template = templates.find(({ id }) => id === input.template)
    if (!template) throw new Error(`There is no template ${input.template}`)
    const params = readParams(template, input.params)
    const filled = fillRecords(template.records, params, domain)
    const holding = await requireHolding(call, domain, 'configure_dns_record')
    let conflicts: ReturnType<typeof shownConflicts> = []
    const change: RecordChange = {
      ...{ holding, input, action: 'apply_dns_template', revert_after: input.revert_after },
      metadata: { template: template.id },
      edits: (zone) => {
        requireZone(zone, input.if_match)
        const planned = planTemplate(zone.sets, filled, ['template'])
        conflicts = shownConflicts(planned.against)
        if (conflicts.length > 0 && !input.replace && !input.dry_run)
          throw dnsTemplateConflict({ detail: detailOf(conflicts), facts: { conflicts } })
        return { sets: planned.sets }
      },
    }
    const answer = input.dry_run
      ? previewOf(await previewRecords(call, change))
      : await answerOf(app, await changeRecords(app, call, change))
    return { ...answer, conflicts }
  },
})

const label = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i

/** Throws InvalidInput for each parameter that is missing, unknown, or not a label of a name. */
function readParams(
  { title, parameters }: Template,
  given: Readonly<Record<string, string>>,
): Record<string, string> {
  const reader = new FieldReader()
  for (const name of Object.keys(given))
    if (!parameters.some((one) => one.name === name))
      reader.refuse(['params', name], `${title} has no such parameter`, 'extra_forbidden')
  const read = parameters.map(({ name, suffix, example }) => {
    const value = Object.hasOwn(given, name) ? given[name] : undefined
    const at = ['params', name]
    if (value === undefined) reader.refuse(at, `Field required, such as "${example}"`, 'missing')
    else if (value.toLowerCase().replace(/\.$/, '').endsWith(suffix)) {
      const bare = value.slice(0, value.toLowerCase().lastIndexOf(suffix))
      reader.refuse(at, `Input should be without "${suffix}": "${bare}"`, 'dns_label')
    } else if (!label.test(value))
      reader.refuse(at, `Input should be one label of a name, such as "${example}"`, 'dns_label')
    return [name, (value ?? '').toLowerCase()]
  })
  reader.finish()
  return Object.fromEntries(read)
}

function shownConflicts(against: readonly RecordSet[]) {
  return against.map(({ host, type, rdata }) => ({
    ...{ host, type: typeName(type) },
    values: rdata.map((one) => writeRdata(type, one)),
  }))
}

function detailOf(conflicts: ReturnType<typeof shownConflicts>): string {
  const names = conflicts.map(({ host, type }) => `"${host}" ${type}`).join(', ')
  return `These records stand against the template: ${names}.`
}
