// The dead man's switch of a change of records, which is reverted unless it is confirmed in time.
// Its sets have a short TTL meanwhile, so that resolvers soon see the revert.
import Type, { type Static } from 'typebox'
import type { App, Call, Caller } from '../../../../app.ts'
import type { Sql } from '../../../../db/database.ts'
import { parseDuration } from '../../../../kit/clock.ts'
import { fault } from '../../../../kit/fault.ts'
import type { FieldReader } from '../../../../kit/field-reader.ts'
import type { ApiKeyId, GrantId } from '../../../../kit/random.ts'
import { dateTime, oneOf } from '../../../../kit/schema.ts'
import { enqueue } from '../../../../tasks/index.ts'
import type { RecordPlan, SetDiff } from '../record-sets/plan-records.ts'
import { isSameSet, type RecordSets, setKey, titleOf } from '../record-sets/record-set.ts'
import { endConfirmation, storeConfirmation } from './confirmation.sql.ts'
import type { OpenChange } from './open-changes.ts'
import { revertUnconfirmedTask } from './revert-task.ts'

const longest_ttl_s = 60
const least_ms = 60_000
const most_ms = 86_400_000

export const changeStateShape = Type.Object(
  {
    id: Type.String(),
    state: oneOf(['unconfirmed', 'confirmed', 'reverted', 'kept'], {
      description:
        'kept: it was due to be reverted, but its maker had lost the right to change these ' +
        'records, for example, so the owner decides.',
    }),
    reverts_at: dateTime('When it is reverted without a confirmation, or was to be.'),
  },
  { title: 'DnsChangeState' },
)
export type ChangeState = Static<typeof changeStateShape>

export const dnsChangeUnconfirmed = fault('dns_change_unconfirmed', 'conflict', {
  sentence: 'Another change of these records waits for its confirmation.',
  hint: 'Confirm that change (confirm_dns_change), or revert it (revert_dns_change).',
  next: 'read_back',
  facts: {
    change_id: Type.String({ description: 'The change that waits.' }),
    host: Type.String({ description: 'The host of the first set that both change.' }),
    record_type: Type.String({ description: 'The type of that set.' }),
    reverts_at: dateTime('When that change is reverted.'),
  },
})

/** Reads milliseconds; notes a text that is no duration within the bounds. */
export function readRevertAfter(reader: FieldReader, text: string): number {
  const duration = parseDuration(text)
  const ms = duration?.months === 0 ? duration.ms : 0
  if (ms < least_ms || ms > most_ms)
    reader.refuse(
      ['revert_after'],
      'Input should be an ISO 8601 duration from "PT1M" to "PT24H", such as "PT10M"',
      'duration',
    )
  return ms
}

/**
 * The sets as the open changes asked for them, with the TTL that a set gets once its change is
 * confirmed. A later change keeps this TTL, never the short one of the meantime.
 */
export function askedSets(sets: RecordSets, open: readonly OpenChange[]): RecordSets {
  const asked = new Map(sets)
  for (const { diff } of open)
    for (const one of diff) {
      const now = sets.get(setKey(one))
      if (now && one.asked_ttl !== undefined && isSameSet(now, one.after))
        asked.set(setKey(one), { ...now, ttl: one.asked_ttl })
    }
  return asked
}

/** Throws dnsChangeUnconfirmed for the first set that an unconfirmed change has changed, too. */
export function requireNoOpenChange(diff: readonly SetDiff[], open: readonly OpenChange[]): void {
  for (const { id, state, reverts_at, diff: changed } of open) {
    if (state !== 'unconfirmed') continue
    const keys = new Set(changed.map(setKey))
    const both = diff.find((one) => keys.has(setKey(one)))
    if (!both) continue
    const [host = '', record_type = ''] = titleOf(both).split(' ')
    throw dnsChangeUnconfirmed({
      detail: `The change ${id} of "${host}" ${record_type} waits for its confirmation.`,
      facts: { change_id: id, host, record_type, reverts_at: reverts_at.toISOString() },
    })
  }
}

/** The plan with a short TTL for each set that it changes, beside the TTL that was asked for. */
export function withShortTtls({ diff, sets, octets }: RecordPlan): RecordPlan {
  const short = diff.map((one) => {
    const { after } = one
    if (!after || after.ttl <= longest_ttl_s) return one
    return { ...one, after: { ...after, ttl: longest_ttl_s }, asked_ttl: after.ttl }
  })
  const changed = short.flatMap(({ after }) => (after ? [[setKey(after), after] as const] : []))
  return { diff: short, sets: new Map([...sets, ...changed]), octets }
}

export type MakerColumns = {
  api_key_id: ApiKeyId | null
  oauth_grant_id: GrantId | null
  session_id: bigint | null
}

/** The columns that record the caller as the maker of a change that waits. */
export function makerColumns(caller: Caller): MakerColumns {
  return {
    api_key_id: caller.kind === 'api_key' ? caller.key_id : null,
    oauth_grant_id: caller.kind === 'oauth_client' ? caller.grant_id : null,
    session_id: caller.kind === 'customer' ? caller.session_id : null,
  }
}

/** Whether the caller made the change; the owner in a session counts as any maker. */
export function isMaker(
  caller: Caller,
  { api_key_id, oauth_grant_id }: Pick<MakerColumns, 'api_key_id' | 'oauth_grant_id'>,
): boolean {
  return (
    caller.kind === 'customer' ||
    (caller.kind === 'api_key' && caller.key_id === api_key_id) ||
    (caller.kind === 'oauth_client' && caller.grant_id === oauth_grant_id)
  )
}

type Awaiting = { change_id: string; domain_id: bigint; after_ms: number }

/** Stores, in the transaction of the change, its confirmation and the task that reverts it. */
export async function awaitConfirmation(
  app: Pick<App, 'clock'>,
  { sql, call }: { sql: Sql; call: Call },
  { change_id, domain_id, after_ms }: Awaiting,
): Promise<ChangeState> {
  const reverts_at = new Date(app.clock.now().getTime() + after_ms)
  await sql.count(storeConfirmation, {
    ...{ change_id, domain_id, reverts_at },
    ...makerColumns(call.caller),
  })
  await enqueue(sql, revertUnconfirmedTask, {
    key: change_id,
    payload: { change_id },
    run_at: reverts_at,
  })
  return { id: change_id, state: 'unconfirmed', reverts_at: reverts_at.toISOString() }
}

export type StoredEnd = {
  change: ChangeState
  /** The metadata of the audit row. */
  metadata: Readonly<Record<string, unknown>>
}

type Ending = {
  id: string
  state: Exclude<ChangeState['state'], 'unconfirmed'>
  /** The states from which it may end now. */
  from: readonly ChangeState['state'][]
  kept_because?: string
}

/** Ends the confirmation of a change; returns null if it was in none of these states. */
export async function endChange(
  sql: Pick<Sql, 'maybe'>,
  { id, state, from, kept_because }: Ending,
): Promise<StoredEnd | null> {
  const ending = { change_id: id, state, from: [...from], kept_because: kept_because ?? null }
  const row = await sql.maybe(endConfirmation, ending)
  if (!row) return null
  return {
    change: { id, state, reverts_at: row.reverts_at.toISOString() },
    metadata: { state, ...(state === 'confirmed' ? { confirms: id } : { reverts: id }) },
  }
}
