// The networks file: the accepted EVM chains and assets, and the RPC endpoints through which they
// are read. It is read strictly at the start, and all problems are reported at once.
import { readFileSync } from 'node:fs'
import Type, { type Static } from 'typebox'
import { currencies } from '../../../kit/money.ts'
import { compile, oneOf } from '../../../kit/schema.ts'
import { GatewaySettingError } from '../port.ts'
import { parseUnits } from './quotes.ts'

/** The address in lower case, since all are compared in that form. */
export type Address = `0x${string}`

/** A coin of a network: a token by its contract, or the native coin (null). */
export type EvmAsset = {
  symbol: string
  contract: Address | null
  decimals: number
  pegged_to: (typeof currencies)[number] | null
  /** A payment of more base units than this counts only when both RPC endpoints show it. */
  both_rpcs_above: bigint
  /** The name and version of the token's EIP-712 domain, if x402 may pay in it (EIP-3009). */
  eip3009: { name: string; version: string } | null
}

export type EvmNetwork = {
  name: string
  chain_id: number
  /** One or two URLs. They contain keys of their operators, so they are never logged. */
  rpc_urls: readonly string[]
  confirmations: number
  /** Blocks below the head that each observation reads again. */
  rescan_blocks: number
  max_blocks: number
  addresses_per_call: number
  assets: readonly EvmAsset[]
}

const strict = { additionalProperties: false }
const address = Type.String({ pattern: '^0x[0-9a-fA-F]{40}$' })
const units = Type.String({ pattern: '^[0-9]{1,18}(\\.[0-9]{1,18})?$' })
const symbol = Type.String({ pattern: '^[A-Za-z0-9.]{1,12}$' })
const domainText = Type.String({ minLength: 1, maxLength: 60, pattern: '^[\\x20-\\x7e]+$' })
const blocks = Type.Integer({ minimum: 1, maximum: 100_000 })

const tokenSchema = Type.Object(
  {
    symbol,
    contract: address,
    decimals: Type.Integer({ minimum: 0, maximum: 18 }),
    pegged_to: Type.Optional(oneOf(currencies)),
    both_rpcs_above: Type.Optional(units),
    eip3009: Type.Optional(Type.Object({ name: domainText, version: domainText }, strict)),
  },
  strict,
)
const networkSchema = Type.Object(
  {
    name: Type.String({ pattern: '^[a-z][a-z0-9-]{0,30}$' }),
    chain_id: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
    rpc_urls: Type.Array(Type.String({ pattern: '^https?://' }), { minItems: 1, maxItems: 2 }),
    confirmations: blocks,
    rescan_blocks: Type.Optional(blocks),
    max_blocks: Type.Optional(blocks),
    addresses_per_call: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000 })),
    native: Type.Optional(Type.Object({ symbol, both_rpcs_above: Type.Optional(units) }, strict)),
    assets: Type.Array(tokenSchema, { maxItems: 50 }),
  },
  strict,
)
type WrittenNetwork = Static<typeof networkSchema>
const file = compile(
  Type.Object({ networks: Type.Array(networkSchema, { minItems: 1, maxItems: 20 }) }, strict),
)

/** One line for each problem. */
function fileError(path: string, problems: readonly string[]): GatewaySettingError {
  const lines = problems.map((problem) => `  ${problem}`)
  return new GatewaySettingError([`${path} cannot be used:`, ...lines].join('\n'))
}

/** Throws GatewaySettingError. */
export function loadNetworks(path: string): EvmNetwork[] {
  let written: unknown
  try {
    written = JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    throw fileError(path, [error instanceof Error ? error.message : String(error)])
  }
  return parseNetworks(written, path)
}

/** Like loadNetworks, for the content of the file. */
export function parseNetworks(written: unknown, path: string): EvmNetwork[] {
  let networks: WrittenNetwork[]
  try {
    networks = file.parse(written).networks
  } catch (error) {
    throw fileError(path, [error instanceof Error ? error.message : String(error)])
  }
  const read = networks.map(networkOf)
  const problems = [...repeated(read), ...read.flatMap(problemsOf)]
  if (problems.length > 0) throw fileError(path, problems)
  return read
}

function networkOf(written: WrittenNetwork): EvmNetwork {
  const { confirmations, native, assets, ...rest } = written
  const tokens = assets.map((asset) => ({
    symbol: asset.symbol,
    contract: lowerAddress(asset.contract),
    decimals: asset.decimals,
    pegged_to: asset.pegged_to ?? null,
    both_rpcs_above: parseUnits(asset.both_rpcs_above ?? '1000', asset.decimals),
    eip3009: asset.eip3009 ?? null,
  }))
  return {
    ...rest,
    confirmations,
    rescan_blocks: rest.rescan_blocks ?? confirmations + 20,
    max_blocks: rest.max_blocks ?? 2000,
    addresses_per_call: rest.addresses_per_call ?? 100,
    assets: native ? [...tokens, nativeAsset(native)] : tokens,
  }
}

/** Throws if the text is not an address; its checksum is ignored. */
export function lowerAddress(text: string): Address {
  if (!/^0x[0-9a-fA-F]{40}$/.test(text)) throw new TypeError(`"${text}" is not an address`)
  return `0x${text.slice(2).toLowerCase()}`
}

function nativeAsset(native: NonNullable<WrittenNetwork['native']>): EvmAsset {
  return {
    symbol: native.symbol,
    contract: null,
    decimals: 18,
    pegged_to: null,
    both_rpcs_above: parseUnits(native.both_rpcs_above ?? '1', 18),
    eip3009: null,
  }
}

function repeated(networks: readonly EvmNetwork[]): string[] {
  const keys = networks.flatMap(({ name, chain_id }) => [`name ${name}`, `chain_id ${chain_id}`])
  return [...new Set(keys.filter((key, at) => keys.indexOf(key) !== at))].map(
    (key) => `two networks have the ${key}`,
  )
}

function problemsOf({ name, assets, ...network }: EvmNetwork): string[] {
  const problems: string[] = []
  const symbols = assets.map((asset) => asset.symbol)
  const contracts = assets.map((asset) => asset.contract)
  if (assets.length === 0) problems.push(`${name}: has neither assets nor a native coin`)
  if (new Set(symbols).size < symbols.length) problems.push(`${name}: two assets have one symbol`)
  if (new Set(contracts).size < contracts.length)
    problems.push(`${name}: two assets have one contract`)
  if (!network.rpc_urls.every(isSafe)) problems.push(`${name}: rpc_urls must be https URLs`)
  if (network.rescan_blocks < network.confirmations)
    problems.push(`${name}: rescan_blocks must be at least its confirmations`)
  if (network.max_blocks <= network.rescan_blocks)
    problems.push(`${name}: max_blocks must be more than its rescan_blocks`)
  return problems
}

/**
 * Payments are believed by the endpoint's answers, so plain HTTP is only allowed on this machine.
 */
function isSafe(text: string): boolean {
  const url = URL.parse(text)
  const isHere = url && ['127.0.0.1', 'localhost', '[::1]'].includes(url.hostname)
  return url !== null && (url.protocol === 'https:' || isHere === true)
}
