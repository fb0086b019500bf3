// The holding with the registry's facts of now: a paid request goes by nothing older.
import type { App } from '../../../app.ts'
import { domainNotFound, registryUnreachable } from '../faults.ts'
import type { Holding } from './domain-presenter.ts'
import { type Synced, syncHolding } from './sync.ts'

type TruthRead = Extract<Synced, { kind: 'held' }>

/** 404 when the reading ended it, 503 when the registry does not answer. */
export async function truthOf(app: App, known: Holding): Promise<Holding> {
  return (await readingOf(app, known)).holding
}

/** The same, with the registry's own words. */
export async function readingOf(app: App, known: Holding): Promise<TruthRead> {
  const synced = await syncHolding(app, known, 'purchase')
  switch (synced.kind) {
    case 'held':
      return synced
    case 'left':
    case 'dropped':
      throw domainNotFound()
    case 'missing':
    case 'silent':
      throw registryUnreachable({ retry_after_s: 5 })
  }
}
