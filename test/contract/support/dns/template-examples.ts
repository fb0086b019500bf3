// Valid calls about templates of DNS records and waiting changes of name servers, and the field
// lists of their answers.
import type { Fixture } from '../fixture.ts'
import { freshServed } from '../fresh-domains.ts'
import { fields, list, moment, orNull, text, words } from '../shape.ts'

const mine = (access: string) => ({ access, operator: false })

async function served(fixture: Fixture): Promise<{ path: { domain: string } }> {
  return { path: { domain: await freshServed(fixture) } }
}

export const templateExamples = {
  'GET /v1/domains/{domain}/waiting-nameservers': { ...mine('domains:read'), make: served },
  'DELETE /v1/domains/{domain}/waiting-nameservers': { ...mine('domains:write'), make: served },
  'GET /v1/dns/templates': { access: 'public', operator: true, make: () => ({}) },
  'POST /v1/domains/{domain}/records/apply-template': {
    ...mine('dns:write'),
    make: async (fixture: Fixture) => ({
      ...(await served(fixture)),
      body: { template: 'microsoft-365', params: { mx_token: 'contoso-com' } },
    }),
  },
}

const waitingChange = fields({
  domain: text,
  waiting: orNull(
    fields({
      ...{ id: text, nameservers: list(text), made_by: orNull(text) },
      ...{ created_at: moment, expires_at: moment, checked_at: orNull(moment) },
    }),
  ),
})

export const templateShapes = {
  'GET /v1/domains/{domain}/waiting-nameservers': waitingChange,
  'DELETE /v1/domains/{domain}/waiting-nameservers': waitingChange,
  'GET /v1/dns/templates': fields({
    templates: list(
      fields({
        id: text,
        title: text,
        for: words('mail', 'site'),
        does: text,
        beside: orNull(text),
        parameters: list(fields({ name: text, description: text, example: text })),
        records: list(fields({ host: text, type: text, values: list(text) })),
        sources: list(text),
        checked_at: text,
      }),
    ),
  }),
}
