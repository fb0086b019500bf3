// The port of x402 (version 2, scheme "exact" on EVM chains): payments that a payer authorizes by a
// signature (EIP-3009) and another party submits. An adapter verifies, submits and reads back. It
// credits nothing, since a transfer counts when the payment gateway observes it.
import type { AssetKey } from '../gateway/port.ts'

export type Hex = `0x${string}`

/** The name and version of the token's EIP-712 domain. */
type TokenDomain = { name: string; version: string }

/** A token in which payments are accepted. Addresses are in lower case. */
export type X402Asset = AssetKey & { chain_id: number; token: Hex; domain: TokenDomain }

/** The payment requirements of one checkout, without those that are the same for all. */
export type Terms = Omit<X402Asset, keyof AssetKey> & {
  pay_to: Hex
  /** The exact number of base units. */
  units: bigint
}

/** An authorization signed by a payer. Anybody who has it can submit it until it is used. */
export type Authorization = {
  payer: Hex
  nonce: Hex
  value: bigint
  /** Seconds since 1970. */
  valid_after: number
  valid_before: number
  signature: Hex
}

/** The codes of the x402 specification, if it has one. */
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
 * An authorization as the chain shows it. `settled`: its transfer is in the canonical chain.
 * `used`: its nonce is used, and no transfer to this checkout was found (the payer cancelled it).
 * `expired`: it can never be used. `open`: it can be used, and `reverted` of our transactions have
 * failed.
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

/** Submits by our own wallet, which pays the gas. */
export type GasWallet = {
  kind: 'wallet'
  address: Hex
  /**
   * The signed transaction, which is not sent yet. `replaced` is one with the same nonce that was
   * not mined and must be outbid. Rejects with GatewayUnavailable, also if gas costs more than is
   * allowed.
   */
  prepare: (
    terms: Terms,
    authorization: Authorization,
    replaced: GasTransaction | null,
  ) => Promise<GasTransaction>
  /**
   * Sending it again is harmless, because a node that has it rejects it with GatewayUnavailable.
   */
  send: (terms: Terms, authorization: Authorization, made: GasTransaction) => Promise<void>
  /** Whether a transaction of this nonce, this one or another, is in the chain. */
  isSpent: (chain_id: number, gas_nonce: number) => Promise<boolean>
}

/** Submits by an external facilitator. Its answer is a hint, so the chain is read. */
export type Facilitator = {
  kind: 'facilitator'
  settle: (terms: Terms, authorization: Authorization) => Promise<FacilitatorAnswer>
}

/** `reason` is why it refuses, or null if it has submitted it or will. */
type FacilitatorAnswer = { transaction_id: Hex | null; reason: string | null }

export type X402 = {
  assets: readonly X402Asset[]
  settler: GasWallet | Facilitator
  /** Rejects if the token's own EIP-712 domain differs from the configured one. */
  checkDomain: (asset: X402Asset) => Promise<void>
  /**
   * Checks signature, balance, nonce and a simulation. The result is null if it can be settled now.
   */
  verify: (terms: Terms, authorization: Authorization) => Promise<Invalid | null>
  read: (
    terms: Terms,
    authorization: Authorization,
    transactions: readonly Hex[],
  ) => Promise<Reading>
}
