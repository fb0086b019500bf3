// A real EVM chain for tests: anvil (test/outside), with a stablecoin and a contract that pays out.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { after } from 'node:test'
import {
  createTestClient,
  createWalletClient,
  encodeFunctionData,
  http,
  parseAbi,
  publicActions,
} from 'viem'
import { mnemonicToAccount } from 'viem/accounts'
import { freePort } from '../../../src/kit/net/free-port.ts'

export type Address = `0x${string}`
type Bytecode = { bytecode: Address }

const machine = `${process.platform}-${process.arch === 'x64' ? 'amd64' : process.arch}`
const program = join(
  import.meta.dirname,
  `../../outside/node_modules/@foundry-rs/anvil-${machine}/bin/anvil`,
)
const notInstalled = 'anvil is not installed: npm ci --prefix test/outside'
/** For `describe`: on CI nothing is skipped, so that a missing program fails there. */
export const skipAnvil = existsSync(program) || process.env.CI === 'true' ? false : notInstalled

const contracts: Record<'TestToken' | 'Payout', Bytecode> = createRequire(import.meta.url)(
  './TestToken.json',
)
const tokenConstructor = parseAbi(['constructor(string name, string symbol)'])
/** The functions of both contracts. */
const calls = parseAbi([
  'function mint(address to, uint256 value)',
  'function transfer(address to, uint256 value) returns (bool)',
  'function transferTwice(address to, uint256 value)',
  'function balanceOf(address owner) view returns (uint256)',
  'function pay(address to, uint256 value)',
  'function transferWithAuthorization(address,address,uint256,uint256,uint256,bytes32,bytes)',
])
type Signing = { account: typeof payer; tip: bigint; value: bigint }
type Call = { to: Address; name: 'mint' | 'transfer' | 'transferTwice' | 'pay' }

const words = 'test test test test test test test test test test test junk'
/** Two of anvil's own accounts, which have 10,000 coins each. */
export const payer = mnemonicToAccount(words)
export const otherPayer = mnemonicToAccount(words, { addressIndex: 1 })

export type Chain = Awaited<ReturnType<typeof startChain>>

type Unsigned = Signing & Call & { chain_id: number; nonce: Promise<number>; receiver: Address }

/** Signed, and not sent yet; it stays the same transaction however often it is sent. */
async function signed({ account, to, name, receiver, ...facts }: Unsigned): Promise<Address> {
  return account.signTransaction({
    chainId: facts.chain_id,
    type: 'eip1559',
    nonce: await facts.nonce,
    gas: 200_000n,
    maxFeePerGas: 50_000_000_000n + facts.tip,
    maxPriorityFeePerGas: facts.tip,
    to,
    data: encodeFunctionData({ abi: calls, functionName: name, args: [receiver, facts.value] }),
  })
}

type Authorization = { token: Address; to: Address; value: bigint; nonce: Address }

/** EIP-3009: what `otherPayer` signs, and anybody may submit. */
async function authorized(chain_id: number, { token, to, value, nonce }: Authorization) {
  const uint = 'uint256'
  const fields = {
    from: 'address',
    to: 'address',
    value: uint,
    validAfter: uint,
    validBefore: uint,
  }
  const message = {
    from: otherPayer.address,
    to,
    value,
    validAfter: 0n,
    validBefore: 2n ** 40n,
    nonce,
  }
  const signature = await otherPayer.signTypedData({
    domain: { name: 'USD Coin', version: '2', chainId: chain_id, verifyingContract: token },
    types: {
      TransferWithAuthorization: Object.entries({ ...fields, nonce: 'bytes32' }).map(
        ([name, type]) => ({ name, type }),
      ),
    },
    primaryType: 'TransferWithAuthorization',
    message,
  })
  const { from, validAfter, validBefore } = message
  const args = [from, to, value, validAfter, validBefore, nonce, signature] as const
  const name = 'transferWithAuthorization'
  return { to: token, data: encodeFunctionData({ abi: calls, functionName: name, args }) }
}

export type AtEnd = (step: () => Promise<unknown>) => void

async function startAnvil(chain_id: number, atEnd: AtEnd) {
  if (!existsSync(program)) throw new Error(notInstalled)
  const port = await freePort()
  const child = spawn(
    program,
    ['--port', String(port), '--chain-id', String(chain_id), '--silent'],
    { stdio: 'ignore' },
  )
  const stop = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
  }
  atEnd(stop)
  return { url: `http://127.0.0.1:${port}`, stop }
}

type ChainOptions = { chain_id?: number; atEnd?: AtEnd }

/** It mines a block for each transaction, and others when it is asked to. */
export async function startChain({ chain_id = 8453, atEnd = after }: ChainOptions = {}) {
  const { url, stop } = await startAnvil(chain_id, atEnd)
  const clients = openClients(url)
  const { client } = clients
  await answering(() => client.getChainId())
  const parts = { chain_id, ...clients }
  return { url, stop, ...parts, ...transactionsOn(parts), ...blocksOf(client) }
}

function openClients(url: string) {
  const transport = http(url, { retryCount: 0 })
  const client = createTestClient({ mode: 'anvil', transport }).extend(publicActions)
  const wallet = createWalletClient({ account: payer, transport })
  return { client, wallet }
}
type Clients = ReturnType<typeof openClients>

function transactionsOn({ chain_id, client, wallet }: Clients & { chain_id: number }) {
  /**
   * The receipt of a transaction that succeeded; anvil mines it at once. viem's own wait looks only
   * when the block number changes, and a receipt may come a moment after its block.
   */
  async function mined(hash: Address) {
    const receipt = await answering(() => client.getTransactionReceipt({ hash }))
    if (receipt.status !== 'success') throw new Error(`${hash} failed`)
    return receipt
  }

  async function deploy(bytecode: Address, args?: readonly [string, string]): Promise<Address> {
    const hash = args
      ? await wallet.deployContract({ abi: tokenConstructor, bytecode, args, chain: null })
      : await wallet.deployContract({ abi: [], bytecode, chain: null })
    const { contractAddress } = await mined(hash)
    if (!contractAddress) throw new Error('no contract')
    return contractAddress
  }

  const call = async ({ to, name }: Call, receiver: Address, value: bigint) =>
    mined(
      await wallet.writeContract({
        address: to,
        abi: calls,
        functionName: name,
        args: [receiver, value],
        chain: null,
      }),
    )
  /** As the owner of the address would, who has its private key. */
  async function sendFrom(from: Address, value: bigint): Promise<void> {
    await client.impersonateAccount({ address: from })
    await mined(await client.sendUnsignedTransaction({ from, to: payer.address, value }))
  }
  const send = async (to: Address, value: bigint) =>
    mined(await wallet.sendTransaction({ to, value, chain: null }))
  return {
    mined,
    call,
    send,
    sendFrom,
    settle: async (made: Authorization) =>
      mined(await wallet.sendTransaction({ ...(await authorized(chain_id, made)), chain: null })),
    sign: (made: Call, receiver: Address, by: Signing) =>
      signed({
        ...by,
        chain_id,
        nonce: client.getTransactionCount({ address: by.account.address }),
        ...made,
        receiver,
      }),
    mineSigned: (...transactions: Address[]) => mineSigned({ client, wallet }, transactions),
    deployToken: (symbol = 'USDC') => deploy(contracts.TestToken.bytecode, ['USD Coin', symbol]),
    deployPayout: () => deploy(contracts.Payout.bytecode),
  }
}

/** Into one block, the highest tip first. */
async function mineSigned(
  { client, wallet }: Clients,
  transactions: readonly Address[],
): Promise<void> {
  await client.setAutomine(false)
  for (const serializedTransaction of transactions)
    await wallet.sendRawTransaction({ serializedTransaction })
  await client.mine({ blocks: 1 })
  await client.setAutomine(true)
}

function blocksOf(client: Clients['client']) {
  return {
    mine: (blocks: number) => client.mine({ blocks }),
    /** Replaces so many of the newest blocks by empty ones; their transactions are gone. */
    reorganise: (depth: number) =>
      client.request<{ Method: 'anvil_reorg'; Parameters: [number, []]; ReturnType: null }>({
        method: 'anvil_reorg',
        params: [depth, []],
      }),
  }
}

async function answering<T>(ask: () => Promise<T>): Promise<T> {
  const end = performance.now() + 30_000
  for (;;) {
    try {
      return await ask()
    } catch (error) {
      if (performance.now() > end) throw error
      await new Promise((done) => setTimeout(done, 20))
    }
  }
}
