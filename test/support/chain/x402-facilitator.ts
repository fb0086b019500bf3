// The official x402 facilitator (test/outside) behind a socket, with a wallet of its own.
import { once } from 'node:events'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { after } from 'node:test'
import { createWalletClient, http, publicActions } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { base } from 'viem/chains'
import type { Chain } from './anvil.ts'

const required = createRequire(join(import.meta.dirname, '../../outside/package.json'))

/** `is_false`: it says that it has settled, and does nothing. */
export async function startFacilitator({ client, url: rpc }: Chain) {
  const { x402Facilitator: Facilitator } = required('@x402/core/facilitator')
  const { toFacilitatorEvmSigner } = required('@x402/evm')
  const { ExactEvmScheme } = required('@x402/evm/exact/facilitator')
  const account = privateKeyToAccount(generatePrivateKey())
  await client.setBalance({ address: account.address, value: 10n ** 18n })
  const wallet = createWalletClient({ account, chain: base, transport: http(rpc) })
  const signer = toFacilitatorEvmSigner(
    Object.assign(wallet.extend(publicActions), { address: account.address }),
  )
  const facilitator = new Facilitator().register('eip155:8453', new ExactEvmScheme(signer))
  const requests: string[] = []
  const state = { url: '', requests, is_false: false }
  const server = createServer(async (request, response) => {
    requests.push(request.url ?? '')
    const { paymentPayload, paymentRequirements } = Object(await json(request))
    const claim = { success: true, transaction: `0x${'ab'.repeat(32)}`, network: 'eip155:8453' }
    const answer = state.is_false
      ? claim
      : await facilitator.settle(paymentPayload, paymentRequirements)
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  after(() => {
    server.close()
    server.closeAllConnections()
  })
  const address = server.address()
  if (address === null || typeof address === 'string')
    throw new Error('The server listens on no port')
  state.url = `http://127.0.0.1:${address.port}`
  return state
}
