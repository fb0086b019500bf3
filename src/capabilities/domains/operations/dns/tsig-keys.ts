// TSIG keys of a domain, with which programs change its records by DNS updates (RFC 2136): POST and
// GET /v1/domains/{domain}/tsig-keys, DELETE of one.
import { randomBytes } from 'node:crypto'
import Type from 'typebox'
import type { App, Call } from '../../../../app.ts'
import { tsigAlgorithms } from '../../../../dns/message/tsig.ts'
import { FieldReader } from '../../../../kit/field-reader.ts'
import { type DomainName, newId } from '../../../../kit/random.ts'
import {
  dateTime,
  identifier,
  nullable,
  oneOf,
  stringOf,
  withDefault,
} from '../../../../kit/schema.ts'
import { publicUrls } from '../../../../origins.ts'
import { freshLogInNeeded, requireFreshSession, sessionRequired } from '../../../account/index.ts'
import {
  dnsHostsField,
  dnsTypesField,
  limitedBy,
  limitNotHeld,
  noLimits,
  readDnsLimit,
  widerThanCaller,
} from '../../../limits/index.ts'
import { callersMail, noticesLimited } from '../../../mail/index.ts'
import { shownTsigKey, tsigKeyShape } from '../../dns/tsig-keys/tsig-key.ts'
import { tsigKeyCreatedEmail } from '../../dns/tsig-keys/tsig-key-emails.ts'
import { tooManyTsigKeys, tsigKeyNotFound } from '../../dns/tsig-keys/tsig-key-faults.ts'
import * as keys from '../../dns/tsig-keys/tsig-keys.sql.ts'
import { updateServer } from '../../dns/updates/update-server.ts'
import { lockZoneHolding } from '../../dns/zones.sql.ts'
import { domainPage } from '../../emails.ts'
import { domainNotFound, domainPending } from '../../faults.ts'
import type { Holding } from '../../holdings/domain-presenter.ts'
import { hostOf } from '../../names.ts'
import { domainOperation, requireHolding } from '../domain-operation.ts'
import { domainInPath } from '../paid-request.ts'

/** How many keys a domain may have. */
const most_keys = 20
/** Secrets are as long as the output of the hash (RFC 2104 part 3). */
const secret_octets = { 'hmac-sha256': 32, 'hmac-sha512': 64 } as const

const tsigKeyFaults = [domainNotFound, domainPending, freshLogInNeeded, sessionRequired]

export const createTsigKey = domainOperation({
  name: 'create_tsig_key',
  does: 'Create a key (TSIG, RFC 8945) for DNS updates (RFC 2136) of one of your domains.',
  more:
    'Programs such as certbot, lego and nsupdate change records with it at "server"; a key ' +
    'without hosts and types also transfers the zone (AXFR). It needs keys:write and dns:write, ' +
    'changes no more than its maker may, and ends with it. At most 20 for a domain. A session ' +
    'needs a log-in within the last ten minutes; on a protected domain only a session creates ' +
    'one, and only its key changes records.',
  at: 'POST /v1/domains/{domain}/tsig-keys',
  scope: 'keys:write',
  effect: 'transaction',
  status: 201,
  takes: Type.Object(
    {
      domain: domainInPath,
      hosts: Type.Optional(nullable(dnsHostsField)),
      types: Type.Optional(nullable(dnsTypesField)),
      algorithm: withDefault(oneOf(tsigAlgorithms), 'hmac-sha256'),
      expires_at: Type.Optional(nullable(dateTime('When it expires; by default never.'))),
    },
    { title: 'TsigKeyCreateRequest' },
  ),
  gives: Type.Object(
    {
      key: tsigKeyShape,
      secret: Type.String({
        description: 'The secret in base64, as programs take it; it is shown once.',
      }),
      server: Type.Object(
        {
          host: Type.String({ description: 'The name or address of the server.' }),
          port: Type.Integer({ description: 'The port for UDP and TCP.' }),
        },
        { description: 'The address to which programs send updates and zone transfers.' },
      ),
    },
    { title: 'TsigKeyCreateResponse' },
  ),
  fails: [...tsigKeyFaults, tooManyTsigKeys, limitNotHeld, noticesLimited],
  async run({ hosts = null, types = null, algorithm, ...input }, call, app) {
    const now = app.clock.now()
    const reader = new FieldReader()
    const limit = readDnsLimit(
      {
        ...{ reader, at: [], idn_exceptions: app.registries.idn_exceptions },
        in_person: call.caller.kind === 'customer',
      },
      hosts || types ? { hosts, types } : null,
    )
    const expires_at = input.expires_at ? new Date(input.expires_at) : null
    // The negation also rejects a leap second, which no Date can represent.
    if (expires_at && !(expires_at > now))
      reader.refuse(['expires_at'], 'Input should be in the future')
    reader.finish()
    const holding = await takeHolding(app, call, input.domain)
    await requireWithin(call, limit)
    await makePlace(call, holding, now)
    const secret = randomBytes(secret_octets[algorithm]).toString('base64')
    const { dns_hosts, dns_types } = limit
    const row = await call.sql.one(keys.insertTsigKey, {
      id: newId('tsk', now.getTime()),
      domain_id: holding.id,
      customer_id: call.customer_id,
      ...{ algorithm, dns_hosts, dns_types, expires_at, created_at: now },
      sealed_secret: app.encryption.seal(secret),
      ...makerOf(call),
    })
    const key = shownTsigKey(row, now)
    call.note({ key: key.id, hosts: key.hosts, types: key.types, algorithm })
    const page = domainPage(publicUrls(app.settings).dashboard_url, holding.name)
    await callersMail(call, tsigKeyCreatedEmail({ domain: holding.name, key, page }))
    return { key, secret, server: updateServer(app) }
  },
})

export const listTsigKeys = domainOperation({
  name: 'list_tsig_keys',
  does: 'List the keys for DNS updates of one of your domains, without their secrets.',
  at: 'GET /v1/domains/{domain}/tsig-keys',
  scope: 'keys:read',
  gives: Type.Object(
    {
      domain: stringOf<DomainName>({ description: 'Lower-case A-labels.' }),
      keys: Type.Array(tsigKeyShape, {
        description: 'The keys, oldest first, including ended ones.',
      }),
    },
    { title: 'ListTsigKeysResponse' },
  ),
  fails: [domainNotFound, domainPending],
  effect: 'none',
  async run(input, call, app) {
    const domain = hostOf(input.domain)
    const { id: domain_id, customer_id } = await requireHolding(call, domain, 'list_dns_records')
    const rows = await call.sql.run(keys.tsigKeysOfDomain, { domain_id, customer_id })
    const now = app.clock.now()
    return { domain, keys: rows.map((row) => shownTsigKey(row, now)) }
  },
})

export const deleteTsigKey = domainOperation({
  name: 'delete_tsig_key',
  does: 'Delete a key for DNS updates of one of your domains, which is then refused.',
  more:
    'The records that it set stay. A session needs a log-in within the last ten minutes. On a ' +
    'protected domain only a session deletes a key.',
  at: 'DELETE /v1/domains/{domain}/tsig-keys/{tsig_key_id}',
  scope: 'keys:write',
  effect: 'transaction',
  status: 204,
  takes: Type.Object({
    domain: domainInPath,
    tsig_key_id: identifier('tsk', 'The id of the key.'),
  }),
  gives: Type.Null(),
  fails: [...tsigKeyFaults, tsigKeyNotFound],
  async run({ domain, tsig_key_id: id }, call, app) {
    const holding = await takeHolding(app, call, domain)
    const { id: domain_id, customer_id } = holding
    call.note({ key: id })
    if ((await call.sql.count(keys.deleteTsigKeyRow, { id, domain_id, customer_id })) === 0)
      throw tsigKeyNotFound()
    return null
  },
})

/** The locked holding of a caller that may create or delete its keys. */
async function takeHolding(app: App, call: Call, domain: DomainName): Promise<Holding> {
  const { caller, sql } = call
  const needed = { sql, scope: 'dns:write' } as const
  await call.assertStillAllowed(needed)
  requireFreshSession(app, call)
  const holding = await requireHolding(call, hostOf(domain), 'configure_dns_record')
  const { id, customer_id, name } = holding
  if (!(await sql.maybe(lockZoneHolding, { id, customer_id }))) throw domainNotFound()
  const now = await call.assertStillAllowed({ ...needed, domain: name })
  if ((holding.protected || now.protected) && caller.kind !== 'customer')
    throw sessionRequired({ detail: 'The domain is protected: only the owner, after logging in.' })
  return holding
}

/** Throws limitNotHeld for hosts or types that the maker of the key may not change. */
async function requireWithin(call: Call, limit: ReturnType<typeof readDnsLimit>): Promise<void> {
  const wanted = { ...noLimits, ...limit }
  const wider = await widerThanCaller(call, limitedBy(call.caller), wanted)
  if (wider.length === 0) return
  throw limitNotHeld({
    detail: 'The hosts or types of the new key are wider than your own limit of DNS records.',
    hint: 'Leave them out: your limits also apply to the key. get_limits shows them.',
    facts: { limits_not_held: ['dns'] },
  })
}

async function makePlace({ sql, customer_id }: Call, { id }: Holding, now: Date): Promise<void> {
  const { made } = await sql.one(keys.countTsigKeys, { domain_id: id })
  if (made < most_keys) return
  const ended = await sql.count(keys.deleteEndedTsigKey, { domain_id: id, customer_id, now })
  if (ended === 0) throw tooManyTsigKeys({ facts: { limit: most_keys } })
}

function makerOf({ caller }: Call) {
  const by = limitedBy(caller)
  const isApp = by.oauth_grant_id !== null
  return { ...by, made_by: by.api_key_id !== null ? 'api_key' : isApp ? 'app' : 'owner' }
}
