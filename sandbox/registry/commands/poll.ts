// The poll queue (RFC 5730 section 2.9.2.3): one message at a time, removed by its acknowledgement.

import { dateTime } from '../model/sandbox-clock.ts'
import type { Call } from './command-context.ts'
import { Refused, type Reply } from './reply.ts'

export function poll(call: Call): Reply {
  const queue = call.registry.queues.get(call.registrar)
  if (call.op === 'req') {
    const message = queue?.values().next().value
    if (queue === undefined || message === undefined) return { code: 1300 }
    const { id, at, text, data } = message
    const shown = { count: queue.size, id, at: dateTime(at), text }
    return { code: 1301, queue: shown, ...(data === null ? {} : { data }) }
  }
  if (call.op !== 'ack') throw new Refused(2001, 'poll op')
  const id = call.body.attributes.get('msgID')
  if (id === undefined) throw new Refused(2003, 'msgID is required')
  if (queue === undefined || !queue.has(id)) throw new Refused(2303, `no message ${id}`)
  call.registry.store.tables.message.remove(id)
  return { code: 1000, queue: { count: queue.size, id, at: null, text: null } }
}
