// Updates of the statuses that a client may set, for any kind of object.

import { Refused } from '../protocol/reply.ts'
import type { Element } from '../protocol/xml.ts'
import { children } from './field-parser.ts'

/** The statuses after an update. @throws Refused 2005 for a status that is not the client's */
export function changeStatuses(change: {
  before: string[]
  add: Element | undefined
  rem: Element | undefined
  settable: string[]
}): string[] {
  const gone = readStatuses(change.rem, change.settable)
  const added = readStatuses(change.add, change.settable)
  const missing = gone.find((status) => !change.before.includes(status))
  if (missing !== undefined) throw new Refused(2306, `${missing} is not set`)
  const kept = change.before.filter((status) => !gone.includes(status))
  const twice = added.find((status) => kept.includes(status))
  if (twice !== undefined) throw new Refused(2306, `${twice} is already set`)
  return [...kept, ...added]
}

function readStatuses(element: Element | undefined, settable: string[]): string[] {
  if (element === undefined) return []
  return children(element, 'status').map((each) => {
    const status = each.attributes.get('s') ?? ''
    if (!settable.includes(status)) throw new Refused(2005, `${status || 'status'} is not settable`)
    return status
  })
}
