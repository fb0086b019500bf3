// Reverts an unconfirmed change of records when it is due, by a change like any other in the name
// of its maker. If the maker may not make that change, the first one stays, and the owner decides.
import type { App, Call } from '../../../../app.ts'
import type { Sql } from '../../../../db/database.ts'
import { InvalidInput } from '../../../../kit/fault.ts'
import { done, type TaskEnd } from '../../../../tasks/index.ts'
import { holdingByName } from '../../holdings/holdings.sql.ts'
import { diffOfKept } from '../record-sets/kept-change.ts'
import type { SetDiff } from '../record-sets/plan-records.ts'
import { setKey, titleOf } from '../record-sets/record-set.ts'
import { confirmationOfChange } from '../unconfirmed/confirmation.sql.ts'
import { endChange } from '../unconfirmed/confirmation.ts'
import { keepUnconfirmed } from '../unconfirmed/keep.ts'
import { ChangeStays, EndedBefore, type KeptReason, reasonOf } from '../unconfirmed/kept.ts'
import { type Confirmation, callOfMaker } from '../unconfirmed/maker.ts'
import { changeWithin } from './change-records.ts'
import { revertEdits } from './revert-records.ts'

const about = { action: 'revert_unconfirmed_dns_change' }
const most_listed = 20

/** There is one outcome, whatever confirms it at the same time and however often this runs. */
export async function revertUnconfirmed(app: App, change_id: string): Promise<TaskEnd> {
  const confirmation = await app.db.maybe(confirmationOfChange, { change_id })
  if (confirmation?.state !== 'unconfirmed') return done
  app.reached?.('dns_change_due')
  try {
    const call = await callOfMaker(app, confirmation, { ...about, scope: 'dns:write' })
    await revertSetBySet(app, call, confirmation)
    app.reached?.('dns_change_reverted')
    return done
  } catch (error) {
    if (error instanceof EndedBefore) return done
    const because = reasonOf(error)
    if (because === undefined) throw error
    app.log.info({ err: error, change_id, because }, 'unconfirmed DNS change stays')
    return { end: 'done', effects: (sql) => keep(app, { sql, confirmation, because }) }
  }
}

/** Reverts the sets, except those whose former values the rules of a zone no longer allow. */
async function revertSetBySet(app: App, call: Call, confirmation: Confirmation): Promise<void> {
  const changed = diffOfKept(confirmation.sets)
  for (let left = changed; ; ) {
    const refused = await revert(app, call, { confirmation, changed, left })
    if (refused === null) return
    if (refused.size === 0) throw new ChangeStays('refused')
    left = left.filter((one) => !refused.has(setKey(one)))
  }
}

type Reverting = {
  confirmation: Confirmation
  changed: readonly SetDiff[]
  /** The sets that are still to be reverted. */
  left: readonly SetDiff[]
}

/** Returns null if it is done, or the sets that cannot be reverted. */
async function revert(
  app: App,
  call: Call,
  { confirmation, changed, left }: Reverting,
): Promise<ReadonlySet<string> | null> {
  const { change_id, domain, customer_id } = confirmation
  const holding = await app.db.maybe(holdingByName, { customer_id, name: domain })
  if (!holding || holding.id !== confirmation.domain_id) throw new EndedBefore()
  const staying = new Set(changed.filter((one) => !left.includes(one)).map(titleOf))
  const metadata: Record<string, unknown> = {}
  const change = {
    ...{ ...about, holding, input: {}, reverts: change_id, metadata },
    edits: (zone: Parameters<typeof revertEdits>[0]) => {
      const { sets, conflicts } = revertEdits(zone, { changed: left, prune: true })
      for (const { host, type } of conflicts) staying.add(`${host} ${type}`)
      metadata.reverts = change_id
      if (staying.size > 0) metadata.unreverted = [...staying].slice(0, most_listed)
      return { sets: sets.map((one) => ({ ...one, loc: ['sets', setKey(one)] })) }
    },
    ends: {
      ...{ approved: true, as_stored: true },
      async store(sql: Sql, reverted: string | null) {
        const now = await sql.maybe(confirmationOfChange, { change_id })
        if (now?.state !== 'unconfirmed') throw new EndedBefore()
        if (now.protected_since) throw new ChangeStays('domain_protected')
        if (reverted === null && staying.size > 0)
          throw new ChangeStays(left.length < changed.length ? 'refused' : 'changed_since')
        return endChange(sql, { id: change_id, state: 'reverted', from: ['unconfirmed'] })
      },
    },
  }
  const mayStore = () => true
  try {
    await app.db.transaction((sql) =>
      changeWithin(
        app,
        { call, sql },
        {
          ...{ change, mayStore },
          mayChange: async (within, records = []) => {
            await call.assertStillAllowed({ sql: within ?? sql, domain, records })
          },
        },
      ),
    )
    return null
  } catch (error) {
    if (!(error instanceof InvalidInput)) throw error
    return new Set(error.fields.map(({ path }) => `${path[path.indexOf('sets') + 1]}`))
  }
}

type Keeping = { sql: Sql; confirmation: Confirmation; because: KeptReason }

async function keep(app: App, { sql, confirmation, because }: Keeping): Promise<void> {
  const { change_id: id, domain, customer_id, sets } = confirmation
  const kept = { id, state: 'kept', from: ['unconfirmed'], kept_because: because } as const
  if (!(await endChange(sql, kept))) return
  const [first, ...others] = diffOfKept(sets)
  const more = others.length > 0 ? ` and ${others.length} more` : ''
  await keepUnconfirmed(app, sql, {
    ...{ id, customer_id, domain, because, of: 'records' },
    changed: `${first ? titleOf(first) : ''}${more}`,
  })
}
