// Valid calls about the DNS records of a domain, and the contract's field lists of their answers.
import { type Example, type Fixture, must } from '../fixture.ts'
import { freshDomain, freshServed } from '../fresh-domains.ts'
import { fields, flag, integer, list, moment, orNull, text, words } from '../shape.ts'
import { templateExamples, templateShapes } from './template-examples.ts'

const mine = (access: string) => ({ access, operator: false })
const set = { host: '@', type: 'MX', values: ['10 mail.example.net.'] }

async function served(fixture: Fixture): Promise<{ path: { domain: string } }> {
  return { path: { domain: await freshServed(fixture) } }
}

async function oneSet(fixture: Fixture): Promise<{ path: Record<string, string> }> {
  return { path: { domain: await freshServed(fixture), host: 'www', type: 'A' } }
}

async function wholeZone(fixture: Fixture): Promise<Example> {
  const { path } = await served(fixture)
  const at = `/v1/domains/${path.domain}/records`
  const { headers } = await must(fixture.registrar.request('GET', at, { token: fixture.key }))
  return { path, body: { sets: [set] }, headers: { 'if-match': headers.get('etag') ?? '' } }
}

async function oneChange(fixture: Fixture): Promise<{ path: Record<string, string> }> {
  const { path } = await served(fixture)
  const at = `/v1/domains/${path.domain}/changes`
  const { body } = await must(fixture.registrar.request('GET', at, { token: fixture.key }))
  return { path: { ...path, change_id: body.changes[0].id } }
}

async function withKey(fixture: Fixture): Promise<{ path: Record<string, string> }> {
  const { path } = await served(fixture)
  const at = `/v1/domains/${path.domain}/tsig-keys`
  const made = await must(
    fixture.registrar.request('POST', at, { token: fixture.key, body: {} }),
    201,
  )
  return { path: { ...path, tsig_key_id: made.body.key.id } }
}

async function unconfirmed(fixture: Fixture): Promise<Example> {
  const { path } = await served(fixture)
  const at = `/v1/domains/${path.domain}/records`
  const body = { sets: [set], revert_after: 'PT10M' }
  const made = await must(fixture.registrar.request('PATCH', at, { token: fixture.key, body }))
  return { path: { ...path, change_id: made.body.change_id }, body: {} }
}

export const dnsExamples = {
  'POST /v1/domains/{domain}/dns-record': {
    ...mine('domains:write'),
    make: async (fixture: Fixture) => ({
      path: { domain: await freshDomain(fixture) },
      body: { record_value: '192.0.2.1', host: 'www' },
    }),
  },
  'GET /v1/domains/{domain}/dns-records': { ...mine('domains:read'), make: served },
  'GET /v1/domains/{domain}/records': { ...mine('domains:read'), make: served },
  'PUT /v1/domains/{domain}/records/{host}/{type}': {
    ...mine('dns:write'),
    make: async (fixture: Fixture) => ({
      ...(await oneSet(fixture)),
      body: { values: ['192.0.2.2'], ttl: 600 },
    }),
  },
  'DELETE /v1/domains/{domain}/records/{host}/{type}': { ...mine('dns:write'), make: oneSet },
  'PATCH /v1/domains/{domain}/records': {
    ...mine('dns:write'),
    make: async (fixture: Fixture) => ({ ...(await served(fixture)), body: { sets: [set] } }),
  },
  'PUT /v1/domains/{domain}/records': { ...mine('dns:write'), make: wholeZone },
  'GET /v1/domains/{domain}/changes': { ...mine('domains:read'), make: served },
  'GET /v1/domains/{domain}/changes/{change_id}': { ...mine('domains:read'), make: oneChange },
  'POST /v1/domains/{domain}/changes/{change_id}/confirm': {
    ...mine('dns:write'),
    make: unconfirmed,
  },
  'POST /v1/domains/{domain}/changes/{change_id}/revert': {
    ...mine('dns:write'),
    make: async (fixture: Fixture) => ({ ...(await oneChange(fixture)), body: { prune: true } }),
  },
  'GET /v1/domains/{domain}/zonefile': { ...mine('domains:read'), make: served },
  'POST /v1/domains/{domain}/zonefile': {
    ...mine('dns:write'),
    make: async (fixture: Fixture) => ({
      ...(await served(fixture)),
      body: { zonefile: '@ 3600 IN MX 10 mail.example.net.' },
    }),
  },
  'POST /v1/domains/{domain}/records/scan': { ...mine('domains:read'), make: served },
  ...templateExamples,
  'GET /v1/domains/{domain}/tsig-keys': {
    ...mine('keys:read'),
    make: async (fixture: Fixture) => {
      const { path } = await withKey(fixture)
      return { path: { domain: path.domain ?? '' } }
    },
  },
  'POST /v1/domains/{domain}/tsig-keys': {
    ...mine('keys:write'),
    beside: ['dns:write'],
    make: async (fixture: Fixture) => ({
      ...(await served(fixture)),
      body: { hosts: ['_acme-challenge*'], types: ['TXT'] },
    }),
  },
  'DELETE /v1/domains/{domain}/tsig-keys/{tsig_key_id}': {
    ...mine('keys:write'),
    beside: ['dns:write'],
    make: withKey,
  },
}

const content = orNull(fields({ ttl: integer, values: list(text) }))
const difference = fields({ host: text, type: text, before: content, after: content })
const changeState = fields({
  id: text,
  state: words('unconfirmed', 'confirmed', 'reverted', 'kept'),
  reverts_at: moment,
})
const keptBecause = orNull(
  words(
    ...['maker_right_ended', 'account_suspended', 'domain_protected', 'new_password'],
    ...['changed_since', 'refused'],
  ),
)
const changedRecords = {
  domain: text,
  hosted: flag,
  serial: integer,
  dry_run: flag,
  change_id: orNull(text),
  change: orNull(changeState),
  diff: list(difference),
  digest: text,
  warnings: list(fields({ code: text, host: text, type: text, message: text })),
  served: orNull(
    list(fields({ host: text, type: text, ttl: orNull(integer), values: list(text) })),
  ),
}
const recordSet = fields({
  host: text,
  type: text,
  ttl: integer,
  values: list(text),
  etag: text,
  managed: flag,
  updated_at: orNull(moment),
})
const change = fields({
  id: text,
  serial: integer,
  action: text,
  made_by: fields({ kind: text, label: orNull(text) }),
  entry_point: text,
  reverts: orNull(text),
  state: words('permanent', 'unconfirmed', 'confirmed', 'reverted', 'kept'),
  reverts_at: orNull(moment),
  kept_because: keptBecause,
  reverted_by: orNull(text),
  diff: list(difference),
  sets_total: integer,
  created_at: moment,
})

const tsigKey = fields({
  id: text,
  name: text,
  algorithm: words('hmac-sha256', 'hmac-sha512'),
  hosts: orNull(list(text)),
  types: orNull(list(text)),
  state: words('active', 'expired', 'maker_ended'),
  made_by: words('owner', 'api_key', 'app'),
  made_by_id: orNull(text),
  expires_at: orNull(moment),
  created_at: moment,
})

export const unconfirmedChanges = list(
  fields({
    id: text,
    state: words('unconfirmed', 'kept'),
    kept_because: keptBecause,
    reverts_at: moment,
    made_by: fields({ kind: text, label: orNull(text) }),
    sets: list(fields({ host: text, type: text })),
    sets_total: integer,
  }),
)
const scannedServer = fields({
  name: text,
  addresses: list(
    fields({
      address: text,
      state: words('answers', 'lame', 'silent', 'not_public'),
      tcp: flag,
      serial: orNull(integer),
    }),
  ),
  zone_transfer: words('whole', 'cut', 'refused', 'not_asked'),
  unanswered: integer,
  complete: flag,
})

export const dnsShapes = {
  'POST /v1/domains/{domain}/records/scan': fields({
    domain: text,
    notice: text,
    source: words('registry', 'dns'),
    hosted: flag,
    complete: flag,
    scanned_at: moment,
    servers: list(scannedServer),
    sets: list(fields({ host: text, type: text, ttl: integer, values: list(text) })),
    zonefile: orNull(text),
    left_out: list(fields({ host: text, type: text, values: list(text), reason: text })),
    differences: list(
      fields({
        host: text,
        type: text,
        servers: list(fields({ name: text, values: list(text) })),
      }),
    ),
    warnings: changedRecords.warnings,
    not_seen: list(text),
  }),
  'GET /v1/domains/{domain}/tsig-keys': fields({ domain: text, keys: list(tsigKey) }),
  'POST /v1/domains/{domain}/tsig-keys': fields({
    ...{ key: tsigKey, secret: text },
    server: fields({ host: text, port: integer }),
  }),
  'DELETE /v1/domains/{domain}/tsig-keys/{tsig_key_id}': {},
  'GET /v1/domains/{domain}/dns-records': fields({
    domain: text,
    hosted: flag,
    records: list(
      fields({ type: words('A'), host: text, value: text, ttl: integer, updated_at: moment }),
    ),
  }),
  'GET /v1/domains/{domain}/records': fields({
    domain: text,
    hosted: flag,
    serial: integer,
    sets: list(recordSet),
    unconfirmed_changes: unconfirmedChanges,
  }),
  'PUT /v1/domains/{domain}/records/{host}/{type}': fields(changedRecords),
  'DELETE /v1/domains/{domain}/records/{host}/{type}': fields(changedRecords),
  'PATCH /v1/domains/{domain}/records': fields(changedRecords),
  'PUT /v1/domains/{domain}/records': fields(changedRecords),
  'GET /v1/domains/{domain}/changes': fields({
    domain: text,
    changes: list(change),
    next_cursor: orNull(text),
  }),
  'GET /v1/domains/{domain}/changes/{change_id}': change,
  'POST /v1/domains/{domain}/changes/{change_id}/confirm': fields({
    ...{ domain: text, change: changeState, records: fields(changedRecords) },
  }),
  'POST /v1/domains/{domain}/changes/{change_id}/revert': fields({
    ...changedRecords,
    conflicts: list(
      fields({ host: text, type: text, reason: words('changed_since', 'needs_prune') }),
    ),
  }),
  'GET /v1/domains/{domain}/zonefile': text,
  'POST /v1/domains/{domain}/zonefile': fields({
    ...changedRecords,
    left_out: list(fields({ line: integer, type: text })),
  }),
  ...templateShapes,
  'POST /v1/domains/{domain}/records/apply-template': fields({
    ...changedRecords,
    conflicts: list(fields({ host: text, type: text, values: list(text) })),
  }),
}
