// May this caller call this operation, about these things? Somebody else's anything is 404, never
// 403.
import type { Caller, Operation } from '../../app.ts'
import { customerAbsent, sessionRequired } from '../../capabilities/account/index.ts'
import {
  accountSuspended,
  customerRequired,
  insufficientScope,
  operatorOnly,
  unauthenticated,
} from './faults.ts'

/**
 * Throws the fault that says why not. `pathCustomer` is the customer_id of the route, where it has
 * one.
 */
export function permit(
  operation: Operation,
  caller: Caller,
  pathCustomer: string | undefined,
): void {
  const { about, scope, operator, in_person } = operation.who
  if (about === 'anyone') return
  if (caller.kind === 'anonymous') throw unauthenticated()
  if (caller.kind === 'operator') {
    if (!operator) throw customerRequired()
    return
  }
  if (about === 'service') throw operatorOnly()
  if (about === 'customer' && pathCustomer !== caller.customer_id) throw customerAbsent()
  if (scope && !caller.scopes.has(scope))
    throw insufficientScope({
      detail: `The token lacks the scope ${scope}.`,
      facts: { required_scope: scope },
      headers: {
        'WWW-Authenticate': `Bearer error="insufficient_scope", scope="${scope}"`,
      },
    })
  if (in_person && caller.kind !== 'customer') throw sessionRequired()
  if (caller.suspended && !in_person && operation.effect !== 'none') throw accountSuspended()
}

/**
 * Whose things the call is about: the one in the path, else the caller's own; empty for nobody's.
 */
export function customerOf(caller: Caller, pathCustomer: string | undefined): string {
  if (pathCustomer !== undefined) return pathCustomer
  return 'customer_id' in caller ? caller.customer_id : ''
}

/** The key by which the requests of a caller that is known are counted. */
export function principalKey(caller: Exclude<Caller, { kind: 'anonymous' }>): string {
  switch (caller.kind) {
    case 'operator':
      return `operator:${caller.key_id}`
    case 'customer':
      return `customer:${caller.customer_id}`
    case 'api_key':
      return `key:${caller.key_id}`
    case 'oauth_client':
      return `grant:${caller.grant_id}`
  }
}
