// The official x402 client (test/outside), as an agent has it with a wallet of its own.
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { PrivateKeyAccount } from 'viem/accounts'

const required = createRequire(join(import.meta.dirname, '../../outside/package.json'))

type Fetch = typeof fetch

/** Without its limits of spending, which know public tokens only. */
function x402Client(signer: Pick<PrivateKeyAccount, 'address' | 'signTypedData'>) {
  const { x402Client: Client, x402HTTPClient } = required('@x402/core/client')
  const { ExactEvmScheme } = required('@x402/evm')
  const client = new Client().register('eip155:*', new ExactEvmScheme(signer))
  client.setSpendControls(false)
  return { client, http: new x402HTTPClient(client) }
}

export type Signer = Parameters<typeof x402Client>[0]

/** A fetch that pays what is asked for. */
export function payingFetch(signer: Signer): Fetch {
  return required('@x402/fetch').wrapFetchWithPayment(fetch, x402Client(signer).client)
}

/** The PAYMENT-SIGNATURE for a PAYMENT-REQUIRED. */
export async function paymentFor(header: string, signer: Signer): Promise<string> {
  const { client, http } = x402Client(signer)
  const asked = http.getPaymentRequiredResponse(() => header)
  const made = http.encodePaymentSignatureHeader(await client.createPaymentPayload(asked))
  return made['PAYMENT-SIGNATURE']
}
