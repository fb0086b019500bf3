// Re-authorization of a request with a long-lived response (event stream, long poll), which ends
// when its token is revoked or loses the scope.
import type { Caller, Operation } from '../../app.ts'
import { Fault } from '../../kit/fault.ts'
import {
  type Authenticator,
  authenticate,
  authorize,
  type PresentedAt,
  principalKey,
} from './access-control.ts'
import type { BrowserFields, CookieAuthenticator } from './cookie-authentication.ts'

type Parts = { authenticators: readonly Authenticator[]; cookies: CookieAuthenticator }
type Asked = {
  operation: Operation
  request: PresentedAt & {
    authorization: string | undefined
    tokenInQuery: boolean
    address: string
    browser?: BrowserFields
    pathCustomer: string | undefined
  }
  /** The caller as it was admitted before. */
  caller: Caller
}

/** Whether it is admitted now, as the same principal. Rejects while that cannot be known. */
export async function isStillAdmitted(parts: Parts, asked: Asked): Promise<boolean> {
  const { operation, request, caller: before } = asked
  try {
    const caller = await callerOf(parts, asked)
    if (caller.kind === 'anonymous' || before.kind === 'anonymous') return false
    authorize(operation, caller, request.pathCustomer)
    return principalKey(caller) === principalKey(before)
  } catch (error) {
    if (error instanceof Fault && (error.status === 401 || error.status === 403)) return false
    throw error
  }
}

async function callerOf(parts: Parts, { operation, request }: Asked): Promise<Caller> {
  const { browser, authorization } = request
  if (!browser || authorization !== undefined) return authenticate(parts.authenticators, request)
  return (await parts.cookies.authenticate(operation, browser)) ?? { kind: 'anonymous' }
}
