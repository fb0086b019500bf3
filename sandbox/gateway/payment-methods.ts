// The payment methods of the simulated BTCPay Server, with invented addresses and rates.
import { createHash } from 'node:crypto'
import { divideCeiling, formatUnits, parseUnits } from './decimals.ts'

export type Method = {
  id: string
  currency: string
  decimals: number
  /** The price of one coin, in each currency of an invoice. */
  rates: Readonly<Record<string, string>>
  address: (seed: string) => string
  /** A URI by BIP-21 or EIP-681. */
  link: (address: string, units: bigint) => string
}

const hexOf = (seed: string) => createHash('sha256').update(seed).digest('hex')
const evmAddress = (seed: string) => `0x${hexOf(seed).slice(0, 40)}`
/** USDC's contract on Base. */
const USDC_CONTRACT = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'

export const METHODS: readonly Method[] = [
  {
    id: 'USDC-BASE',
    currency: 'USDC',
    decimals: 6,
    rates: { USD: '1', EUR: '0.92' },
    address: evmAddress,
    link: (address, units) =>
      `ethereum:${USDC_CONTRACT}@8453/transfer?address=${address}&uint256=${units}`,
  },
  {
    id: 'BTC-CHAIN',
    currency: 'BTC',
    decimals: 8,
    rates: { USD: '65123.45', EUR: '60011.2' },
    address: (seed) => `bcrt1q${hexOf(seed).slice(0, 38).replaceAll(/[b1]/g, 'q')}`,
    link: (address, units) => `bitcoin:${address}?amount=${formatUnits(units, 8)}`,
  },
  {
    id: 'ETH-BASE',
    currency: 'ETH',
    decimals: 18,
    rates: { USD: '2512.37', EUR: '2311.04' },
    address: evmAddress,
    link: (address, units) => `ethereum:${address}@8453?value=${units}`,
  },
]

export function methodOf(id: string): Method | undefined {
  return METHODS.find((one) => one.id === id)
}

const RATE_DECIMALS = 8

function rateOf({ rates }: Method, currency: string): bigint {
  return parseUnits(rates[currency] ?? '', RATE_DECIMALS) ?? 0n
}

/** The base units that cover an amount, rounded up because a payer may not pay less. */
export function unitsFor(method: Method, currency: string, cents: bigint): bigint {
  const scale = 10n ** BigInt(method.decimals + RATE_DECIMALS)
  return divideCeiling(cents * scale, 100n * rateOf(method, currency))
}
