// Log-in by the device flow (RFC 8628): registers a client (RFC 7591), shows the code that the
// owner enters in a browser, and polls for the tokens until the owner has answered.
import { hostname, userInfo } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import type { KeptLogIn } from '../credentials.ts'
import { exitCodes, Failure } from '../failure.ts'
import type { Endpoints } from './discovery.ts'
import { type Answer, postForm, postJson, refusal, textIn } from './request.ts'
import { tokenOf } from './tokens.ts'

const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code'
/**
 * The scopes of commands that only read, buy and change; a more powerful scope is requested by
 * name.
 */
export const usualScopes: readonly string[] = [
  'account:read',
  'contacts:read',
  'domains:read',
  'domains:write',
  'domains:purchase',
  'billing:read',
  'keys:read',
]

export type DeviceCode = {
  user_code: string
  verification_uri: string
  verification_uri_complete: string
  expires_in: number
}
type LogIn = {
  url: string
  endpoints: Endpoints
  scope: string
  /** The client of the previous log-in. */
  client_id: string | null
  show: (code: DeviceCode) => Promise<void>
}

export async function logInByDevice(given: LogIn): Promise<KeptLogIn> {
  const { url, endpoints, scope } = given
  const { mcp } = endpoints
  const resources = [url, ...(mcp === null ? [] : [mcp])]
  const fields = [['scope', scope], ...resources.map((one) => ['resource', one])]
  let client_id = given.client_id ?? (await register(endpoints))
  let asked = await authorize(endpoints, client_id, fields)
  if (given.client_id !== null && isUnknownClient(asked)) {
    client_id = await register(endpoints)
    asked = await authorize(endpoints, client_id, fields)
  }
  if (asked.status !== 200) throw refusedCode(url, asked)
  const { device_code, interval, ...code } = deviceCodeOf(asked)
  await given.show(code)
  const poll = () =>
    postForm(
      endpoints.token,
      Object.entries({ grant_type: DEVICE_GRANT, device_code, client_id, resource: url }),
    )
  const body = await pollForTokens({ poll, interval, expires_in: code.expires_in })
  const refresh_token = textIn(body, 'refresh_token')
  return {
    type: 'oauth',
    client_id,
    token_endpoint: endpoints.token,
    revocation_endpoint: endpoints.revocation,
    resources: { rest: url, mcp },
    scope: textIn(body, 'scope') ?? scope,
    refresh_token,
    tokens: { rest: tokenOf(body) },
  }
}

async function register({ registration }: Endpoints): Promise<string> {
  const answer = await postJson(registration, {
    client_name: `agent-registrar of ${userName()} on ${hostname()}`.slice(0, 60),
    grant_types: [DEVICE_GRANT, 'refresh_token'],
    redirect_uris: [],
    response_types: [],
    token_endpoint_auth_method: 'none',
  })
  const client_id = textIn(answer.body, 'client_id')
  if (answer.status !== 201 || client_id === null) throw refusal('The registration', answer)
  return client_id
}

/** In a container, the user may have a number but no name. */
function userName(): string {
  try {
    return userInfo().username
  } catch (error) {
    if (error instanceof Error && 'code' in error) return 'a container'
    throw error
  }
}

function authorize(
  { device_authorization }: Endpoints,
  client_id: string,
  fields: string[][],
): Promise<Answer> {
  const pairs = fields.map(([name = '', value = '']): [string, string] => [name, value])
  return postForm(device_authorization, [['client_id', client_id], ...pairs])
}

const isUnknownClient = ({ body }: Answer) =>
  body.error === 'invalid_client' || body.error === 'unauthorized_client'

function refusedCode(url: string, answer: Answer): Failure {
  if (answer.body.error !== 'invalid_target') return refusal('The log-in', answer)
  return new Failure(exitCodes.usage, `The URL of the service is not ${url}`, {
    next: 'Give --url as the service writes it: "issuer" in its metadata.',
    body: answer.body,
  })
}

function deviceCodeOf({ body }: Answer): DeviceCode & { device_code: string; interval: number } {
  const word = (name: string) => {
    const found = textIn(body, name)
    if (found === null) throw new Failure(exitCodes.unavailable, `The answer has no ${name}`)
    return found
  }
  const seconds = (name: string, usual: number) => Number(body[name] ?? usual) || usual
  const verification_uri = word('verification_uri')
  return {
    device_code: word('device_code'),
    user_code: word('user_code'),
    verification_uri,
    verification_uri_complete: textIn(body, 'verification_uri_complete') ?? verification_uri,
    expires_in: seconds('expires_in', 900),
    interval: seconds('interval', 5),
  }
}

type Poll = {
  poll: () => Promise<Answer>
  interval: number
  expires_in: number
  wait?: (ms: number) => Promise<unknown>
}

/** Polls until the owner has answered, and returns the body with the tokens. */
export async function pollForTokens({ poll, interval, expires_in, wait = sleep }: Poll) {
  let [seconds, left] = [interval, expires_in]
  while (left > 0) {
    await wait(seconds * 1000)
    left -= seconds
    const answer = await poll().catch((error: unknown) => {
      if (error instanceof Failure && error.exit === exitCodes.unavailable) return null
      throw error
    })
    if (answer?.status === 200) return answer.body
    const error = answer?.body.error
    if (error === 'access_denied')
      throw new Failure(exitCodes.refused, 'The owner has denied the log-in')
    if (error === 'expired_token') break
    // RFC 8628 section 3.5: the interval grows by five seconds for good, or doubles after a lost
    // answer.
    if (error === 'slow_down') seconds += 5
    else if (answer === null || answer.status >= 500 || answer.status === 429) seconds *= 2
    else if (error !== 'authorization_pending') throw refusal('The log-in', answer)
  }
  throw new Failure(exitCodes.refused, 'The code expired before it was entered', {
    next: 'agent-registrar login',
  })
}
