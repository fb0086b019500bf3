// Release deferral: a hold is kept while an earlier attempt without an answer may still be applied
// by the registry.
import type { App } from '../../../app.ts'
import { type OpenOrder, type Registrar, undoneCodes } from './handlers/order-handler.ts'
import { type ReleaseCode, type Verdict, waiting } from './reconcile/reconcile.ts'

const releaseDeferred = 'release_deferred'

/** Results of an attempt after which the registry does not apply it later. */
export const answeredCodes = [...undoneCodes, releaseDeferred]

/** Ends after which an earlier attempt cannot be applied: the registry's own state refuses it. */
const fencedEnds: ReleaseCode[] = ['domain_taken', 'expiry_changed']

type Ending = { order: OpenOrder; registrar: Registrar; does: string }

/**
 * A refusal answers one attempt only. The release waits until ten time-outs after the latest
 * attempt without an answer; what that one did meanwhile is read first. Null: release now.
 */
export function deferRelease(
  app: App,
  { order, registrar, does }: Ending,
  { code, detail }: { code: ReleaseCode; detail: string },
): Extract<Verdict, { do: 'wait' }> | null {
  if (order.unanswered_at === null || fencedEnds.includes(code)) return null
  const until = order.unanswered_at.getTime() + 10 * registrar.registry.profile.timeout_ms
  if (app.clock.now().getTime() >= until) return null
  return waiting(does === 'read' ? 'accepted' : 'unknown', releaseDeferred, detail)
}
