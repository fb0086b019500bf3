// A real EVM chain for tests: anvil (test/outside), with a stablecoin and a contract that pays out.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { after } from 'node:test'
import {
  type Account,
  createTestClient,
  createWalletClient,
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
/** For `describe`: on CI nothing is skipped, so that a missing program fails there. */
export const skipAnvil =
  existsSync(program) || process.env.CI === 'true'
    ? false
    : 'anvil is not installed: npm ci --prefix test/outside'

const contracts: Record<'TestToken' | 'Payout', Bytecode> = createRequire(import.meta.url)(
  './TestToken.json',
)
const tokenConstructor = parseAbi(['constructor(string name, string symbol)'])
/** Of both contracts. */
const calls = parseAbi([
  'function mint(address to, uint256 value)',
  'function transfer(address to, uint256 value) returns (bool)',
  'function transferTwice(address to, uint256 value)',
  'function balanceOf(address owner) view returns (uint256)',
  'function pay(address to, uint256 value)',
])
type Call = { to: Address; name: 'mint' | 'transfer' | 'transferTwice' | 'pay' }

/** Of anvil's own accounts, which have 10,000 coins each. */
export const payer: Account = mnemonicToAccount(
  'test test test test test test test test test test test junk',
)

export type Chain = Awaited<ReturnType<typeof startChain>>

/** It mines a block for each transaction, and others when it is asked to. */
export async function startChain({ chain_id = 8453 }: { chain_id?: number } = {}) {
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
  after(stop)
  const url = `http://127.0.0.1:${port}`
  const transport = http(url, { retryCount: 0 })
  const client = createTestClient({ mode: 'anvil', transport }).extend(publicActions)
  const wallet = createWalletClient({ account: payer, transport })
  await answering(() => client.getChainId())

  /** The receipt's transaction succeeded; anvil mines at once. */
  async function mined(hash: Address) {
    const receipt = await client.waitForTransactionReceipt({ hash, pollingInterval: 20 })
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
  const send = async (to: Address, value: bigint) =>
    mined(await wallet.sendTransaction({ to, value, chain: null }))
  return {
    url,
    chain_id,
    client,
    stop,
    call,
    send,
    deployToken: (symbol = 'USDC') => deploy(contracts.TestToken.bytecode, ['USD Coin', symbol]),
    deployPayout: () => deploy(contracts.Payout.bytecode),
    mine: (blocks: number) => client.mine({ blocks }),
    /** Replaces so many of the newest blocks by empty ones; their transactions are gone. */
    reorganise: (depth: number) =>
      client.request<{ Method: 'anvil_reorg'; Parameters: [number, []]; ReturnType: null }>({
        method: 'anvil_reorg',
        params: [depth, []],
      }),
  }
}

async function answering(ask: () => Promise<unknown>): Promise<void> {
  for (let tries = 0; ; tries += 1) {
    try {
      await ask()
      return
    } catch (error) {
      if (tries > 200) throw error
      await new Promise((done) => setTimeout(done, 50))
    }
  }
}
