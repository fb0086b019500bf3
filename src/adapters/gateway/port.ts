// The port of payment gateways: the accepted assets, the payment destination, and the observed
// payments. An adapter moves no money of the ledger: what it observes is compared and credited by
// the top-ups module, once for each payment id.
import type { Currency } from '../../kit/money.ts'
import type { PeerState } from '../../kit/telemetry.ts'

/** An asset on a network. */
export type Asset = {
  /** `USDC`, `ETH`, `BTC`. */
  asset: string
  /** `base`, `ethereum`, `bitcoin`. */
  network: string
  /** Of its base units. */
  decimals: number
  /** The currency that one of it is worth, of a stablecoin. */
  pegged_to: Currency | null
  /** Confirmations before it is credited. */
  required_confirmations: number
}

export type AssetKey = { asset: string; network: string }

/** So many base units for so many cents; frozen when a checkout starts. */
export type Quote = { units: bigint; cents: bigint; quoted_at: Date }

export type PaymentRequest = AssetKey & {
  checkout_id: string
  currency: Currency
  amount_cents: bigint
  expires_at: Date
}

/** Where a checkout is paid. */
export type Destination = AssetKey & {
  /** The gateway's own id of it: an address, or an invoice. Never used for a second checkout. */
  reference: string
  pay_address: string
  /** Base units. */
  pay_amount: bigint
  /** EIP-681 or BIP-21. */
  payment_uri: string
  quote: Quote
  /** Of an address that is derived: below the operator's extended public key. */
  path: string | null
  /** The gateway's own payment page, where it has one. */
  page_url?: string
}

/**
 * `seen`: it may still disappear. `confirmed`: as deep as the asset requires. `orphaned`: it was
 * there, and is not any more (a reorganisation, a double spend). After a reorganisation one that
 * was confirmed may be seen again, less deep: it is not gone, and no reason for a reversal; one
 * that was orphaned may come back, with the same id.
 */
export type PaymentState = 'seen' | 'confirmed' | 'orphaned'

export type ObservedPayment = AssetKey & {
  /**
   * Permanently unique among all rails, and the same for each observer, such as
   * `eip155:8453/<transaction>/<contract>/<address>/0` or `btcpay/<store>/<payment id>`.
   */
  id: string
  reference: string
  /** Of a payout by a contract in the native coin, which has none of its own: the block's hash. */
  transaction_id: string
  /** Base units. */
  amount: bigint
  state: PaymentState
  confirmations: number
  /** The gateway's own valuation, where it makes one. Null: the checkout's quote counts. */
  value: { currency: Currency; cents: bigint } | null
  /** When it came, by the gateway or the chain. */
  at: Date
  /** The block that has it; of an orphaned one, that had it. Null: the gateway shows none. */
  block: BlockReference | null
  /** Of an orphaned one: the evidence that it is gone. */
  why_gone?: string
}

type BlockReference = { number: bigint; hash: string }

export type Observation = {
  /**
   * A known payment that is not among them is unchanged, as far as can be known: also one that
   * could not be found, while its block is what it was.
   */
  payments: ObservedPayment[]
  /** Networks of which nothing is known this time. */
  unavailable?: readonly string[]
  /** Assets of these payments that must not be credited automatically now. */
  withheld?: readonly Withheld[]
  /** Opaque: stored with the payments, and given to the next call. */
  cursor: string | null
}

/**
 * `off_peg`: more than 1 % off, for an operator to decide. `no_rate`: the peg cannot be checked
 * now, so the payment waits for a later observation.
 */
export type Withheld = AssetKey & { reason: 'off_peg' | 'no_rate' }

export type ObserveInput = {
  destinations: readonly (Pick<Destination, 'reference' | 'asset' | 'network' | 'pay_address'> & {
    /**
     * Nothing was ever paid: also look for what an observation leaves out for its cost, such as
     * the native coin at the address of a checkout in a token.
     */
    thorough?: boolean
    /** Transactions that somebody says have paid it: each is looked at, wherever it is. */
    reported?: readonly string[]
  })[]
  /**
   * Payments that a reorganisation may still undo, or bring back: each is observed again.
   * `is_credited`: that it is gone needs evidence.
   */
  known: readonly (Omit<ObservedPayment, 'state' | 'confirmations' | 'value' | 'why_gone'> & {
    is_credited: boolean
  })[]
  cursor: string | null
}

/** An asset at a destination, and when the destination was first shown. */
export type Holding = AssetKey & { reference: string; since: Date }

/** Holdings on the chain, apart from the payments that were observed. */
export type Holdings = {
  /** Assets whose balance is all that came, less all that left: tokens. */
  compared: readonly AssetKey[]
  /**
   * Base units at each destination, as the endpoint shows that shows the most; null: the balance
   * proves nothing. Rejects with GatewayUnavailable.
   */
  balances: (key: AssetKey, references: readonly string[]) => Promise<(bigint | null)[]>
  /** Base units that left a destination. Rejects with GatewayUnavailable. */
  left: (holding: Holding) => Promise<bigint>
  /** Transactions that brought some, as any endpoint shows. Rejects with GatewayUnavailable. */
  incoming: (holding: Holding) => Promise<string[]>
}

export type Gateway = {
  name: string
  /**
   * True: it reads on from its cursor, so that each observation whose cursor is kept needs all
   * destinations. Else each destination is read on its own.
   */
  reads_on: boolean
  assets: () => Promise<readonly Asset[]>
  /**
   * Rejects with GatewayUnavailable; a second call with the same checkout_id opens no other one.
   */
  open: (request: PaymentRequest) => Promise<Destination>
  /** Rejects with GatewayUnavailable, and then nothing is known, not even that nothing came. */
  observe: (input: ObserveInput) => Promise<Observation>
  /** Absent: the gateway's own records are all that there is. */
  holdings?: Holdings
  /** A quote of now, for a payment that came after its own one ended. */
  quote: (key: AssetKey, currency: Currency) => Promise<Quote>
  /** As the calls of this process found it last. */
  health: () => PeerState
  /** Null: not signed with the webhook's secret, or that is not set. Absent: it sends none. */
  verifyWebhook?: (rawBody: Uint8Array, signature: string) => WebhookHint | null
}

/** An event that was signed: a hint to observe, and no evidence of a payment. */
export type WebhookHint = { reference: string }

/** The settings of a gateway cannot be used, or do not fit what it shows: the start is refused. */
export class GatewaySettingError extends Error {
  override name = 'GatewaySettingError'
}

/** The gateway, the chain or a rate cannot be read, or its response contradicts itself or us. */
export class GatewayUnavailable extends Error {
  override name = 'GatewayUnavailable'
}
