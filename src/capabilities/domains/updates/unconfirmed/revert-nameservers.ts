// Reverts an unconfirmed change of name servers when it is due, by an update like any other in the
// name of its maker. If the maker may not make that, the change stays, and the owner decides.
import type { App, Call } from '../../../../app.ts'
import type { Sql } from '../../../../db/database.ts'
import { Fault } from '../../../../kit/fault.ts'
import { done, type TaskEnd } from '../../../../tasks/index.ts'
import { systemCall } from '../../../audit/index.ts'
import { keepUnconfirmed } from '../../dns/unconfirmed/keep.ts'
import { ChangeStays, EndedBefore, reasonOf } from '../../dns/unconfirmed/kept.ts'
import { callOfMaker } from '../../dns/unconfirmed/maker.ts'
import {
  beginWayBack,
  endNameserverConfirmation,
  nameserverConfirmation,
} from '../../dns/unconfirmed/nameserver-confirmations.sql.ts'
import { notChangeable } from '../../faults.ts'
import { holdingByName } from '../../holdings/holdings.sql.ts'
import { updateHolding } from '../domain-update.ts'
import { changeRefused } from '../update-faults.ts'
import { beforeOf, type NameserverConfirmation, placeOf } from './nameserver-confirmation.ts'

const action = 'revert_unconfirmed_nameservers'
/** A refusal of the registry may be temporary; after this many it is final. */
const most_refusals = 5

type Due = { change_id: string; tries: number }

/** There is one outcome, whatever the registry answers and however often this runs. */
export async function revertNameservers(app: App, { change_id, tries }: Due): Promise<TaskEnd> {
  const row = await app.db.maybe(nameserverConfirmation, { change_id })
  if (row?.state !== 'unconfirmed') return done
  app.reached?.('nameservers_due')
  try {
    const call = await callOfMaker(app, row, { action, scope: 'domains:write' })
    await goBack(app, whileItStands(app, call, row), row)
    app.reached?.('nameservers_reverted')
    return done
  } catch (error) {
    if (error instanceof EndedBefore) return done
    const because = reasonOf(error)
    if (because === undefined || isPassing(error, tries)) return retry(error)
    // An earlier attempt may have reached the registry while its maker still had the right.
    if (await isBackAlready(app, row)) return done
    app.log.info({ err: error, change_id, because }, 'unconfirmed change of name servers stays')
    return { end: 'done', effects: (sql) => keep(app, { sql, row, because }) }
  }
}

function isPassing(error: unknown, tries: number): boolean {
  return (
    error instanceof Fault &&
    (error.type === changeRefused || error.type === notChangeable) &&
    tries < most_refusals
  )
}

function retry(error: unknown): TaskEnd {
  if (error instanceof Fault) return { end: 'retry', reason: error.message }
  throw error
}

async function holdingOf(app: App, { customer_id, domain, domain_id }: NameserverConfirmation) {
  const holding = await app.db.maybe(holdingByName, { customer_id, name: domain })
  if (holding?.id !== domain_id) throw new EndedBefore()
  return holding
}

type Place = ReturnType<typeof placeOf>

/** Throws ChangeStays if the registry shows name servers from neither before nor after it. */
async function goBack(app: App, call: Call, row: NameserverConfirmation): Promise<void> {
  const place = await establish(app, call, { row, unless: (seen) => seen === 'elsewhere' })
  if (place === 'elsewhere') throw new ChangeStays('changed_since')
}

/** Only notes that it is done, and sends nothing. */
async function isBackAlready(app: App, row: NameserverConfirmation): Promise<boolean> {
  const call = systemCall(app, action)
  return (await establish(app, call, { row, unless: (seen) => seen !== 'before' })) === 'before'
}

type Establishing = { row: NameserverConfirmation; unless: (seen: Place) => boolean }

/** Restores and reads back the former name servers; returns the place that was shown last. */
async function establish(app: App, call: Call, { row, unless }: Establishing): Promise<Place> {
  const { change_id, customer_id } = row
  const holding = await holdingOf(app, row)
  let place: Place = 'elsewhere'
  const metadata = {
    ...{ nameservers: row.before_nameservers, before: row.after_nameservers },
    ...{ reverts: change_id, state: 'reverted' },
  }
  await updateHolding(app, call, {
    ...{ holding, action: 'update_nameservers', desired: beforeOf(row) },
    // It is newer than the requests before the change, and than no other.
    asked_at: row.created_at,
    facts: { action, customer_id, metadata, target_type: 'domain', target: row.domain },
    onReading: (found) => {
      place = placeOf(found, row)
    },
    superseded: () => unless(place),
    steps: {
      async stored(sql) {
        const ending = { change_id, state: 'reverted', from: ['unconfirmed'], kept_because: null }
        if (!(await sql.maybe(endNameserverConfirmation, { ...ending, also_going_back: true })))
          throw new EndedBefore()
      },
    },
  })
  return place
}

/** Checks right before each command that it still waits, unprotected and unlocked by the owner. */
function whileItStands(app: App, call: Call, { change_id }: NameserverConfirmation): Call {
  return {
    ...call,
    async assertStillAllowed(effect = {}) {
      const sql = effect.sql ?? app.db
      const stands = await sql.maybe(beginWayBack, { change_id })
      if (!stands) throw new EndedBefore()
      if (stands.protected_since) throw new ChangeStays('domain_protected')
      if (stands.locked_since) throw new ChangeStays('domain_locked')
      return call.assertStillAllowed(effect)
    },
  }
}

type Keeping = { sql: Sql; row: NameserverConfirmation; because: ChangeStays['because'] }

async function keep(app: App, { sql, row, because }: Keeping): Promise<void> {
  const { change_id, customer_id, domain, after_nameservers } = row
  const ending = { change_id, state: 'kept', from: ['unconfirmed'], kept_because: because }
  if (!(await sql.maybe(endNameserverConfirmation, { ...ending, also_going_back: true }))) return
  await keepUnconfirmed(app, sql, {
    ...{ id: change_id, customer_id, domain, because, of: 'name_servers' },
    changed: after_nameservers.join(', '),
  })
}
