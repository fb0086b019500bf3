// EIP-3009 on one endpoint: checks of an authorization by the token's contract, and the call that
// uses it.
import {
  BaseError,
  ContractFunctionRevertedError,
  domainSeparator,
  ExecutionRevertedError,
  encodeFunctionData,
  parseAbi,
  parseAbiItem,
  parseErc6492Signature,
  parseSignature,
  recoverTypedDataAddress,
} from 'viem'
import type { openRpcClient } from '../gateway/evm/rpc-client.ts'
import type { Authorization, Hex, Invalid, Terms, X402Asset } from './port.ts'

export type RpcClient = ReturnType<typeof openRpcClient>

const abi = parseAbi([
  'function DOMAIN_SEPARATOR() view returns (bytes32)',
  'function authorizationState(address authorizer, bytes32 nonce) view returns (bool)',
  'function balanceOf(address owner) view returns (uint256)',
])
type Facts = 'address,address,uint256,uint256,uint256,bytes32'
const facts: Facts = 'address,address,uint256,uint256,uint256,bytes32'
/** The function for signatures of a key (v, r, s). */
const abiOfKeys = parseAbi([`function transferWithAuthorization(${facts},uint8,bytes32,bytes32)`])
/** The function of contracts that take signatures of smart-contract wallets (EIP-1271). */
const bytesAbi = parseAbi([
  'function transferWithAuthorization(address,address,uint256,uint256,uint256,bytes32,bytes)',
])
const usedEvent = parseAbiItem(
  'event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce)',
)
const uint = 'uint256'
const types = {
  TransferWithAuthorization: [
    { name: 'from', type: 'address' },
    { name: 'to', type: 'address' },
    { name: 'value', type: uint },
    { name: 'validAfter', type: uint },
    { name: 'validBefore', type: uint },
    { name: 'nonce', type: 'bytes32' },
  ],
} as const

function domainOf({ chain_id, token, domain }: Pick<X402Asset, 'chain_id' | 'token' | 'domain'>) {
  return { ...domain, chainId: chain_id, verifyingContract: token }
}

/** If a contract lacks the function, it is not known to have another. */
export async function hasOtherDomain(client: RpcClient, asset: X402Asset): Promise<boolean> {
  const { token: address } = asset
  try {
    const own = await client.readContract({ address, abi, functionName: 'DOMAIN_SEPARATOR' })
    return own !== domainSeparator({ domain: domainOf(asset) })
  } catch (error) {
    if (isRevert(error)) return false
    throw error
  }
}

/** The call, which anybody may submit. */
export function transferCall({ token, pay_to }: Terms, authorization: Authorization) {
  const { payer, value, valid_after, valid_before, nonce } = authorization
  const signature = innerSignature(authorization)
  const args = [payer, pay_to, value, BigInt(valid_after), BigInt(valid_before), nonce] as const
  const functionName = 'transferWithAuthorization'
  if (!isPlain(signature)) {
    const data = encodeFunctionData({ abi: bytesAbi, functionName, args: [...args, signature] })
    return { to: token, data }
  }
  const { r, s, yParity } = parseSignature(signature)
  const data = encodeFunctionData({
    abi: abiOfKeys,
    functionName,
    args: [...args, yParity + 27, r, s],
  })
  return { to: token, data }
}

/** The signature for the contract of a wallet that may not exist yet (EIP-6492). */
function innerSignature({ signature }: Authorization): Hex {
  return parseErc6492Signature(signature).signature
}

/** Whether it is a signature of a key (r, s, v) instead of a contract. */
function isPlain(signature: Hex): boolean {
  return signature.length === 2 + 2 * 65
}

/** Why it cannot be used, or null if it can be used now. `from` is the simulated sender. */
export async function verifyOnChain(
  client: RpcClient,
  { terms, authorization, from }: { terms: Terms; authorization: Authorization; from: Hex | null },
): Promise<Invalid | null> {
  const { payer: address, nonce } = authorization
  const token = { address: terms.token, abi } as const
  if (!(await isSigned(client, terms, authorization))) return 'invalid_exact_evm_signature'
  const [isUsed, balance] = await Promise.all([
    isNonceUsed(client, terms, { payer: address, nonce }),
    client.readContract({ ...token, functionName: 'balanceOf', args: [address] }),
  ])
  if (isUsed) return 'invalid_exact_evm_nonce_already_used'
  if (balance < terms.units) return 'invalid_exact_evm_insufficient_balance'
  try {
    await client.call({ ...transferCall(terms, authorization), ...(from && { account: from }) })
    return null
  } catch (error) {
    if (isRevert(error)) return 'invalid_exact_evm_transaction_simulation_failed'
    throw error
  }
}

async function isSigned(client: RpcClient, terms: Terms, authorization: Authorization) {
  const { payer, value, valid_after, valid_before, nonce } = authorization
  const signature = innerSignature(authorization)
  const message = {
    from: payer,
    to: terms.pay_to,
    value,
    validAfter: BigInt(valid_after),
    validBefore: BigInt(valid_before),
    nonce,
  }
  const typed = { domain: domainOf(terms), types, message } as const
  const primaryType = 'TransferWithAuthorization'
  if (isPlain(signature)) {
    const signer = await recovered(() =>
      recoverTypedDataAddress({ ...typed, primaryType, signature }),
    )
    if (signer?.toLowerCase() === payer) return true
  }
  // A contract decides itself (EIP-1271), and one that is not deployed cannot be paid from.
  const code = await client.getCode({ address: payer })
  if (code === undefined || code === '0x') return false
  return client.verifyTypedData({ ...typed, primaryType, address: payer, signature })
}

/** It is undefined if r, s and v are no point on the curve. */
async function recovered(recover: () => Promise<Hex>): Promise<Hex | undefined> {
  try {
    return await recover()
  } catch {
    return undefined
  }
}

type Nonce = Pick<Authorization, 'payer' | 'nonce'>

/** The nonce is used or cancelled. */
export async function isNonceUsed(
  client: RpcClient,
  { token }: Pick<Terms, 'token'>,
  { payer, nonce }: Nonce,
): Promise<boolean> {
  const functionName = 'authorizationState'
  return client.readContract({ address: token, abi, functionName, args: [payer, nonce] })
}

type Range = { from_block: bigint; to_block: bigint }

/**
 * The transaction that used it, ours or another one, or undefined if it is in none of these blocks.
 */
export async function transactionThatUsed(
  client: RpcClient,
  { token }: Terms,
  { payer, nonce, ...range }: Nonce & Range,
): Promise<Hex | undefined> {
  const [log] = await client.getLogs({
    address: token,
    event: usedEvent,
    args: { authorizer: payer, nonce },
    fromBlock: range.from_block,
    toBlock: range.to_block,
  })
  return log?.transactionHash ?? undefined
}

/** The contract refused, and not the endpoint. */
function isRevert(error: unknown): boolean {
  const isOne = (cause: unknown) =>
    cause instanceof ExecutionRevertedError || cause instanceof ContractFunctionRevertedError
  return error instanceof BaseError && error.walk(isOne) !== null
}
