// Authorizes one POST for all tools that it calls: rate limits, the caller, and the scopes of every
// tool (401, 403, 429), with OAuth challenges.
import { type Caller, foldScopes, holdsScope, type Scope } from '../../app.ts'
import type { Settings } from '../../config/config.ts'
import { resourceMetadataUrl } from '../../errors/resource-metadata-url.ts'
import { publicUrls } from '../../origins.ts'
import { unauthenticated } from '../pipeline/faults.ts'
import type { Admitted, IncomingRequest, Pipeline } from '../pipeline/pipeline.ts'
import { errorResponseBefore } from '../pipeline/response.ts'
import { argumentsOf, type Refusal, refusalOf, type ToolCall } from './json-rpc.ts'

type AuthorizedRequest = {
  pipeline: Pipeline
  settings: Settings
  incoming: IncomingRequest
  /** All scopes that some tool needs. The first challenge names them, and consent narrows them. */
  scopes: readonly Scope[]
  id: string | number | null
}
type Authorization = { admitted: Admitted } | { refusal: Refusal; caller: Caller | null }

/** Limits the rate and authenticates. A token that is sent must be valid, whatever is called. */
export async function authorizeRequest(
  to: AuthorizedRequest,
  calls: ToolCall[],
  requests: number,
): Promise<Authorization> {
  let admitted: Admitted
  try {
    admitted = await to.pipeline.admit(to.incoming, requests)
  } catch (error) {
    return { refusal: refused(to, error), caller: null }
  }
  const { caller } = admitted
  const isProtected = calls.some(({ operation }) => operation.who.about !== 'anyone')
  if (caller.kind === 'anonymous' && isProtected)
    return { refusal: refused(to, unauthenticated()), caller }
  const lacking = calls.filter((call) => lackedScope(call, caller) !== null)
  return lacking.length === 0
    ? { admitted }
    : { refusal: await refuseScopes(to, lacking, admitted), caller }
}

function refused({ settings, incoming, scopes, id }: AuthorizedRequest, error: unknown): Refusal {
  const context = { requestId: incoming.request_id, roots: publicUrls(settings), fails: [] }
  const refusal = refusalOf(errorResponseBefore(error, context), id)
  if (refusal.status !== 401) return refusal
  const code = refusal.error_code === 'invalid_token' ? 'invalid_token' : null
  return withChallenge(refusal, challenge(settings, scopes, code))
}

function withChallenge(refusal: Refusal, words: string): Refusal {
  return { ...refusal, headers: { ...refusal.headers, 'WWW-Authenticate': words } }
}

/**
 * The scope that the call needs and the token lacks. It is null for another customer's resources,
 * which are 404 and not 403.
 */
function lackedScope(call: ToolCall, caller: Caller): Scope | null {
  const { about, scope } = call.operation.who
  if (!('scopes' in caller) || scope === null || holdsScope(caller.scopes, scope)) return null
  if (about !== 'customer') return scope
  return argumentsOf(call, caller).pathCustomer === caller.customer_id ? scope : null
}

/** Every refused call goes through the pipeline, so that each is in the caller's audit log. */
async function refuseScopes(
  to: AuthorizedRequest,
  lacking: ToolCall[],
  admitted: Admitted,
): Promise<Refusal> {
  const { caller } = admitted
  const responses = []
  for (const call of lacking) {
    const { args, pathCustomer } = argumentsOf(call, caller)
    const incoming = { ...to.incoming, pathCustomer, input: { arguments: args } }
    responses.push(await to.pipeline.call(call.operation, incoming, admitted))
  }
  const [response] = responses
  if (!response) throw new Error('No call was refused')
  // Clients request exactly these next, so the scopes that they have must be among them.
  const held = 'scopes' in caller ? [...caller.scopes] : []
  const needed = lacking.flatMap(({ operation }) => operation.who.scope ?? [])
  const wanted = foldScopes([...held, ...needed])
  const words = challenge(to.settings, wanted, 'insufficient_scope')
  const body = { ...Object(response.body), scopes_wanted: wanted }
  return withChallenge(refusalOf({ ...response, body }, to.id), words)
}

/** The value of WWW-Authenticate by RFC 6750 section 3 and RFC 9728 section 5.1. */
function challenge(
  settings: Settings,
  wanted: readonly Scope[],
  error: 'invalid_token' | 'insufficient_scope' | null,
): string {
  const parts = [
    ...(error ? [`error="${error}"`] : []),
    `resource_metadata="${resourceMetadataUrl(`${settings.mcp_url}/mcp`)}"`,
    `scope="${wanted.join(' ')}"`,
  ]
  return `Bearer ${parts.join(', ')}`
}
