// Settlement by our own wallet, which holds only gas. Its key pays for transactions, but it
// receives no payment and cannot move any.
import { privateKeyToAccount } from 'viem/accounts'
import { keccak256 } from 'viem/utils'
import { GatewayUnavailable } from '../gateway/port.ts'
import { transferCall } from './eip3009.ts'
import type { Endpoints } from './endpoints.ts'
import type { Authorization, GasTransaction, GasWallet, Hex, Terms } from './port.ts'

/**
 * Asking a wallet's contract may cost more than the transfer, and a signer must not spend our gas.
 */
const most_gas = 300_000n
/** Nodes accept a replacement that pays a tenth more, and some require an eighth. */
const outbid_percent = 13n

type WalletOptions = { key: Hex; endpoints: Endpoints; most_gas_price: bigint }

export function openGasWallet({ key, endpoints, most_gas_price }: WalletOptions): GasWallet {
  const account = privateKeyToAccount(key)
  const serialize = (terms: Terms, authorization: Authorization, made: Unsigned) =>
    account.signTransaction({
      type: 'eip1559',
      chainId: terms.chain_id,
      ...transferCall(terms, authorization),
      nonce: made.gas_nonce,
      gas: made.gas,
      maxFeePerGas: made.max_fee,
      maxPriorityFeePerGas: made.priority_fee,
    })
  return {
    kind: 'wallet',
    address: lower(account.address),
    prepare: (terms, authorization, replaced) =>
      endpoints.read(terms.chain_id, async ({ client }) => {
        const call = transferCall(terms, authorization)
        const { address } = account
        const [fees, gas, balance, nonce] = await Promise.all([
          client.estimateFeesPerGas(),
          // The pending block is not used, because there a transaction that is to be outbid has
          // used it already.
          client.estimateGas({ account: address, ...call, blockTag: 'latest' }),
          client.getBalance({ address }),
          client.getTransactionCount({ address, blockTag: 'latest' }),
        ])
        const unsigned = {
          gas_nonce: nonce,
          gas: (gas * 12n) / 10n,
          ...feesFor(fees, replaced?.gas_nonce === nonce ? replaced : null),
        }
        if (unsigned.gas > most_gas)
          throw new GatewayUnavailable(`a settlement would need ${gas} gas`)
        if (unsigned.max_fee > most_gas_price)
          throw new GatewayUnavailable('gas costs more than X402_MOST_GAS_PRICE_GWEI')
        if (balance < unsigned.gas * unsigned.max_fee)
          throw new GatewayUnavailable('the gas wallet of x402 has too little to pay gas')
        const transaction_id = keccak256(await serialize(terms, authorization, unsigned))
        return { transaction_id, ...unsigned }
      }),
    send: (terms, authorization, made) =>
      endpoints.read(terms.chain_id, async ({ client }) => {
        const serializedTransaction = await serialize(terms, authorization, made)
        await client.sendRawTransaction({ serializedTransaction })
      }),
    isSpent: (chain_id, gas_nonce) =>
      endpoints.read(chain_id, async ({ client }) => {
        const { address } = account
        const next = await client.getTransactionCount({ address, blockTag: 'latest' })
        return next > gas_nonce
      }),
  }
}

type Unsigned = Omit<GasTransaction, 'transaction_id'>
type Estimate = { maxFeePerGas: bigint; maxPriorityFeePerGas: bigint }

function feesFor(estimate: Estimate, replaced: GasTransaction | null) {
  const outbid = (fee: bigint) => (fee * (100n + outbid_percent)) / 100n + 1n
  const { maxFeePerGas: max_fee, maxPriorityFeePerGas: priority_fee } = estimate
  if (replaced === null) return { max_fee, priority_fee }
  return {
    max_fee: larger(max_fee, outbid(replaced.max_fee)),
    priority_fee: larger(priority_fee, outbid(replaced.priority_fee)),
  }
}

function larger(a: bigint, b: bigint): bigint {
  return a > b ? a : b
}

function lower(address: Hex): Hex {
  return `0x${address.slice(2).toLowerCase()}`
}
