// The call of a signed update: the maker of the key is the caller, with the rights that it has now.
import {
  type App,
  type Call,
  type Caller,
  type CustomerCaller,
  type EffectOf,
  foldScopes,
  holdsScope,
  type PresentRight,
  type Scope,
  scopes,
} from '../../../../app.ts'
import { accountSuspended, insufficientScope } from '../../../../errors/faults.ts'
import { grantOfApproval, keyOfApproval } from '../../../approvals/index.ts'
import { auditRowOf, systemCall } from '../../../audit/index.ts'
import {
  addressNotAllowed,
  callerLimitsOf,
  isAllowedAddress,
  isVisibleDomain,
  presentRights,
  requireRecordsAllowed,
} from '../../../limits/index.ts'
import { domainNotFound } from '../../faults.ts'
import { tsigKeyName } from '../tsig-keys/tsig-key.ts'
import { type ActiveTsigKey, activeTsigKey } from './signed-requests.sql.ts'
import { UpdateRefused } from './update-message.ts'

type Asking = {
  key: ActiveTsigKey
  address: string
  transport: 'udp' | 'tcp'
  /** An update needs dns:write, and a transfer domains:read. */
  scope: Scope
}

/** The maker as it would be authenticated now, or undefined if it has ended. */
async function makerOf(app: App, key: ActiveTsigKey): Promise<CustomerCaller | undefined> {
  const { customer_id, api_key_id, oauth_grant_id, suspended } = key
  const held = (of: readonly string[]) => new Set(foldScopes(of))
  const label = tsigKeyName(key.id)
  if (key.made_by === 'owner') {
    // No session is named, because it may have ended long ago: the key itself is looked at again.
    const none = { session_id: 0n, signed_in_at: key.created_at }
    return { kind: 'customer', customer_id, suspended, ...none, scopes: held(scopes) }
  }
  if (api_key_id !== null) {
    const row = await app.db.maybe(keyOfApproval, { api_key_id, customer_id })
    const maker = { kind: 'api_key', customer_id, suspended, key_id: api_key_id, label } as const
    return row && { ...maker, scopes: held(row.scopes), limits: callerLimitsOf(row.limits) }
  }
  const row = await app.db.maybe(grantOfApproval, {
    grant_id: oauth_grant_id ?? '',
    customer_id,
  })
  const app_of = { kind: 'oauth_client', customer_id, suspended, label } as const
  return (
    row && {
      ...{ ...app_of, grant_id: row.id, client_id: row.client_id },
      ...{ scopes: held(row.scopes), limits: callerLimitsOf(row.limits) },
    }
  )
}

/** Throws the fault, or the UpdateRefused, of a right that has ended. */
export async function callOfUpdate(app: App, action: string, asking: Asking): Promise<Call> {
  const { key, address } = asking
  const caller = await makerOf(app, key)
  if (!caller) throw new UpdateRefused('refused', 'tsig_key_ended')
  const label = tsigKeyName(key.id)
  const agent_identifier = `TSIG key ${label}`
  return {
    ...systemCall(app, action),
    ...{ caller, customer_id: key.customer_id, address, agent_identifier, entry_point: 'dns' },
    assertStillAllowed: (effect) => assertStillAllowed(app, { ...asking, caller }, effect),
    auditRow: ({ metadata, ...facts }) =>
      auditRowOf(
        {
          ...{ entry_point: 'dns', action: facts.action ?? action, label },
          ...{ caller, agent_identifier, now: app.clock.now() },
        },
        { ...facts, metadata: { ...metadata, tsig_key: key.id } },
      ),
  }
}

async function assertStillAllowed(
  app: App,
  { key: { id, domain }, caller, ...asking }: Asking & { caller: CustomerCaller },
  { sql, records = [] }: EffectOf = {},
): Promise<PresentRight> {
  const read = sql ?? { maybe: app.db.lookUp }
  const { address, transport, scope } = asking
  const isChange = scope === 'dns:write'
  const key = await read.maybe(activeTsigKey, { id })
  if (!key) throw new UpdateRefused('refused', 'tsig_key_ended')
  // A key that the owner made ends only by itself.
  const isOwners = caller.kind === 'customer'
  const asked = { domain, approval_id: null }
  const rights = isOwners ? { caller } : await presentRights(read, caller, asked)
  if (!rights) throw new UpdateRefused('refused', 'tsig_key_ended')
  const now = rights.caller
  if (key.suspended && isChange) throw accountSuspended()
  if (!('scopes' in now) || !holdsScope(now.scopes, scope))
    throw insufficientScope({ facts: { required_scope: scope } })
  if (!isAllowedAddress(now, address)) throw addressNotAllowed()
  if (transport === 'udp' && hasAddresses(now))
    throw new UpdateRefused('refused', 'dns_over_tcp_only')
  if (!isVisibleDomain(now, domain)) throw domainNotFound()
  if (key.protected && !isOwners && isChange) throw new UpdateRefused('refused', 'domain_protected')
  requireRecordsAllowed(now, records)
  // On a protected domain only a key of the owner gets here.
  return { protected: key.protected, records_free: isOwners }
}

/** Anyone may forge the address of a UDP packet, and needs no answer to it. */
function hasAddresses(caller: Caller): boolean {
  return 'limits' in caller && (caller.limits?.ips.length ?? 0) > 0
}
