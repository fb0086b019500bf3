// The port of payment gateways: the accepted assets, the payment destination, and the observed
// payments. An adapter moves no money of the ledger. The top-ups module compares what it observes,
// and credits it once for each payment id.

import type { Currency } from '../../kit/money.ts'
import type { CheckoutId } from '../../kit/random.ts'
import type { PeerState } from '../../kit/telemetry.ts'

/** An asset on a network. */
export type Asset = {
  /** Such as `USDC`, `ETH` or `BTC`. */
  asset: string
  /** Such as `base`, `ethereum` or `bitcoin`. */
  network: string
  /** The decimals of its base units. */
  decimals: number
  /** The currency of which a stablecoin is worth one unit, or null for other assets. */
  pegged_to: Currency | null
  /** The confirmations that are needed before it is credited. */
  required_confirmations: number
}

export type AssetKey = { asset: string; network: string }

/** This many base units for this many cents. It is fixed when a checkout starts. */
export type Quote = { units: bigint; cents: bigint; quoted_at: Date }

export type PaymentRequest = AssetKey & {
  checkout_id: CheckoutId
  currency: Currency
  amount_cents: bigint
  expires_at: Date
}

/** The place where a checkout is paid. */
export type Destination = AssetKey & {
  /**
   * The gateway's own id for it: an address, or an invoice. It is never used for a second checkout.
   */
  reference: string
  pay_address: string
  /** The amount in base units. */
  pay_amount: bigint
  /** A URI by EIP-681 or BIP-21. */
  payment_uri: string
  quote: Quote
  /** The path of a derived address below the operator's extended public key, or null. */
  path: string | null
  /** The gateway's own payment page, if it has one. */
  page_url?: string
}

/**
 * `seen`: it may still disappear. `confirmed`: it is as deep as the asset requires. `orphaned`: it
 * existed and no longer does (a reorganization, a double spend). After a reorganization, a
 * confirmed payment may be seen again less deep: it is not gone, and this is no reason for a
 * reversal. An orphaned payment may come back with the same id.
 */
export type PaymentState = 'seen' | 'confirmed' | 'orphaned'

export type ObservedPayment = AssetKey & {
  /**
   * It is permanently unique among all payment methods and the same for each observer, such as
   * `eip155:8453/<transaction>/<contract>/<address>/0` or `btcpay/<store>/<payment id>`.
   */
  id: string
  reference: string
  /**
   * For a contract's payout in the native coin, which has no transaction of its own, this is the
   * block's hash.
   */
  transaction_id: string
  /** The amount in base units. */
  amount: bigint
  state: PaymentState
  confirmations: number
  /** The gateway's own valuation if it makes one, or null if the checkout's quote counts. */
  value: { currency: Currency; cents: bigint } | null
  /** When it arrived, according to the gateway or the chain. */
  at: Date
  /**
   * The block that contains it, or that contained an orphaned one. It is null if the gateway shows
   * none.
   */
  block: BlockReference | null
  /** The evidence that an orphaned payment is gone. */
  why_gone?: string
}

type BlockReference = { number: bigint; hash: string }

export type Observation = {
  /**
   * A known payment that is missing here is unchanged as far as can be known. This includes one
   * that could not be found while its block is still the same.
   */
  payments: ObservedPayment[]
  /** The networks about which nothing is known this time. */
  unavailable?: readonly string[]
  /** The assets of these payments that must not be credited automatically now. */
  withheld?: readonly Withheld[]
  /** An opaque text that is stored with the payments and given to the next call. */
  cursor: string | null
}

/**
 * `off_peg`: it is more than 1 % off, so an operator decides. `no_rate`: the peg cannot be checked
 * now, so the payment waits for a later observation.
 */
export type Withheld = AssetKey & { reason: 'off_peg' | 'no_rate' }

export type ObserveInput = {
  destinations: readonly (Pick<Destination, 'reference' | 'asset' | 'network' | 'pay_address'> & {
    /**
     * Nothing was ever paid, so the observation also looks for payments that it otherwise leaves
     * out for their cost, such as the native coin at the address of a checkout in a token.
     */
    thorough?: boolean
    /** Transactions that were reported to have paid it. Each is looked at, wherever it is. */
    reported?: readonly string[]
  })[]
  /**
   * Payments that a reorganization may still undo or bring back, so each is observed again. If
   * `is_credited`, evidence is needed that it is gone.
   */
  known: readonly (Omit<ObservedPayment, 'state' | 'confirmations' | 'value' | 'why_gone'> & {
    is_credited: boolean
  })[]
  cursor: string | null
}

/** An asset at a destination, and when the destination was first shown. */
export type Holding = AssetKey & { reference: string; since: Date }

/** Holdings on the chain, independent of the payments that were observed. */
export type Holdings = {
  /** The assets whose balance is everything that arrived less everything that left: tokens. */
  compared: readonly AssetKey[]
  /**
   * The base units at each destination, from the endpoint that shows the most, or null if the
   * balance proves nothing. Rejects with GatewayUnavailable.
   */
  balances: (key: AssetKey, references: readonly string[]) => Promise<(bigint | null)[]>
  /** The base units that left a destination. Rejects with GatewayUnavailable. */
  left: (holding: Holding) => Promise<bigint>
  /** The transactions that brought some, from any endpoint. Rejects with GatewayUnavailable. */
  incoming: (holding: Holding) => Promise<string[]>
}

export type Gateway = {
  name: string
  /**
   * If true, it continues from its cursor, so that each observation whose cursor is kept needs all
   * destinations. Otherwise each destination is read on its own.
   */
  reads_on: boolean
  assets: () => Promise<readonly Asset[]>
  /**
   * Rejects with GatewayUnavailable. A second call with the same checkout_id opens no other
   * destination.
   */
  open: (request: PaymentRequest) => Promise<Destination>
  /**
   * Rejects with GatewayUnavailable, after which nothing is known, not even that nothing arrived.
   */
  observe: (input: ObserveInput) => Promise<Observation>
  /** If absent, only the gateway's own records exist. */
  holdings?: Holdings
  /** A current quote, for a payment that arrived after its own quote ended. */
  quote: (key: AssetKey, currency: Currency) => Promise<Quote>
  /** The state that the calls of this process last found. */
  health: () => PeerState
  /**
   * The event, or null if it is not signed with the webhook's secret or no secret is set. If
   * absent, the gateway sends none.
   */
  verifyWebhook?: (rawBody: Uint8Array, signature: string) => WebhookHint | null
}

/** A signed event, which is a hint to observe and not evidence of a payment. */
export type WebhookHint = { reference: string }

/**
 * The settings of a gateway cannot be used, or do not match what it shows, so the start is refused.
 */
export class GatewaySettingError extends Error {
  override name = 'GatewaySettingError'
}

/** The gateway, the chain or a rate cannot be read, or its response contradicts itself or us. */
export class GatewayUnavailable extends Error {
  override name = 'GatewayUnavailable'
}
