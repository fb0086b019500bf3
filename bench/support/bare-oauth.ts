// A program, the peer of `connect`: oidc-provider with storage in memory, and a log-in page that
// accepts every password.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { freePort } from './programs.ts'

const page = /^\/interaction\/([\w-]+)$/
const port = await freePort()
const issuer = `http://127.0.0.1:${port}`
// Its notices would be printed where the address is expected.
console.info = () => undefined
console.warn = () => undefined
const { Provider } = await import('oidc-provider')

const provider = new Provider(issuer, {
  features: {
    devInteractions: { enabled: false },
    registration: { enabled: true, issueRegistrationAccessToken: false },
  },
  pkce: { required: () => true },
  clientDefaults: { token_endpoint_auth_method: 'none' },
  findAccount: (_ctx, sub) => ({ accountId: sub, claims: () => ({ sub }) }),
  interactions: { url: (_ctx, { uid }) => `/interaction/${uid}` },
})

const form = `<!doctype html><form method="post" action=""><input type="email" name="email">
<input type="password" name="password"><button name="decision" value="allow">Allow</button></form>`

async function allow(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const { params } = await provider.interactionDetails(incoming, outgoing)
  const grant = new provider.Grant({ accountId: 'one', clientId: String(params.client_id) })
  grant.addOIDCScope(String(params.scope))
  const result = { login: { accountId: 'one' }, consent: { grantId: await grant.save() } }
  await provider.interactionFinished(incoming, outgoing, result)
}

const others = provider.callback()
const server = createServer((incoming, outgoing) => {
  if (!page.test(incoming.url ?? '')) return void others(incoming, outgoing)
  if (incoming.method === 'POST') return void allow(incoming, outgoing)
  outgoing.writeHead(200, { 'content-type': 'text/html' }).end(form)
})
server.listen(port, '127.0.0.1', () => process.stdout.write(`${issuer}\n`))
