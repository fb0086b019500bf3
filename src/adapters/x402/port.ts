// The port of x402 (version 2, scheme "exact" on EVM chains): payments that a payer authorizes by a
// signature (EIP-3009) and another party submits. An adapter verifies, submits and reads back; it
// credits nothing, as a transfer counts when the payment gateway observes it.
import type { AssetKey } from '../gateway/port.ts'

export type Hex = `0x${string}`

/** Name and version of the token's EIP-712 domain. */
type TokenDomain = { name: string; version: string }

/** A token that may be paid in. Addresses are in lower case. */
export type X402Asset = AssetKey & { chain_id: number; token: Hex; domain: TokenDomain }

/** The payment requirements of one checkout, without those that are the same for all. */
export type Terms = Omit<X402Asset, keyof AssetKey> & {
  pay_to: Hex
  /** Base units, exactly. */
  units: bigint
}

/** Signed by a payer. Anybody that has it can submit it until it is used. */
export type Authorization = {
  payer: Hex
  nonce: Hex
  value: bigint
  /** Seconds since 1970. */
  valid_after: number
  valid_before: number
  signature: Hex
}

/** Codes of the x402 specification where it has one. */
export type Invalid =
  | 'invalid_payload'
  | 'unsupported_scheme'
  | 'no_matching_requirements'
  | 'invalid_exact_evm_network_mismatch'
  | 'invalid_exact_evm_recipient_mismatch'
  | 'invalid_exact_evm_payload_authorization_value_mismatch'
  | 'invalid_exact_evm_payload_authorization_valid_after'
  | 'invalid_exact_evm_payload_authorization_valid_before'
  | 'invalid_exact_evm_signature'
  | 'invalid_exact_evm_nonce_already_used'
  | 'invalid_exact_evm_insufficient_balance'
  | 'invalid_exact_evm_transaction_simulation_failed'

/**
 * An authorization as the chain shows it. `settled`: its transfer is in the canonical chain;
 * `used`: its nonce is, and no transfer to this checkout was found (the payer cancelled it);
 * `expired`: it never can be used; `open`: it can, `reverted` of our transactions having failed.
 */
export type Reading =
  | { state: 'settled'; transaction_id: Hex; is_final: boolean }
  | { state: 'used' }
  | { state: 'expired' }
  | { state: 'open'; reverted: readonly Hex[] }

/** A transaction of the gas wallet. Signing it again gives the same one. */
export type GasTransaction = {
  transaction_id: Hex
  gas_nonce: number
  gas: bigint
  max_fee: bigint
  priority_fee: bigint
}

/** Submits by a wallet of our own, which pays the gas. */
export type GasWallet = {
  kind: 'wallet'
  address: Hex
  /**
   * Signed, and not sent. `replaced`: one of the same nonce that was not mined, and must be outbid.
   * Rejects with GatewayUnavailable, also where gas costs more than is allowed.
   */
  prepare: (
    terms: Terms,
    authorization: Authorization,
    replaced: GasTransaction | null,
  ) => Promise<GasTransaction>
  /** Sending it again is harmless: a node that has it rejects it with GatewayUnavailable. */
  send: (terms: Terms, authorization: Authorization, made: GasTransaction) => Promise<void>
  /** Whether a transaction of this nonce, this one or another, is in the chain. */
  isSpent: (chain_id: number, gas_nonce: number) => Promise<boolean>
}

/** Submits by a facilitator elsewhere. Its answer is a hint: the chain is read. */
export type Facilitator = {
  kind: 'facilitator'
  settle: (terms: Terms, authorization: Authorization) => Promise<FacilitatorAnswer>
}

/** `reason`: why it refuses; null: it has submitted it, or will. */
type FacilitatorAnswer = { transaction_id: Hex | null; reason: string | null }

export type X402 = {
  assets: readonly X402Asset[]
  settler: GasWallet | Facilitator
  /** Rejects where the token's own EIP-712 domain is another than is configured. */
  checkDomain: (asset: X402Asset) => Promise<void>
  /** Signature, balance, nonce and a simulation; null: it can be settled now. */
  verify: (terms: Terms, authorization: Authorization) => Promise<Invalid | null>
  read: (
    terms: Terms,
    authorization: Authorization,
    transactions: readonly Hex[],
  ) => Promise<Reading>
}
