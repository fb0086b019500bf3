// Before MCP is spoken: limits, who calls, and whether they may call every tool that the POST names
// (401, 403, 429).
import { type Caller, type Scope, scopes } from '../../app.ts'
import type { Settings } from '../../config.ts'
import { unauthenticated } from '../pipeline/faults.ts'
import type { Entered, Incoming, Pipeline } from '../pipeline/pipeline.ts'
import { errorAnswerBefore } from '../pipeline/response.ts'
import { argumentsOf, type ToolCall } from './json-rpc.ts'
import { challenge, type Refusal, refusalOf } from './tool-results.ts'

export type Gate = {
  pipeline: Pipeline
  settings: Settings
  incoming: Incoming
  /**
   * All scopes that some tool needs: the first challenge names them, the consent page narrows them.
   */
  scopes: readonly Scope[]
  id: string | number | null
}
export type Passed = { entered: Entered } | { refusal: Refusal; caller: Caller | null }

/** Counts and authenticates; a token that is shown must be good, whatever is asked for. */
export async function pass(gate: Gate, calls: ToolCall[], requests: number): Promise<Passed> {
  let entered: Entered
  try {
    entered = await gate.pipeline.enter(gate.incoming, requests)
  } catch (thrown) {
    return { refusal: refused(gate, thrown), caller: null }
  }
  const { caller } = entered
  const isProtected = calls.some(({ operation }) => operation.who.about !== 'anyone')
  if (caller.kind === 'anonymous' && isProtected)
    return { refusal: refused(gate, unauthenticated()), caller }
  const lacking = calls.filter((call) => lackedScope(call, caller) !== null)
  return lacking.length === 0
    ? { entered }
    : { refusal: await refuseScopes(gate, lacking, entered), caller }
}

function refused({ settings, incoming, scopes, id }: Gate, thrown: unknown): Refusal {
  const context = { requestId: incoming.request_id, baseUrl: settings.base_url, fails: [] }
  const refusal = refusalOf(errorAnswerBefore(thrown, context), id)
  if (refusal.status !== 401) return refusal
  const error = refusal.error_code === 'invalid_token' ? 'invalid_token' : null
  return withChallenge(refusal, challenge(settings, scopes, error))
}

function withChallenge(refusal: Refusal, words: string): Refusal {
  return { ...refusal, headers: { ...refusal.headers, 'WWW-Authenticate': words } }
}

/**
 * The scope that the call needs and the token lacks. What is not the caller's own is absent, not
 * forbidden.
 */
function lackedScope(call: ToolCall, caller: Caller): Scope | null {
  const { about, scope } = call.operation.who
  if (!('scopes' in caller) || scope === null || caller.scopes.has(scope)) return null
  if (about !== 'customer') return scope
  return argumentsOf(call, caller).pathCustomer === caller.customer_id ? scope : null
}

/** Every refused call goes through the pipeline, so that each is in the caller's audit log. */
async function refuseScopes(gate: Gate, lacking: ToolCall[], entered: Entered): Promise<Refusal> {
  const { caller } = entered
  const answers = []
  for (const call of lacking) {
    const { args, pathCustomer } = argumentsOf(call, caller)
    const incoming = { ...gate.incoming, pathCustomer, fields: () => ({ args }) }
    answers.push(await gate.pipeline.call(call.operation, incoming, entered))
  }
  const [answer] = answers
  if (!answer) throw new Error('No call was refused')
  // Clients ask anew for exactly these, so what they have must be among them.
  const held = 'scopes' in caller ? caller.scopes : new Set<Scope>()
  const wanted = scopes.filter(
    (scope) => held.has(scope) || lacking.some(({ operation }) => operation.who.scope === scope),
  )
  const words = challenge(gate.settings, wanted, 'insufficient_scope')
  const told = { ...answer, body: { ...Object(answer.body), scopes_wanted: wanted } }
  return withChallenge(refusalOf(told, gate.id), words)
}
