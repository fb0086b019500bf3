// Decides the next step of an authorization: from the state of the chain, and from the transaction
// of ours that may still be mined.
import type { GasTransaction, Reading } from '../../../adapters/x402/port.ts'

/** A transaction that is not mined within this time is outbid. */
const outbid_after_ms = 30_000

export type InFlight = {
  made: GasTransaction
  age_ms: number
  /** Whether a transaction of its nonce is in the chain. */
  is_spent: boolean
}

export type NextSettlement =
  | { do: 'note'; transaction_id: `0x${string}`; is_final: boolean }
  | { do: 'end'; state: 'failed' | 'expired'; reason: string | null }
  | { do: 'submit'; replaced: GasTransaction | null }
  | { do: 'send_again'; made: GasTransaction }
  /** The nonce went to another transaction, or the endpoint shows an older state. */
  | { do: 'free' }

export function nextSettlement(reading: Reading, in_flight: InFlight | null): NextSettlement {
  switch (reading.state) {
    case 'settled': {
      const { transaction_id, is_final } = reading
      return { do: 'note', transaction_id, is_final }
    }
    case 'used':
      return { do: 'end', state: 'failed', reason: 'authorization_used' }
    case 'expired':
      return { do: 'end', state: 'expired', reason: null }
    case 'open':
      // A second attempt would cost gas again.
      if (reading.reverted.length > 0) return { do: 'end', state: 'failed', reason: 'reverted' }
      if (in_flight === null) return { do: 'submit', replaced: null }
      if (in_flight.is_spent) return { do: 'free' }
      if (in_flight.age_ms < outbid_after_ms) return { do: 'send_again', made: in_flight.made }
      return { do: 'submit', replaced: in_flight.made }
  }
}
