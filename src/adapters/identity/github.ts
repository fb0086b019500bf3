// GitHub's OAuth, which is not OpenID Connect: the identity is the account's number, which is read
// from its API with the access token.
import type { Configuration } from 'openid-client'
import Type, { type TSchema } from 'typebox'
import { boundedFetch } from '../../kit/net/bounded-fetch.ts'
import { compile, nullable, type Validator } from '../../kit/schema.ts'
import {
  emailIn,
  openidClient,
  type ProviderFacts,
  parametersOf,
  request_timeout_s,
  responseUrl,
} from './oidc.ts'
import type { AuthorizationRequest, Identity, IdentityProvider } from './port.ts'
import { providerError } from './provider-error.ts'

const user = compile(
  Type.Object({ id: Type.Integer({ minimum: 1 }), name: nullable(Type.String()) }),
)
const emails = compile(
  Type.Array(
    Type.Object({
      email: Type.String(),
      primary: Type.Boolean(),
      verified: Type.Boolean(),
    }),
  ),
)

/**
 * `issuer` is the root of the site; another one is a GitHub Enterprise Server, with its own API.
 */
export function openGithub(facts: ProviderFacts, timeout_s?: number): IdentityProvider {
  let opened: Promise<Configuration> | undefined
  const configuration = () => {
    opened ??= configurationOf(facts, timeout_s)
    return opened
  }
  return {
    id: facts.id,
    name: facts.name,
    async authorizationUrl(request) {
      const { buildAuthorizationUrl } = await openidClient()
      const parameters = { ...(await parametersOf(request)), scope: 'read:user user:email' }
      return buildAuthorizationUrl(await configuration(), parameters).href
    },
    async identityOf(request, response) {
      try {
        return await identityOf(await configuration(), { facts, request, response })
      } catch (error) {
        throw providerError(error)
      }
    },
  }
}

async function configurationOf(
  { issuer, client_id, client_secret }: ProviderFacts,
  timeout_s = request_timeout_s,
): Promise<Configuration> {
  const client = await openidClient()
  const root = `${issuer}/login/oauth`
  const metadata = {
    issuer: root,
    authorization_endpoint: `${root}/authorize`,
    token_endpoint: `${root}/access_token`,
  }
  const authentication = client.ClientSecretPost(client_secret)
  const config = new client.Configuration(metadata, client_id, undefined, authentication)
  if (new URL(issuer).protocol === 'http:') client.allowInsecureRequests(config)
  config.timeout = timeout_s
  config[client.customFetch] = boundedFetch
  return config
}

type Asked = { facts: ProviderFacts; request: AuthorizationRequest; response: URLSearchParams }

async function identityOf(
  config: Configuration,
  { facts, request, response }: Asked,
): Promise<Identity> {
  const { authorizationCodeGrant } = await openidClient()
  const { access_token } = await authorizationCodeGrant(config, responseUrl(request, response), {
    pkceCodeVerifier: request.verifier,
    expectedState: request.state,
  })
  const { issuer } = facts
  const api = issuer === 'https://github.com' ? 'https://api.github.com' : `${issuer}/api/v3`
  const read = <S extends TSchema>(path: string, answer: Validator<S>) =>
    readApi(config, { url: `${api}${path}`, access_token, answer })
  const { id, name } = await read('/user', user)
  const all = await read('/user/emails?per_page=100', emails)
  const email = all.find(({ primary, verified }) => primary && verified)?.email
  return { issuer, subject: String(id), email: emailIn(email), name }
}

type Reading<T> = { url: string; access_token: string; answer: Validator<T> }

async function readApi<T>(
  config: Configuration,
  { url, access_token, answer }: Reading<T>,
): Promise<T> {
  const { fetchProtectedResource } = await openidClient()
  const headers = new Headers({ accept: 'application/vnd.github+json' })
  const target = new URL(url)
  const response = await fetchProtectedResource(
    config,
    access_token,
    target,
    'GET',
    undefined,
    headers,
  )
  if (!response.ok) throw new Error(`GitHub's API answered ${response.status}`)
  return answer.parse(await response.json())
}
