// The session-level advisory lock under which migrations run: taken by polling, so that a wait can
// name the session that holds it and can be aborted.

import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { monotonicMs } from '../../kit/clock.ts'

export type WaitOptions = {
  /** Called with one line if the lock is not free at once. */
  say?: ((line: string) => void) | undefined
  signal?: AbortSignal | undefined
}

// The number is the same in every version, so that two nodes that start together take turns.
const lock_key = 7_316_401
const look_every_ms = 100
const say_after_ms = 500

type Holder = { pid: number; application_name: string | null; connected_at: Date | null }

// A bigint key is shown as two halves, with objsubid 1.
const findHolder = `
  select l.pid, a.application_name, a.backend_start as connected_at
    from pg_locks l left join pg_stat_activity a on a.pid = l.pid
   where l.locktype = 'advisory' and l.granted and l.objsubid = 1
     and l.database = (select oid from pg_database where datname = current_database())
     and l.classid::bigint = ($1::bigint >> 32) and l.objid::bigint = ($1::bigint & 4294967295)
   limit 1`

/**
 * Resolves once the session holds the lock; its end releases it. Rejects when aborted. It never
 * uses a statement that waits, since a concurrent index build of the holder would wait for its
 * snapshot.
 */
export async function takeMigrationLock(client: pg.Client, options: WaitOptions): Promise<void> {
  const began = monotonicMs()
  for (let reported = false; ; ) {
    options.signal?.throwIfAborted()
    const { rows } = await client.query<{ taken: boolean }>(
      'select pg_try_advisory_lock($1) as taken',
      [lock_key],
    )
    if (rows[0]?.taken) return
    if (!reported && monotonicMs() - began >= say_after_ms) {
      const holders = await client.query<Holder>(findHolder, [lock_key])
      options.say?.(lineOf(holders.rows[0]))
      reported = true
    }
    await sleep(look_every_ms, undefined, options.signal ? { signal: options.signal } : {})
  }
}

function lineOf(holder: Holder | undefined): string {
  const since = holder?.connected_at ? `connected since ${holder.connected_at.toISOString()}` : null
  const facts = [holder?.application_name ? `"${holder.application_name}"` : null, since]
  const known = facts.filter((fact) => fact !== null).join(', ')
  const session = holder ? `process ${holder.pid}${known === '' ? '' : ` (${known})`}` : 'a session'
  return (
    `Waiting for ${session} of the database server, which holds the migration lock. ` +
    'If it is not a node that migrates, end it: select pg_terminate_backend(pid).'
  )
}
