// Evidence that a payment is gone: the block that contained it is no longer canonical at its
// number, and the endpoint has the transfer in no other block. An endpoint that merely does not
// find it is not believed, because nodes answer so while they index, prune, or fall behind
// (decision 92).
import type { ObservedPayment, ObserveInput } from '../port.ts'
import type { ChainReader } from './chain-reader.ts'
import { type Round, whereReadable } from './observation-round.ts'

type Known = ObserveInput['known'][number]

/** It is undefined unless every configured endpoint shows it. */
export async function shownGone(
  round: Round,
  known: Known,
  isAbsent: (reader: ChainReader) => Promise<boolean>,
): Promise<ObservedPayment | undefined> {
  const { reader, second } = round
  const first = await evidenceOf(round, { known, reader, isAbsent })
  if (first === undefined) return undefined
  const other =
    second && (await whereReadable(() => evidenceOf(round, { known, reader: second, isAbsent })))
  if (second && other === undefined) return undefined
  const { is_credited: _credited, ...facts } = known
  return { ...facts, state: 'orphaned', confirmations: 0, value: null, why_gone: first }
}

type Asked = {
  known: Known
  reader: ChainReader
  isAbsent: (reader: ChainReader) => Promise<boolean>
}

async function evidenceOf(
  round: Round,
  { known, reader, isAbsent }: Asked,
): Promise<string | undefined> {
  const { block } = known
  // It was stored before blocks were stored. If nothing has to be taken back, its absence
  // is enough.
  if (block === null && !known.is_credited)
    return (await isAbsent(reader)) ? 'its transaction is in no block' : undefined
  if (block === null || block.number > round.head) return unreadable(round, known, reader)
  const { hash } = await reader.block(block.number)
  if (hash === block.hash) return unreadable(round, known, reader)
  if (!(await isAbsent(reader))) return undefined
  return `block ${block.number} is ${hash}, and was ${block.hash}`
}

function unreadable({ network, log }: Round, { id }: Known, { name: rpc }: ChainReader): undefined {
  log.error(
    { network: network.name, rpc, payment_id: id, alarm: 'payment_unreadable' },
    'a payment cannot be read: the endpoint does not show it in a block that is what it was',
  )
}
