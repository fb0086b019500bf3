// Reads of one chain through one JSON-RPC endpoint. Every answer is bounded in time and size and
// compared with the request; any mismatch is GatewayUnavailable.
import { BaseError, isHash, parseAbi, parseAbiItem, parseEventLogs } from 'viem'
import { PeerHealth } from '../../../kit/telemetry.ts'
import { type Address, lowerAddress } from './networks.ts'
import { AnswerTooLarge, openRpcClient, type RpcOptions, reading } from './rpc-client.ts'

export type Hash = `0x${string}`
export type Block = { number: bigint; hash: Hash; at: Date }

/** An ERC-20 Transfer event; addresses in lower case. */
export type Transfer = {
  contract: Address
  to: Address
  units: bigint
  block: bigint
  block_hash: Hash
  transaction_id: Hash
  log_index: number
}

export type TransferFilter = {
  contracts: readonly Address[]
  to: readonly Address[]
  from_block: bigint
  to_block: bigint
}

type OutgoingFilter = {
  contract: Address
  from: Address
  from_block: bigint
  to_block: bigint
}

export type ChainReader = {
  /** The name for messages, which is not the URL, because that contains a key. */
  name: string
  health: PeerHealth
  chainId: () => Promise<number>
  head: () => Promise<bigint>
  block: (number: bigint) => Promise<Block>
  /** Rejects with AnswerTooLarge if there are too many. */
  transfers: (filter: TransferFilter) => Promise<Transfer[]>
  /**
   * All transfers of one transaction, in their order, and none of one that failed. It is null if
   * the transaction is not in the canonical chain, or if the endpoint does not know it.
   */
  transfersOf: (transaction_id: Hash) => Promise<Transfer[] | null>
  /**
   * The base units that left the address in these blocks. Rejects with AnswerTooLarge if there are
   * too many.
   */
  outgoing: (filter: OutgoingFilter) => Promise<bigint>
  balances: (addresses: readonly Address[], block: bigint) => Promise<bigint[]>
  tokenBalances: (contract: Address, addresses: readonly Address[]) => Promise<bigint[]>
  decimals: (contract: Address) => Promise<number>
  /** How many transactions each address has sent. */
  nonces: (addresses: readonly Address[], block: bigint) => Promise<number[]>
  /**
   * The transaction that paid the address in the native coin in this block, or null if a contract
   * made the payment.
   */
  directPayment: (block: bigint, to: Address, units: bigint) => Promise<Hash | null>
}

const transferEvent = parseAbiItem(
  'event Transfer(address indexed from, address indexed to, uint256 value)',
)
const tokenAbi = parseAbi([
  'function balanceOf(address) view returns (uint256)',
  'function decimals() view returns (uint8)',
])

type Client = ReturnType<typeof openRpcClient>
/** Makes one read: `about` names it in messages. */
type Read = <T>(about: string, work: () => Promise<T>) => Promise<T>
type Reading = { client: Client; read: Read; batch: number }

export function openChainReader(options: RpcOptions): ChainReader {
  const { name, batch } = options
  const client = openRpcClient(options)
  const health = new PeerHealth()
  const read: Read = async (about, work) => {
    try {
      const answer = await reading(`${name}: ${about}`, work)
      health.note(null)
      return answer
    } catch (error) {
      health.note(error instanceof AnswerTooLarge ? null : 'cannot be read')
      throw error
    }
  }
  const parts = { client, read, batch }
  return { name, health, ...blockReads(parts), ...transferReads(parts), ...accountReads(parts) }
}

function blockReads({ client, read }: Reading) {
  return {
    chainId: () => read('chain id', async () => whole(await client.getChainId())),
    // viem keeps the number for its polling interval by default.
    head: () => read('head', async () => natural(await client.getBlockNumber({ cacheTime: 0 }))),
    block: (number: bigint) =>
      read(`block ${number}`, async () => {
        const { number: given, hash, timestamp } = await client.getBlock({ blockNumber: number })
        if (given !== number || !isHash(hash))
          throw new TypeError('the response is of another block')
        return { number, hash, at: dateOf(timestamp) }
      }),
    directPayment: (block: bigint, to: Address, units: bigint) =>
      read(`block ${block}`, async () => {
        const found = await client.getBlock({ blockNumber: block, includeTransactions: true })
        const paid = found.transactions.filter(
          (one) => one.to !== null && lowerAddress(one.to) === to && one.value === units,
        )
        return paid.length === 1 ? (paid[0]?.hash ?? null) : null
      }),
  }
}

function transferReads({ client, read }: Reading) {
  return {
    transfers: ({ contracts, to, from_block, to_block }: TransferFilter) =>
      read('logs', async () => {
        const logs = await client.getLogs({
          address: [...contracts],
          event: transferEvent,
          args: { to: [...to] },
          fromBlock: from_block,
          toBlock: to_block,
          strict: true,
        })
        return logs.map((log) => transferOf(log, { contracts, to, from_block, to_block }))
      }),
    outgoing: (filter: OutgoingFilter) => read('logs', () => outgoingUnits(client, filter)),
    transfersOf: (transaction_id: Hash) =>
      read('receipt', () => receiptTransfers(client, transaction_id)),
  }
}

function accountReads({ client, read, batch }: Reading) {
  return {
    balances: (addresses: readonly Address[], block: bigint) =>
      read(`balances at block ${block}`, () =>
        all(addresses, batch, async (address) =>
          natural(await client.getBalance({ address, blockNumber: block })),
        ),
      ),
    tokenBalances: (contract: Address, addresses: readonly Address[]) =>
      read('token balances', () =>
        all(addresses, batch, async (address) =>
          natural(
            await client.readContract({
              address: contract,
              abi: tokenAbi,
              functionName: 'balanceOf',
              args: [address],
            }),
          ),
        ),
      ),
    decimals: (contract: Address) =>
      read('decimals of a token', () =>
        client.readContract({ address: contract, abi: tokenAbi, functionName: 'decimals' }),
      ),
    nonces: (addresses: readonly Address[], block: bigint) =>
      read(`nonces at block ${block}`, () =>
        all(addresses, batch, async (address) =>
          whole(await client.getTransactionCount({ address, blockNumber: block })),
        ),
      ),
  }
}

/** One batch is sent at a time, with all its items in one request. */
async function all<T, R>(items: readonly T[], batch: number, work: (item: T) => Promise<R>) {
  const done: R[] = []
  for (let at = 0; at < items.length; at += batch)
    done.push(...(await Promise.all(items.slice(at, at + batch).map(work))))
  return done
}

function dateOf(seconds: bigint): Date {
  const date = new Date(whole(Number(seconds)) * 1000)
  if (Number.isNaN(date.getTime())) throw new TypeError('the time of a block is not valid')
  return date
}

function whole(value: number): number {
  if (Number.isSafeInteger(value) && value >= 0) return value
  throw new TypeError('not a whole number of at least 0')
}

function natural(value: unknown): bigint {
  if (typeof value === 'bigint' && value >= 0n) return value
  throw new TypeError('not a quantity of at least 0')
}

type Log = {
  address: string
  args: { to: string; value: bigint }
  blockNumber: bigint | null
  blockHash: string | null
  transactionHash: string | null
  logIndex: number | null
  removed?: boolean
}

/**
 * Throws for a log that was not requested, because an endpoint that answers so is not believed at
 * all.
 */
function transferOf(log: Log, filter: TransferFilter | null): Transfer {
  const { blockNumber, blockHash, transactionHash, logIndex } = log
  const contract = lowerAddress(log.address)
  const to = lowerAddress(log.args.to)
  const block = natural(blockNumber)
  const isAsked =
    filter === null ||
    (filter.contracts.includes(contract) &&
      filter.to.includes(to) &&
      block >= filter.from_block &&
      block <= filter.to_block)
  if (!isAsked || log.removed) throw new TypeError('a log outside of the request')
  if (!isFullHash(blockHash) || !isFullHash(transactionHash))
    throw new TypeError('a log without a hash')
  if (!Number.isSafeInteger(logIndex) || logIndex === null || logIndex < 0)
    throw new TypeError('a log without an index')
  return {
    contract,
    to,
    units: natural(log.args.value),
    block,
    block_hash: blockHash,
    transaction_id: transactionHash,
    log_index: logIndex,
  }
}

function isFullHash(text: string | null): text is Hash {
  return text !== null && isHash(text)
}

async function receiptTransfers(client: Client, hash: Hash): Promise<Transfer[] | null> {
  const receipt = await client.getTransactionReceipt({ hash }).catch((error) => {
    if (error instanceof BaseError && error.name === 'TransactionReceiptNotFoundError') return null
    throw error
  })
  if (receipt === null) return null
  if (receipt.transactionHash !== hash) throw new TypeError('the receipt is of another transaction')
  const block = await client.getBlock({ blockNumber: receipt.blockNumber })
  // The receipt belongs to a block that is no longer canonical.
  if (block.hash !== receipt.blockHash) return null
  if (receipt.status !== 'success') return []
  const logs = parseEventLogs({ abi: [transferEvent], logs: receipt.logs, strict: true })
  return inOrder(logs.map((log) => transferOf(log, null)))
}

/** However an endpoint numbers logs, their order is that of the execution. */
function inOrder(transfers: readonly Transfer[]): Transfer[] {
  const numbers = new Set(transfers.map(({ log_index }) => log_index))
  if (numbers.size < transfers.length) throw new TypeError('two logs have one index')
  return transfers.toSorted((a, b) => a.log_index - b.log_index)
}

async function outgoingUnits(client: Client, filter: OutgoingFilter): Promise<bigint> {
  const { contract, from, from_block, to_block } = filter
  const logs = await client.getLogs({
    address: contract,
    event: transferEvent,
    args: { from },
    fromBlock: from_block,
    toBlock: to_block,
    strict: true,
  })
  const units = new Map<string, bigint>()
  for (const log of logs) {
    const to = lowerAddress(log.args.to)
    const range = { contracts: [contract], to: [to], from_block, to_block }
    const transfer = transferOf(log, range)
    if (lowerAddress(log.args.from) !== from) throw new TypeError('a log outside of the request')
    // A payment to itself does not leave the address.
    if (to !== from) units.set(`${transfer.transaction_id}/${transfer.log_index}`, transfer.units)
  }
  return [...units.values()].reduce((sum, one) => sum + one, 0n)
}
