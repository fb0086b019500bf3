// Settings of top-ups by x402.
import { origin, type Reader, SettingError, whole } from './readers.ts'
import { setting } from './setting.ts'

/** These settings are spread into the table of all settings. */
export function x402Settings() {
  return {
    x402_gas_key: setting('X402_GAS_KEY', privateKey, {
      preset: '',
      meaning:
        'The private key (0x...) of a wallet that pays the gas of top-ups by x402 on EVM chains, ' +
        'with GATEWAY=evm. Keep gas in it and nothing else: it is not an address of EVM_XPUB, ' +
        'and receives no payment.',
    }),
    x402_facilitator_url: setting('X402_FACILITATOR_URL', origin, {
      preset: '',
      meaning:
        'Root of a facilitator that settles top-ups by x402 instead, without authentication.',
    }),
    x402_most_gas_price_gwei: setting('X402_MOST_GAS_PRICE_GWEI', whole(1, 10_000), {
      preset: '5',
      meaning: 'The most that X402_GAS_KEY pays for a unit of gas; settlements wait above it.',
    }),
    x402_least_amount_cents: setting('X402_LEAST_AMOUNT_CENTS', whole(1, 1_000_000), {
      preset: '500',
      meaning: 'The smallest top-up by x402, in minor units: each costs gas.',
    }),
    x402_most_unsettled: setting('X402_MOST_UNSETTLED', whole(1, 1_000), {
      preset: '3',
      meaning: 'Payments by x402 that a customer may have in progress, and that may fail in a day.',
    }),
  }
}

/** The value is never in the message. */
const privateKey: Reader<`0x${string}` | null> = (value, name) => {
  if (value === '') return null
  if (/^0x[0-9a-fA-F]{64}$/.test(value) && BigInt(value) > 0n) return `0x${value.slice(2)}`
  throw new SettingError(name, 'must be a private key of 32 bytes in hexadecimal (0x...)')
}

type Related = {
  gateway: 'btcpay' | 'evm' | null
  x402_gas_key: string | null
  x402_facilitator_url: string | null
}

/** Throws SettingError for settings of x402 that contradict each other. It repeats no secret. */
export function requireX402({ gateway, ...all }: Related): void {
  const { x402_gas_key: key, x402_facilitator_url: url } = all
  const name = key === null ? 'X402_FACILITATOR_URL' : 'X402_GAS_KEY'
  if (key === null && url === null) return
  if (gateway !== 'evm') throw new SettingError(name, 'is set, and GATEWAY is not evm')
  if (key !== null && url !== null)
    throw new SettingError(name, 'and X402_FACILITATOR_URL are both set; one of them settles')
}
