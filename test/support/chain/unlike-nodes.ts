// Answers of nodes that are unlike the chain's own: as proxies give them in tests.
import type { Address } from './anvil.ts'
import type { Unlike } from './rpc-proxy.ts'

type Log = Record<string, unknown>

/** Changes the answers of eth_getLogs and receipts in the same way. */
export const withLogs =
  (change: (logs: Log[]) => Log[]): Unlike =>
  (method, result) => {
    if (method === 'eth_getLogs') return change([result].flat().map(Object))
    if (method !== 'eth_getTransactionReceipt' || result === null) return result
    const { logs, ...receipt } = Object(result)
    return { ...receipt, logs: change(logs) }
  }

const hex = (value: number): Address => `0x${value.toString(16)}`

/** As nodes do that number the logs of each transaction from 0. */
export const numberedByTransaction: Unlike = withLogs((logs) => {
  const counts = new Map<unknown, number>()
  return logs.map((log) => {
    const at = counts.get(log.transactionHash) ?? 0
    counts.set(log.transactionHash, at + 1)
    return { ...log, logIndex: hex(at) }
  })
})

/** As if the block of this number were another one, and its transactions nowhere. */
export const forkedAt =
  (number: bigint): Unlike =>
  (method, result) => {
    const at = Object(result)
    if (method === 'eth_getBlockByNumber' && result && BigInt(at.number) === number)
      return { ...at, hash: `0x${'cd'.repeat(32)}` }
    if (method === 'eth_getTransactionReceipt' && result && BigInt(at.blockNumber) === number)
      return null
    return result
  }

/** No receipt at all, as of a node that has not indexed it, or has pruned it. */
export const noReceipts: Unlike = (method, result) =>
  method === 'eth_getTransactionReceipt' ? null : result

/** No log at all. */
export const noLogs: Unlike = (method, result) => (method === 'eth_getLogs' ? [] : result)
