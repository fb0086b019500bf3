// The maker of a webhook: a key or an app, with which it ends, or the owner.

import { type Caller, foldScopes } from '../../../app.ts'
import type { Json } from '../../../db/statement.ts'
import type { ApiKeyId, GrantId } from '../../../kit/random.ts'
import { callerLimitsOf, limitedBy, seesDomain } from '../../limits/index.ts'
import { covers, type EventType, scopeOfEvent } from '../event-types.ts'
import { webhookNotOwn } from '../faults.ts'
import type { LockedWebhook } from './webhooks.sql.ts'

type Maker = { made_by: string; api_key_id: ApiKeyId | null; oauth_grant_id: GrantId | null }
type StoredMaker = Omit<Maker, 'made_by'> & { made_by: string | null }

/** The maker that a caller of the operations on webhooks is. */
export function webhookMakerOf(caller: Caller): Maker {
  const by = limitedBy(caller)
  const isApp = by.oauth_grant_id !== null
  const made_by = by.api_key_id !== null ? 'api_key' : isApp ? 'app' : 'owner'
  return { made_by, ...by }
}

/** The maker as it is stored. */
export function storedMaker({ made_by, api_key_id, oauth_grant_id }: LockedWebhook): StoredMaker {
  return { made_by, api_key_id, oauth_grant_id }
}

/**
 * Throws webhookNotOwn for a webhook that a key or an app may not turn to itself: it would not end
 * with the caller. Its own are those that it, or a key that descends from it, made.
 */
export function requireOwnWebhook(caller: Caller, webhook: LockedWebhook): void {
  const { maker_chain, maker_client } = webhook
  const isOwn =
    caller.kind === 'api_key'
      ? maker_chain?.includes(caller.key_id) === true
      : caller.kind !== 'oauth_client' || maker_client === caller.client_id
  if (!isOwn) throw webhookNotOwn()
}

type MakersRights = { maker_scopes: readonly string[] | null; maker_limits: Json }
type Shown = { type: EventType; subject_type: string; subject_id: string; data: Json }

/** Whether the maker may still see an event: it may have lost scopes, or domains, since. */
export function mayMakerSee({ maker_scopes, maker_limits }: MakersRights, event: Shown): boolean {
  if (maker_scopes === null) return true
  const held = new Set(foldScopes(maker_scopes))
  if (!covers(held, scopeOfEvent(event.type))) return false
  const limits = callerLimitsOf(maker_limits)
  return domainsOf(event).every((name) => seesDomain(limits, name))
}

/** The domains that an event names. */
export function domainsOf({ subject_type, subject_id, data }: Omit<Shown, 'type'>): string[] {
  const { domain } = Object(data)
  const names = [subject_type === 'domain' ? subject_id : null, domain]
  return names.filter((name) => typeof name === 'string')
}
