// A client with an address and a token of its own: every operation of the service as a method that
// returns the data or throws an error of errors.ts.
import { type Client, createClient, createConfig } from '../src/client/index.ts'
import * as operations from '../src/sdk.gen.ts'
import type { ApprovalResponse, OperationResponse } from '../src/types.gen.ts'
import { ConnectionError, errorOf, RegistrarError } from './errors.ts'
import { needsKey } from './idempotency.ts'
import { type RetryOptions, retryingFetch } from './retry.ts'
import { idOf, type WaitOptions, waitUntil } from './wait.ts'

export type RegistrarOptions = {
  /** The address of the service: "https://registrar.example". */
  baseUrl: string
  /** An API key, or an access token. */
  apiKey?: string
  token?: string
  /** Asked before each request: for a token that expires. */
  getToken?: () => string | undefined | Promise<string | undefined>
  fetch?: typeof globalThis.fetch
  retry?: RetryOptions
}
type Waiting = 'waitForOperation' | 'waitForApproval'
type Streams = 'streamSupportEvents'
type Methods = {
  [Name in Exclude<keyof typeof operations, Waiting | Streams>]: Method<(typeof operations)[Name]>
}
type Method<F> = F extends (...given: infer Given) => infer Answer
  ? (...given: Given) => Promise<DataOf<Awaited<Answer>>>
  : never
type DataOf<Answer> = [DataIn<Answer>] extends [never] ? undefined : DataIn<Answer>
type DataIn<Answer> = Answer extends { data: infer Data } ? Exclude<Data, undefined> : never

export type RegistrarClient = Methods & {
  /** Carries the requests: the generated functions take it as `client`. */
  transport: Client
  /** The order at its end: "succeeded", or "failed" with `error`. */
  waitForOperation: (
    operation: string | { id: string } | { operation: { id: string } | null },
    options?: WaitOptions<OperationResponse>,
  ) => Promise<OperationResponse>
  /**
   * The approval after the answer of the owner, and after its request was made; "approved" for a
   * transfer code, which is read by the same request again.
   */
  waitForApproval: (
    approval: string | { id: string },
    options?: WaitOptions<ApprovalResponse>,
  ) => Promise<ApprovalResponse>
}

/** Their answer is a secret, so the service does not make these requests for the caller. */
const usedByCaller = ['get_transfer_auth_code', 'regenerate_transfer_auth_code']

/** A client with all operations. */
export function createRegistrarClient(options: RegistrarOptions): RegistrarClient {
  const transport = createTransport(options)
  const fixed = { client: transport, throwOnError: true, responseStyle: 'data' }
  const methods: Methods = Object(
    Object.fromEntries(
      Object.entries(operations).map(([name, operation]) => [
        name,
        (given: object) => Object(operation)({ ...given, ...fixed }),
      ]),
    ),
  )
  return {
    ...methods,
    transport,
    waitForOperation: (operation, given = {}) =>
      waitUntil(
        (wait) => waitOnce(transport, idOf(operation), { wait, signal: given.signal }),
        ({ state }) => state === 'succeeded' || state === 'failed',
        given,
      ),
    waitForApproval: (approval, given = {}) =>
      waitUntil(
        (wait) => waitOnceForApproval(transport, idOf(approval), { wait, signal: given.signal }),
        ({ state, action }) =>
          state !== 'pending' && (state !== 'approved' || usedByCaller.includes(action)),
        given,
      ),
  }
}

/** Carries requests without the methods, for a small bundle: give it as `client`. */
export function createTransport(options: RegistrarOptions): Client {
  const { baseUrl, apiKey, token, getToken } = options
  if ([apiKey, token, getToken].filter((one) => one !== undefined).length > 1)
    throw new TypeError('Give one of apiKey, token and getToken.')
  const secret = apiKey ?? token
  const send = options.fetch ?? ((...given) => globalThis.fetch(...given))
  const client = createClient(
    createConfig({
      baseUrl: baseUrl.replace(/\/+$/, ''),
      // Only as a bearer token: the operations also declare the cookie of a session.
      auth: ({ scheme }) => (scheme === 'bearer' ? (getToken ?? (() => secret))() : undefined),
      fetch: retryingFetch(send, options.retry),
    }),
  )
  client.interceptors.request.use((request, { url, body }) => {
    if (needsKey(request.method, url, body) && !request.headers.has('idempotency-key'))
      request.headers.set('idempotency-key', crypto.randomUUID())
    return request
  })
  client.interceptors.error.use((error, response, request) => {
    if (error instanceof RegistrarError || request?.signal.aborted) return error
    if (response && !response.ok) return errorOf(response, error)
    return new ConnectionError({ message: 'No usable response.', cause: error })
  })
  return client
}

type Once = { wait: number; signal: AbortSignal | undefined }

async function waitOnce(client: Client, id: string, { wait, signal }: Once) {
  const asked = { client, path: { id }, query: { wait }, ...(signal && { signal }) }
  return (await operations.waitForOperation({ ...asked, throwOnError: true })).data
}

async function waitOnceForApproval(client: Client, id: string, { wait, signal }: Once) {
  const asked = { client, path: { id }, query: { wait }, ...(signal && { signal }) }
  return (await operations.waitForApproval({ ...asked, throwOnError: true })).data
}
