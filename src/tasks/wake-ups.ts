// Wake-ups after a commit: NOTIFY inside a money transaction takes a lock of the whole cluster, so
// it never stands there.
import type { Logger } from 'pino'
import type { Database } from '../db/database.ts'
import { notifyChannel } from './tasks.sql.ts'

const gap_ms = 10

type Channels = Map<string, { again: boolean }>
const quiet = new WeakMap<Database, Channels>()

/**
 * Wakes the jobs that wait on the channel, on all nodes. Call it after the commit; it returns at
 * once. Of many calls within 10 ms the first is sent now and the rest as one. One that is lost is
 * made good by the job's own interval.
 */
export function wake({ db, log }: { db: Database; log: Logger }, channel: string): void {
  const channels: Channels = quiet.get(db) ?? new Map()
  quiet.set(db, channels)
  const recent = channels.get(channel)
  if (recent) {
    recent.again = true
    return
  }
  const now = { again: false }
  channels.set(channel, now)
  const over = () => {
    channels.delete(channel)
    if (now.again) wake({ db, log }, channel)
  }
  db.run(notifyChannel, [channel])
    .catch((error) => log.warn({ err: error, channel }, 'wake-up not sent'))
    .finally(() => setTimeout(over, gap_ms))
}
